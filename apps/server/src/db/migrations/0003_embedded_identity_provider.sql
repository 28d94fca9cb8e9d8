-- The embedded identity provider's own tables; empty where a provider outside is configured.

create table idp_accounts (
  subject text primary key default gen_random_uuid()::text,
  email text not null check (length(email) between 3 and 254),
  password_hash text not null,
  first_name text not null default '' check (length(first_name) <= 150),
  last_name text not null default '' check (length(last_name) <= 150),
  email_verified boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index idp_accounts_email_key on idp_accounts (lower(email));

-- Sessions, grants, codes and tokens, each as the document that the protocol library hands over.
create table idp_records (
  model text collate "C" not null,
  id text collate "C" not null,
  payload jsonb not null,
  uid text collate "C" generated always as (payload ->> 'uid') stored,
  grant_id text collate "C" generated always as (payload ->> 'grantId') stored,
  account_id text collate "C" generated always as (payload ->> 'accountId') stored,
  consumed_at timestamptz,
  expires_at timestamptz,
  primary key (model, id)
);
create index idp_records_uid_idx on idp_records (uid) where uid is not null;
create index idp_records_grant_id_idx on idp_records (grant_id) where grant_id is not null;
create index idp_records_account_id_idx on idp_records (account_id) where account_id is not null;
create index idp_records_expires_at_idx on idp_records (expires_at);

-- What signs tokens and cookies. Made once, so that a restart or a second server process signs nobody out.
create table idp_secrets (
  name text primary key,
  value jsonb not null,
  created_at timestamptz not null default now()
);

-- How often a password was tried, shared by all server processes. The key is a hash: people type passwords
-- into the e-mail field, and those must not be kept.
create table idp_login_attempts (
  key text collate "C" primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);
