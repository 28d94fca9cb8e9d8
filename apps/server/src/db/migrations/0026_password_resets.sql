-- Links by which people of the embedded provider replace a password that they forgot: one per account, kept as the SHA-256 of its token.
create table idp_password_resets (
  subject text primary key references idp_accounts on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);
