-- The embedded mailbox's own table; empty where a mail server outside is configured.

create table mailbox_messages (
  id bigint generated always as identity primary key,
  sender text not null,
  recipients text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  received_at timestamptz not null default now()
);
