-- Platform staff who have no account yet, and need not be members of a brand.
create table staff_invitations (
  user_id bigint primary key references users (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null,
  email_verified_at timestamptz,
  setup_started_at timestamptz
);
