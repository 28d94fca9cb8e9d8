-- The way of an invited person into a brand, and which servers carry jobs out.

create table invitations (
  brand_id bigint not null,
  user_id bigint not null,
  language text not null check (language in ('en', 'es')),
  invited_by bigint references users on delete set null,
  -- SHA-256 of the link's token, made when the mail is sent: the token itself is kept nowhere. Until then, and from the
  -- moment a new mail is asked for, there is no link that works.
  token_hash bytea unique check (length(token_hash) = 32),
  expires_at timestamptz,
  email_verified_at timestamptz,
  -- Held while the account is being made at the identity provider, so that a double click makes it once.
  setup_started_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (brand_id, user_id),
  foreign key (brand_id, user_id) references brand_members on delete cascade
);
create index invitations_expires_at_idx on invitations (expires_at);
create index invitations_invited_by_idx on invitations (invited_by);

-- Servers that run jobs say here, every few seconds, that they live. What a killed one had begun is begun anew.
create table job_pools (
  id text primary key,
  seen_at timestamptz not null
);
