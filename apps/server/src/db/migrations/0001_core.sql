-- Who uses the portal, and the brands they are members of.

create table users (
  id bigint generated always as identity primary key,
  -- As the person writes it; two spellings of one address are one person, hence the index below.
  email text not null check (length(email) between 3 and 254),
  first_name text not null default '' check (length(first_name) <= 150),
  last_name text not null default '' check (length(last_name) <= 150),
  is_staff boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

create table brands (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  logo text not null default '' check (length(logo) <= 2048),
  website text not null default '' check (length(website) <= 2048),
  status text not null default 'pending' check (status in ('active', 'inactive', 'pending')),
  description text not null default '' check (length(description) <= 2000),
  opted_in_for_trial boolean not null default false,
  created_at timestamptz not null default now()
);

create table brand_members (
  brand_id bigint not null references brands on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  -- Only active members get in; the invited are on their way.
  status text not null check (status in ('active', 'invited')),
  created_at timestamptz not null default now(),
  primary key (brand_id, user_id)
);
-- A member's own brands are found without looking at anybody else's.
create index brand_members_user_id_idx on brand_members (user_id);

-- Who changed what. It outlives the brand and the user it tells of, so it refers to neither.
create table audit_log (
  id bigint generated always as identity primary key,
  brand_id bigint,
  user_id bigint,
  action text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index audit_log_brand_id_idx on audit_log (brand_id, id);
