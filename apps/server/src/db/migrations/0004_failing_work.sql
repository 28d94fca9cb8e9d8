-- How often the work of a brand failed in a row. The pause before it is tried again grows with it.
alter table due_work add column failures integer not null default 0;
