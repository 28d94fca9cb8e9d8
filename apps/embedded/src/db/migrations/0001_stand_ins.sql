-- The stand-ins' own tables, in a schema of their own: there is none where everything outside is configured.

create table embedded.idp_accounts (
  subject text primary key default gen_random_uuid()::text,
  email text not null check (length(email) between 3 and 254),
  email_key text collate "C" not null generated always as (lower(email collate "C")) stored constraint idp_accounts_email_key unique,
  password_hash text not null,
  first_name text not null default '' check (length(first_name) <= 150),
  last_name text not null default '' check (length(last_name) <= 150),
  email_verified boolean not null default false,
  created_at timestamptz not null default now()
);

-- Sessions, grants, codes and tokens, each as the document that the protocol library hands over.
create table embedded.idp_records (
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
create index idp_records_uid_idx on embedded.idp_records (uid) where uid is not null;
create index idp_records_grant_id_idx on embedded.idp_records (grant_id) where grant_id is not null;
create index idp_records_account_id_idx on embedded.idp_records (account_id) where account_id is not null;
create index idp_records_expires_at_idx on embedded.idp_records (expires_at);

-- What signs tokens and cookies. Made once, so that a restart or a second server process signs nobody out.
create table embedded.idp_secrets (
  name text primary key,
  value jsonb not null,
  created_at timestamptz not null default now()
);

-- What was tried how often, shared by all server processes: passwords above all. After some attempts each further one waits longer.
-- The key is a hash: people type passwords into the e-mail field, and those must not be kept.
create table embedded.idp_attempts (
  key text collate "C" primary key,
  attempts integer not null,
  blocked_until timestamptz,
  forget_at timestamptz not null
);
create index idp_attempts_forget_at_idx on embedded.idp_attempts (forget_at);

-- Links by which people of the embedded provider replace a password that they forgot: one per account, kept as the SHA-256 of its token.
create table embedded.idp_password_resets (
  subject text primary key references embedded.idp_accounts on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);

-- The mailbox.
create table embedded.mailbox_messages (
  id bigint generated always as identity primary key,
  sender text not null,
  recipients text not null,
  subject text not null,
  text_body text not null,
  html_body text not null,
  received_at timestamptz not null default now()
);

-- The channel emulator.

create table embedded.channel_emulator_resources (
  name text collate "C" primary key,
  body jsonb not null,
  received_at timestamptz not null default clock_timestamp()
);

-- Which calls came, where that is switched on.
create table embedded.channel_emulator_calls (
  id bigint generated always as identity primary key,
  method text not null,
  name text collate "C" not null,
  status integer not null,
  body jsonb,
  called_at timestamptz not null default clock_timestamp()
);

create table embedded.channel_emulator_switches (
  only_row boolean primary key default true check (only_row),
  -- How long an answer takes, and how long the channel ponders before its verdict.
  late_ms integer not null default 0 check (late_ms between 0 and 60000),
  processing_ms integer not null default 2000 check (processing_ms between 0 and 86400000),
  -- Shares of calls: failed without effect, throttled, carried out but the answer is lost; share of products refused.
  fail_share real not null default 0 check (fail_share between 0 and 1),
  throttle_share real not null default 0 check (throttle_share between 0 and 1),
  lose_share real not null default 0 check (lose_share between 0 and 1),
  refuse_share real not null default 0 check (refuse_share between 0 and 1),
  keep_calls boolean not null default false
);
insert into embedded.channel_emulator_switches default values;

-- Products that it refuses, and the issue that it names.
create table embedded.channel_emulator_refusals (
  gtin14 text collate "C" primary key,
  issue jsonb not null
);

-- Who may send what: a data partner's account has client ids of brand owners that it is linked with, and no product without one. A brand
-- owner's own account has none ('').
create table embedded.channel_emulator_links (
  account text collate "C" not null,
  client_id text collate "C" not null,
  -- The brand that is registered there, to the letter.
  brand text collate "C" not null,
  primary key (account, client_id, brand)
);

-- The service account that it lets in.
create table embedded.channel_emulator_secrets (
  name text primary key,
  value text not null
);
