-- Sign-in: who a user is at the identity provider, their sessions here, and the keys that sign access tokens.

alter table users add column provider_subject text unique check (length(provider_subject) <= 255);

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of the refresh token: whoever reads this table cannot use what is in it.
  refresh_hash bytea not null unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

-- The newest active key signs; the others still verify what they signed before a rotation.
create table signing_keys (
  id text primary key,
  secret bytea not null check (length(secret) = 32),
  active_from timestamptz not null,
  created_at timestamptz not null default now()
);
