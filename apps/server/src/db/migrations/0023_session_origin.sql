-- Which token of the identity provider a session was opened with, as a hash: once the session has been ended, that token opens no other
-- one. And, at the embedded provider, in which session there, so that both are ended together.
alter table sessions
  add column provider_token_hash bytea check (length(provider_token_hash) = 32),
  add column provider_session text check (length(provider_session) <= 200);
create index sessions_spent_token_idx on sessions (provider_token_hash) where revoked_at is not null;
