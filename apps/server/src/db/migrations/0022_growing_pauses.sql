-- What was tried at the embedded provider how often, shared by all server processes: passwords above all. After some attempts each
-- further one waits longer. The key is a hash: people type passwords into the e-mail field, and those must not be kept.
drop table idp_login_attempts;
create table idp_attempts (
  key text collate "C" primary key,
  attempts integer not null,
  blocked_until timestamptz,
  forget_at timestamptz not null
);
create index idp_attempts_forget_at_idx on idp_attempts (forget_at);
