-- The language that someone last signed in with, or was invited in: mails to them are written in it.
alter table users add column language text check (language in ('en', 'es'));
