-- The whole schema. A brand's own tables lead with brand_id and refer to nothing outside of the brand but the catalogue, so that they
-- can be distributed by it (docs/decisions/0010-one-brand-per-statement.md). What a write causes is in the code that writes
-- (modules/writes/): there are no triggers.
\i functions/search_key.sql
\i functions/variant_grams.sql

-- Who uses the portal, and the brands they are members of.

create table users (
  id bigint generated always as identity primary key,
  -- As the person writes it.
  email text not null check (length(email) between 3 and 254),
  -- Two spellings of an address are one person when they differ in the case of A to Z and in nothing else. lower() alone also folds
  -- a Kelvin sign and, depending on the database's locale, a dotted capital I; under the collation "C" it folds A to Z only.
  email_key text collate "C" not null generated always as (lower(email collate "C")) stored constraint users_email_key unique,
  first_name text not null default '' check (length(first_name) <= 150),
  last_name text not null default '' check (length(last_name) <= 150),
  -- They have chosen their name here: that of the identity provider no longer counts.
  has_own_name boolean not null default false,
  is_staff boolean not null default false,
  -- Who they are at the identity provider.
  provider_subject text unique check (length(provider_subject) <= 255),
  -- The language that they last signed in with, or were invited in: mails to them are written in it.
  language text check (language in ('en', 'es')),
  created_at timestamptz not null default now()
);

create table brands (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  logo text not null default '' check (length(logo) <= 2048),
  website text not null default '' check (length(website) <= 2048),
  status text not null default 'pending' check (status in ('active', 'inactive', 'pending')),
  description text not null default '' check (length(description) <= 2000),
  opted_in_for_trial boolean not null default false,
  -- Counts the changes of its fields, so that two people who edit it at once notice each other.
  version integer not null default 1,
  -- To its members it is gone. An owner can restore it for some days, then a job deletes it for good.
  deleted_at timestamptz,
  created_at timestamptz not null default now()
);

create table brand_members (
  brand_id bigint not null references brands on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin', 'owner')),
  -- Only active members get in; the invited are on their way.
  status text not null check (status in ('active', 'invited')),
  -- Whether they want mails about certificates. Only owners and admins get any.
  certificate_mails boolean not null default true,
  -- When they last used this brand; written at most every ten minutes.
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (brand_id, user_id)
);
-- A member's own brands are found without looking at anybody else's.
create index brand_members_user_id_idx on brand_members (user_id);

-- The way of an invited person into a brand.
create table invitations (
  brand_id bigint not null,
  user_id bigint not null,
  language text not null check (language in ('en', 'es')),
  -- What the brand calls them until they have joined. The name of their account is for brands that they have joined.
  first_name text not null default '',
  last_name text not null default '',
  invited_by bigint references users on delete set null,
  -- SHA-256 of the link's token, made when the mail is sent: the token itself is kept nowhere. Until then, and from the
  -- moment a new mail is asked for, there is no link that works.
  token_hash bytea unique check (length(token_hash) = 32),
  expires_at timestamptz,
  -- Of a link that an admin hands over. It proves nothing about the address: it can only have the mail sent again.
  link_hash bytea unique check (length(link_hash) = 32),
  link_expires_at timestamptz,
  email_verified_at timestamptz,
  -- Held while the account is being made at the identity provider, so that a double click makes it once.
  setup_started_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (brand_id, user_id),
  foreign key (brand_id, user_id) references brand_members on delete cascade
);
create index invitations_expires_at_idx on invitations (expires_at);
create index invitations_invited_by_idx on invitations (invited_by);

-- Sign-in: sessions, and the keys that sign access tokens.

create table sessions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- SHA-256 of the refresh token: whoever reads this table cannot use what is in it.
  refresh_hash bytea not null unique,
  -- The identity provider's token that opened the session: once the session has been ended, it opens no other one.
  provider_token_hash bytea check (length(provider_token_hash) = 32),
  -- At the embedded provider: the session there, so that both are ended together.
  provider_session text check (length(provider_session) <= 200),
  -- What its browser said of itself when it began, and where it was used last; written once a minute at the most.
  user_agent text not null default '' check (length(user_agent) <= 500),
  address text not null default '' check (length(address) <= 100),
  last_used_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);
create index sessions_spent_token_idx on sessions (provider_token_hash) where revoked_at is not null;

-- The newest active key signs; the others still verify what they signed before a rotation.
create table signing_keys (
  id text primary key,
  secret bytea not null check (length(secret) = 32),
  active_from timestamptz not null,
  created_at timestamptz not null default now()
);

-- Keys by which scripts act for a brand (docs/decisions/0016-api-keys.md). Looked up by their hash, so that they are not spread over nodes as
-- the brand's rows are.
create table api_keys (
  -- What the key does is on record under this user. It is no person: named after the key, with the key's prefix in place of an address, so that
  -- nobody can invite it or sign in as it.
  user_id bigint primary key references users on delete cascade,
  brand_id bigint not null references brands on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'admin')),
  -- SHA-256: the key itself is kept nowhere.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_by bigint references users on delete set null,
  created_at timestamptz not null default now(),
  -- Null: never.
  expires_at timestamptz,
  -- Written once a minute at the most.
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_brand_idx on api_keys (brand_id);
create index api_keys_created_by_idx on api_keys (created_by);

-- Servers that run jobs say here, every few seconds, that they live. What a killed one had begun is begun anew.
create table job_pools (
  id text primary key,
  seen_at timestamptz not null
);

-- Which brands have something to do, and from when on. Jobs that run on a schedule look here and then work brand by brand.
-- A row may be early, never late: docs/decisions/0010-one-brand-per-statement.md.
create table due_work (
  brand_id bigint not null,
  kind text collate "C" not null check (kind in ('deliver', 'index_variants', 'expire_certificates', 'mail_certificates', 'review_certificates', 'purge_imports', 'purge_deletions', 'purge_brand', 'purge_history', 'end_connections')),
  due_at timestamptz not null,
  primary key (brand_id, kind)
);
create index due_work_due_idx on due_work (kind, due_at);

-- How many calls the channel still takes, shared by all servers: a bucket that fills steadily.
create table channel_quota (
  only_row boolean primary key default true check (only_row),
  calls double precision not null default 0,
  refilled_at timestamptz not null default now(),
  -- The channel asked for a pause.
  paused_until timestamptz not null default '-infinity'
);
insert into channel_quota default values;

-- The catalogue: which certifications the product knows, and who issues them. Shared by all brands.

create table certifying_bodies (
  id bigint generated always as identity primary key,
  code text collate "C" not null unique check (length(code) between 1 and 50),
  name text not null check (length(name) between 1 and 200)
);

create table certifications (
  id bigint generated always as identity primary key,
  name text not null unique check (length(name) between 1 and 200),
  certifying_body_id bigint not null references certifying_bodies,
  -- GS1's code of the scheme, where it has one.
  scheme_code text collate "C" check (length(scheme_code) <= 100),
  -- What a certificate's id looks like, where its issuer documents it (a JavaScript expression with the flag `u`).
  id_pattern text check (length(id_pattern) <= 500),
  -- What else people call it. A name that several certifications have is ambiguous: an import refuses it and offers them all.
  aliases text[] not null default '{}',
  -- How Google names it and its issuer, where it displays the certification; null: it is sent by our names, and Google may not show it.
  google_name text collate "C" check (length(google_name) between 1 and 200),
  google_authority text collate "C" check (length(google_authority) between 1 and 200),
  retired_at timestamptz,
  check ((google_name is null) = (google_authority is null))
);

insert into certifying_bodies (code, name) values
  ('USDA-AMS', 'USDA Agricultural Marketing Service'),
  ('EU-ORG', 'European Commission control bodies'),
  ('FLOCERT', 'FLOCERT'),
  ('FTUSA', 'Fair Trade USA'),
  ('FSC', 'Forest Stewardship Council'),
  ('PEFC', 'PEFC Council'),
  ('MSC', 'Marine Stewardship Council'),
  ('ASC', 'Aquaculture Stewardship Council'),
  ('EC', 'European Commission'),
  ('EPA', 'US Environmental Protection Agency'),
  ('GOTS', 'Global Standard gGmbH'),
  ('OEKO', 'OEKO-TEX Association'),
  ('CFI', 'Cruelty Free International'),
  ('BLAB', 'B Lab'),
  ('NGP', 'Non-GMO Project'),
  ('RA', 'Rainforest Alliance'),
  ('EWG', 'Environmental Working Group'),
  ('MADESAFE', 'MADE SAFE'),
  ('C2C', 'Cradle to Cradle Products Innovation Institute'),
  ('GS', 'Green Seal'),
  ('UL', 'UL Solutions'),
  ('NORDIC', 'Nordic Ecolabelling'),
  ('RAL', 'RAL gGmbH'),
  ('BLUESIGN', 'Bluesign Technologies'),
  ('TE', 'Textile Exchange'),
  ('RSPO', 'Roundtable on Sustainable Palm Oil'),
  ('ECOCERT', 'Ecocert'),
  ('VEGSOC', 'The Vegan Society'),
  ('GEC', 'Global Electronics Council'),
  ('GGAP', 'GLOBALG.A.P.');

insert into certifications (name, certifying_body_id, scheme_code, id_pattern, aliases)
select item.name, body.id, item.scheme_code, item.id_pattern, item.aliases
from (values
  (1, 'USDA Organic', 'USDA-AMS', 'USDA_ORGANIC', '^\d{5,10}$',
    array['USDA Certified Organic', 'US Organic', 'USDA NOP', 'NOP', 'National Organic Program', 'Organic']),
  (2, 'EU Organic', 'EU-ORG', 'EU_ORGANIC_FARMING', '^[A-Z]{2}-\p{L}{3}-\d{2,3}$',
    array['EU Organic Farming', 'EU Organic Logo', 'Euro-leaf', 'EU Bio', 'EU-Bio-Siegel', 'Organic']),
  (3, 'Fairtrade', 'FLOCERT', 'FAIR_TRADE_MARK', null,
    array['Fairtrade International', 'Fairtrade Mark', 'FLOCERT', 'FLO-CERT', 'FLO', 'Fairtrade Certified', 'Fair Trade']),
  (4, 'Fair Trade Certified', 'FTUSA', 'FAIR_TRADE_USA', null,
    array['Fair Trade USA', 'Fair Trade USA Certified', 'FTUSA', 'Fairtrade Certified', 'Fair Trade']),
  (5, 'FSC', 'FSC', 'FOREST_STEWARDSHIP_COUNCIL_MIX', '^FSC-C\d{6}$',
    array['Forest Stewardship Council', 'FSC Certified', 'FSC Mix']),
  (6, 'PEFC', 'PEFC', 'PEFC_CERTIFIED', '^PEFC/\d{2}-\d{2}-\d{2,}$',
    array['Programme for the Endorsement of Forest Certification', 'Program for the Endorsement of Forest Certification', 'PEFC Certified']),
  (7, 'MSC Certified Sustainable Seafood', 'MSC', 'MARINE_STEWARDSHIP_COUNCIL_LABEL', '^MSC-C-\d{5}$',
    array['MSC', 'MSC Certified', 'Marine Stewardship Council', 'MSC Ecolabel']),
  (8, 'ASC Farmed Responsibly', 'ASC', 'AQUACULTURE_STEWARDSHIP_COUNCIL', null,
    array['ASC', 'ASC Certified', 'Aquaculture Stewardship Council']),
  (9, 'EU Ecolabel', 'EC', 'EU_ECO_LABEL', '^[A-Z]{2,4}/\d{2,3}/\d{1,5}$',
    array['European Ecolabel', 'EU Flower', 'Ecolabel']),
  (10, 'EPREL', 'EC', 'EU_ENERGY_LABEL', '^\d{1,10}$',
    array['EU Energy Label', 'European Product Registry for Energy Labelling']),
  (11, 'ENERGY STAR', 'EPA', 'ENERGY_STAR', null,
    array['ENERGY STAR Certified', 'EPA ENERGY STAR']),
  (12, 'GOTS', 'GOTS', 'GLOBAL_ORGANIC_TEXTILE_STANDARD', null,
    array['Global Organic Textile Standard', 'GOTS Certified']),
  (13, 'OEKO-TEX STANDARD 100', 'OEKO', 'OEKO_TEX_LABEL', null,
    array['STANDARD 100 by OEKO-TEX', 'OEKO-TEX 100', 'STANDARD 100', 'OEKO-TEX']),
  (14, 'OEKO-TEX MADE IN GREEN', 'OEKO', 'OEKO_TEX_MADE_IN_GREEN', null,
    array['MADE IN GREEN by OEKO-TEX', 'MADE IN GREEN', 'OEKO-TEX']),
  (15, 'Leaping Bunny', 'CFI', 'LEAPING_BUNNY', null,
    array['Leaping Bunny Certified', 'Leaping Bunny Program', 'Cruelty Free International']),
  (16, 'Certified B Corporation', 'BLAB', 'CERTIFIED_B_CORPORATION', null,
    array['B Corp', 'B Corporation', 'Certified B Corp', 'B Lab']),
  (17, 'Non-GMO Project Verified', 'NGP', 'NON_GMO_PROJECT', null,
    array['Non-GMO Project', 'Non-GMO Verified', 'NGP Verified']),
  (18, 'Rainforest Alliance', 'RA', 'RAINFOREST_ALLIANCE_PEOPLE_NATURE', null,
    array['Rainforest Alliance Certified', 'Rainforest Alliance People & Nature']),
  (19, 'EWG VERIFIED', 'EWG', 'EWG_VERIFIED', null,
    array['EWG', 'Environmental Working Group']),
  (20, 'MADE SAFE', 'MADESAFE', null, null,
    array['MADE SAFE Certified']),
  (21, 'Cradle to Cradle Certified', 'C2C', 'CRADLE_TO_CRADLE', null,
    array['Cradle to Cradle', 'C2C', 'C2C Certified']),
  (22, 'Green Seal', 'GS', 'GREEN_SEAL_CERTIFIED', null,
    array['Green Seal Certified']),
  (23, 'UL GREENGUARD', 'UL', null, null,
    array['GREENGUARD', 'GREENGUARD Certified']),
  (24, 'UL ECOLOGO', 'UL', 'ECOLOGO_CERTIFIED', null,
    array['ECOLOGO', 'ECOLOGO Certified']),
  (25, 'Nordic Swan Ecolabel', 'NORDIC', 'SVANEN', null,
    array['Nordic Swan', 'Nordic Ecolabel', 'Svanen', 'Svanemærket', 'Ecolabel']),
  (26, 'Blue Angel', 'RAL', 'BLUE_ANGEL', null,
    array['Der Blaue Engel', 'Blauer Engel']),
  (27, 'bluesign', 'BLUESIGN', 'BLUESIGN', null,
    array['bluesign Approved', 'bluesign Product']),
  (28, 'Global Recycled Standard', 'TE', 'GLOBAL_RECYCLED_STANDARD', null,
    array['GRS', 'GRS Certified']),
  (29, 'RSPO', 'RSPO', 'SUSTAINABLE_PALM_OIL_RSPO', null,
    array['Roundtable on Sustainable Palm Oil', 'RSPO Certified']),
  (30, 'COSMOS Organic', 'ECOCERT', 'ECOCERT_COSMOS_ORGANIC', null,
    array['Ecocert COSMOS Organic', 'COSMOS Certified Organic', 'Organic']),
  (31, 'Vegan Trademark', 'VEGSOC', 'VEGAN_SOCIETY_VEGAN_LOGO', null,
    array['Vegan Society', 'The Vegan Society', 'Vegan Society Trademark']),
  (32, 'Safer Choice', 'EPA', 'SAFER_CHOICE', null,
    array['EPA Safer Choice']),
  (33, 'EPEAT Gold', 'GEC', 'EPEAT_GOLD', null,
    array['EPEAT Gold Registered']),
  (34, 'GLOBALG.A.P.', 'GGAP', 'GLOBAL_GAP', '^\d{13}$',
    array['Global GAP', 'GGAP', 'GLOBALG.A.P. Certified'])
) as item (position, name, body_code, scheme_code, id_pattern, aliases)
join certifying_bodies body on body.code = item.body_code
order by item.position;

-- Google's public vocabulary (docs/decisions/0008-delivery-to-the-channel.md).
update certifications set google_name = known.google_name, google_authority = known.google_authority
from (values ('EPREL', 'EPREL', 'EC'), ('EU Ecolabel', 'EU_ECOLABEL', 'EC'), ('ENERGY STAR', 'ENERGY_STAR', 'EPA'))
  as known (name, google_name, google_authority)
where certifications.name = known.name;

-- Registries that the operator has loaded. One that is loaded and empty is not the same as none.
create table registries (
  certification_id bigint primary key references certifications,
  loaded_at timestamptz not null default now(),
  -- Whether the last load can be rolled back, and when the registry of before was loaded; null: there was none.
  has_previous boolean not null default true,
  previous_loaded_at timestamptz
);

-- No foreign key: a check per row would double the time of loading a million, and rows are written only where the
-- registry itself is locked.
create table registry_certificates (
  certification_id bigint not null,
  -- The id in the form by which ids are compared (certificate-ids.ts).
  id_key text collate "C" not null check (length(id_key) between 1 and 200),
  active boolean not null,
  expires_on date,
  primary key (certification_id, id_key)
);

-- What the last load of a registry changed, as it was before: to be rolled back. A first load has no rows here: rolled back, all of it goes.
create table registry_previous (
  certification_id bigint not null,
  id_key text collate "C" not null,
  -- Null: the load added the entry.
  active boolean,
  expires_on date,
  primary key (certification_id, id_key)
);

-- From here on: tables of one brand. They refer to brands by number only; deleting a brand deletes its rows (modules/writes/).

-- Who changed what. It outlives the brand and the user it tells of. Brand 0: what concerns no brand, such as sign-ins.
create table audit_log (
  brand_id bigint not null,
  id bigint generated always as identity,
  user_id bigint,
  action text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null default now(),
  primary key (brand_id, id)
);
-- What happened within the last hour is counted for the limit of invitation mails, however long the brand's history is.
-- The history filtered by an action is read in it, too.
create index audit_log_action_idx on audit_log (brand_id, action, created_at, id);
-- The history, newest first; what is past its time is found at the other end.
create index audit_log_time_idx on audit_log (brand_id, created_at, id);
-- The history of one person. The action is in it for a filter by both.
create index audit_log_user_idx on audit_log (brand_id, user_id, created_at, id) include (action);
-- The history of one variant.
create index audit_log_variant_idx on audit_log (brand_id, (details->>'variant_id'), id) where details->>'variant_id' is not null;
-- The history of one certificate.
create index audit_log_certificate_idx on audit_log (brand_id, (details->>'certificate_id'), id) where details->>'certificate_id' is not null;
-- Which variants an action on many changed: for the history of each. Of larger actions only the first are named (MAX_NAMED_VARIANTS of audit.queries.ts).
create table audit_variants (
  brand_id bigint not null,
  variant_id bigint not null,
  audit_id bigint not null,
  primary key (brand_id, variant_id, audit_id)
);
-- To be deleted with its entry of the log.
create index audit_variants_audit_idx on audit_variants (brand_id, audit_id);
-- The status of many certificates changes at once: their entry of the log names the first, and these are the others. No index by
-- entry: it would cost each change, and entries are deleted once a day.
create table audit_certificates (
  brand_id bigint not null,
  certificate_id bigint not null,
  audit_id bigint not null,
  reason text not null,
  primary key (brand_id, certificate_id, audit_id)
);

create table variants (
  brand_id bigint not null,
  id bigint generated always as identity,
  -- As the member wrote it, without spaces and dashes; one product has one GTIN, however many zeros lead it.
  gtin text collate "C" not null check (length(gtin) in (8, 12, 13, 14) and gtin ~ '^[0-9]*$'),
  gtin14 text collate "C" not null generated always as (lpad(gtin, 14, '0')) stored,
  -- A character becomes 12 bytes of name_key at the most, and an index entry may have 2,704.
  name text not null check (length(name) between 1 and 200),
  name_key text collate "C" not null generated always as (search_key(name)) stored,
  category text not null default '' check (length(category) <= 200),
  -- description, image_link and product_page_url, where they are known: the channel shows them.
  details jsonb not null default '{}',
  published boolean not null default false,
  has_certs boolean not null default false,
  created_at timestamptz not null default now(),
  -- Counts what was changed of name, category and details. An undo counts it down again: by it an import knows whether anybody changed the variant since.
  version int not null default 1,
  -- Counts the same changes, and undos as well, so it only grows: by it a member who edits knows whether anybody changed the variant since.
  change_count int not null default 1,
  primary key (brand_id, id),
  constraint variants_gtin_key unique (brand_id, gtin14)
);
-- One index per sort serves every filter: a filter that is not set is the merge of both its halves.
create index variants_newest_idx on variants (brand_id, published, has_certs, created_at, id);
create index variants_name_idx on variants (brand_id, published, has_certs, name_key, id);
-- A search with a filter looks its finds up in these (docs/decisions/0005-variant-list.md).
create index variants_published_idx on variants (brand_id, id) where published;
create index variants_certified_idx on variants (brand_id, id) where has_certs;
-- Those that Google would refuse for their GTIN; the condition is RESTRICTED of variant-reasons.queries.ts.
create index variants_blocked_idx on variants (brand_id, id)
  where length(gtin) > 8 and gtin14 ~ '^.(2|02|04|98[1-4]|99|05)';

create table certificates (
  brand_id bigint not null,
  id bigint generated always as identity,
  certification_id bigint not null references certifications,
  -- As the member first wrote it, and the form by which ids are compared: spellings of one id are one certificate.
  external_certificate_id text collate "C" not null check (length(external_certificate_id) between 1 and 100),
  id_search text collate "C" not null generated always as (search_key(external_certificate_id)) stored,
  -- CU-9 before CU-10: numbers are compared at the length of 20 digits.
  sort_key text collate "C" not null generated always as (regexp_replace(regexp_replace(search_key(external_certificate_id),
    '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g')) stored,
  id_key text collate "C" not null check (length(id_key) between 1 and 200),
  status text not null default 'pending' check (status in ('validated', 'pending', 'invalid')),
  reason text not null default '' check (length(reason) <= 500),
  expires_on date,
  -- The operator's own decision, which stays until it is withdrawn (docs/decisions/0007-certificate-validation.md).
  review text check (review in ('approved', 'rejected')),
  review_note text not null default '' check (length(review_note) <= 400),
  review_expires_on date,
  -- Its page at the issuer, https only; empty where nobody has said it.
  link text not null default '' check (length(link) <= 2000),
  created_at timestamptz not null default now(),
  primary key (brand_id, id),
  constraint certificates_id_key_key unique (brand_id, certification_id, id_key),
  constraint certificates_review_is_explained check ((review is null) = (review_note = '')),
  constraint certificates_only_approvals_expire check (review_expires_on is null or review = 'approved')
);
-- The list's own order, problems first ('invalid' < 'pending' < 'validated'); what ends next is found in it as well. A search reads
-- all of a brand's, and finds here what it compares.
create index certificates_status_idx on certificates (brand_id, status, expires_on, id) include (certification_id, id_search);
create index certificates_sort_idx on certificates (brand_id, sort_key, id);
-- What waits for a review, the longest waiting first: the day is in the reason ('no_registry:2027-01-31').
create index certificates_waiting_idx on certificates (brand_id, reason, id) where status = 'pending' and reason <> '';

-- What owners and admins are told by mail about a certificate: each notice once (docs/decisions/0014-certificates-that-end.md).
create table certificate_notices (
  brand_id bigint not null,
  certificate_id bigint not null,
  -- '30:2027-01-31': 30 days or less are left until that day. '0:2027-01-31': that is today, or was. 'invalid:not_listed': turned invalid.
  notice text collate "C" not null,
  -- The day of the mail (UTC). Null: it waits for the next mail.
  told_on date,
  -- No foreign key: checking it would cost as much as the update when many expire. `deleteCertificates` deletes them.
  primary key (brand_id, certificate_id, notice)
);
create index certificate_notices_told_idx on certificate_notices (brand_id, told_on);

create table variant_certificates (
  brand_id bigint not null,
  variant_id bigint not null,
  certificate_id bigint not null,
  -- The import that brought it.
  import_id bigint,
  primary key (brand_id, variant_id, certificate_id),
  foreign key (brand_id, variant_id) references variants,
  foreign key (brand_id, certificate_id) references certificates
);
create index variant_certificates_certificate_idx on variant_certificates (brand_id, certificate_id, variant_id);

-- Exact counts of a brand's variants, one row per brand that has had any.
create table variant_counts (
  brand_id bigint primary key,
  total bigint not null,
  published bigint not null,
  certified bigint not null,
  published_certified bigint not null,
  -- Variants with larger ids are not in variant_search yet.
  indexed_to bigint not null default 0
);

-- Search: a table of its own, because publishing rewrites rows of `variants` with all their index entries, and those of a gram index
-- are by far the most expensive.
create table variant_search (
  brand_id bigint not null,
  variant_id bigint not null,
  created_at timestamptz not null,
  name_key text collate "C" not null,
  gtin14 text collate "C" not null,
  primary key (brand_id, variant_id)
);
create index variant_search_grams_idx on variant_search using gin (variant_grams(brand_id, name_key, gtin14));

-- Variants that are renamed and not in variant_search as they are now. A job puts them there, as it does with new ones
-- (variant_counts.indexed_to); until then a search reads both from `variants`, so that nothing is missed.
create table variant_search_waiting (
  brand_id bigint not null,
  variant_id bigint not null,
  primary key (brand_id, variant_id)
);

-- Where a brand's products are at the channel: the current connection, and former ones until nothing of theirs is left there.
create table channel_connections (
  brand_id bigint not null,
  id bigint generated by default as identity,
  -- partner: the installation's account, a data partner's, and the client id of its link with the brand's. own: the brand's account.
  kind text collate "C" not null check (kind in ('partner', 'own')),
  -- Null: the installation's.
  account text collate "C" check (account ~ '^[0-9]{1,20}$'),
  -- Null: a partner's link is not approved yet.
  client_id text collate "C" check (client_id ~ '^[A-Za-z0-9_-]{1,20}$'),
  -- Where products shall be shown; the first is the one that they are uploaded for.
  countries text[] not null check (cardinality(countries) between 1 and 50),
  language text collate "C" not null check (language ~ '^[a-z]{2}$'),
  -- The brand as Google knows it, to the letter.
  registered_name text not null check (length(registered_name) between 1 and 200),
  -- The key file of the brand's own account, encrypted.
  credentials bytea,
  -- Google's words, if its last answer was that the account or the link is not in order.
  refusal text not null default '' check (length(refusal) <= 1000),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (brand_id, id),
  check ((kind = 'own') = (account is not null)),
  check ((kind = 'own') = (credentials is not null)),
  check (kind = 'partner' or client_id is null)
);
create unique index channel_connections_current_idx on channel_connections (brand_id) where ended_at is null;

-- A brand's supplemental feed: an address with a secret token that Google fetches certificates from. One per brand; looked up by its token,
-- so that it is not spread over nodes as the brand's rows are.
create table channel_feeds (
  brand_id bigint primary key references brands on delete cascade,
  -- SHA-256: the token itself is kept nowhere.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  last_fetched_at timestamptz,
  -- What the feed amounted to when it was fetched last, and since when.
  digest text collate "C",
  changed_at timestamptz
);

-- Delivery of published variants to the channel: one row per variant for as long as the channel has, or shall have, something of it,
-- also after the variant or its brand is gone. docs/decisions/0008-delivery-to-the-channel.md
create table deliveries (
  brand_id bigint not null,
  variant_id bigint not null,
  wanted text not null default 'present' check (wanted in ('present', 'absent')),
  -- Goes up with every change of what the channel shall have.
  revision bigint not null default 1,
  -- The revision that the channel has taken; null: none.
  sent_revision bigint,
  state text not null default 'queued' check (state in ('queued', 'sent', 'live', 'partly_live', 'refused', 'removing')),
  -- Of a verdict: the channel's words. Before there is one: what stood in the way last, for the operator.
  reason text not null default '' check (length(reason) <= 1000),
  -- What the channel said of each country of the connection: approved, pending or disapproved.
  countries jsonb not null default '{}',
  -- The connection that the resource was sent through.
  connection_id bigint,
  -- Its name at the channel, from the moment that a worker may send it; null: the channel has never heard of it.
  resource text collate "C",
  -- When the channel took it last, and when it last changed its verdict.
  sent_at timestamptz,
  judged_at timestamptz,
  attempts integer not null default 0,
  -- Null: nothing to do until something changes.
  next_attempt_at timestamptz default now(),
  -- Who works on it. Nobody else does before the lease ends, also if that worker was killed.
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (brand_id, variant_id)
);
create index deliveries_due_idx on deliveries (brand_id, next_attempt_at);
-- Counts by state, for the strip above the list and for the dashboard. Without those that are live: they are the rest of what is published.
create index deliveries_state_idx on deliveries (brand_id, state, variant_id)
  where wanted = 'present' and state in ('queued', 'sent', 'partly_live', 'refused');
create index deliveries_claimed_idx on deliveries (brand_id, claimed_by) where claimed_by is not null;

-- What the channel found fault with when it judged a revision. It is about what was sent then: those of former revisions no longer count.
create table delivery_issues (
  brand_id bigint not null,
  variant_id bigint not null,
  position integer not null,
  revision bigint not null,
  type text collate "C" not null,
  severity text collate "C" not null check (severity in ('error', 'warning', 'info')),
  title text not null,
  description text not null,
  attribute text not null,
  resolution text not null,
  -- None: everywhere.
  countries text[] not null,
  since timestamptz,
  primary key (brand_id, variant_id, position)
);

-- Each import, from the arrival of its file on, and the rows that it could not take (docs/decisions/0006-csv-import.md).
create table imports (
  brand_id bigint not null,
  id bigint generated by default as identity,
  user_id bigint,
  -- An undo is an import as well: of what was before another one.
  undoes_import_id bigint,
  -- Of rows that were rejected by another import and corrected since.
  corrects_import_id bigint,
  file_name text not null check (length(file_name) <= 255),
  file_key text collate "C" not null generated always as (search_key(file_name)) stored,
  file_bytes bigint not null,
  file_sha256 text collate "C" not null,
  -- By its content, whatever its name says.
  is_workbook boolean not null default false,
  -- How the file was written, so that its rejected rows are written the same way.
  delimiter text not null default ',',
  header jsonb not null default '[]',
  -- Which column a member has said is which: remembered once the file is imported.
  mapping jsonb,
  -- Written when the file has arrived. The state decides: whoever ends an import changes it from waiting or running, and only one of them can.
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'undone', 'checked', 'discarded')),
  stage text collate "C" check (stage in ('reading', 'merging')),
  rows_done bigint not null default 0,
  rows_total bigint not null,
  -- Moved on every second by the server that has the file. When it stands still, that server is gone.
  heartbeat_at timestamptz not null default now(),
  -- A code and what its text needs; put into words in the reader's language. The warnings likewise.
  failure jsonb,
  -- What became of the rows; 0 until it is done.
  total_rows bigint not null default 0,
  imported bigint not null default 0,
  rejected bigint not null default 0,
  error_count bigint not null default 0,
  variants_created bigint not null default 0,
  variants_updated bigint not null default 0,
  variants_unchanged bigint not null default 0,
  variants_removed bigint not null default 0,
  warnings jsonb not null default '[]',
  -- The same for the same rows in any order: a file that was here before is recognised.
  content_hash text collate "C",
  -- What it created: ids beyond the first and up to the second of each pair.
  variants_after bigint not null default 0,
  variants_to bigint not null default 0,
  certificates_after bigint not null default 0,
  certificates_to bigint not null default 0,
  -- Until when it can be taken back; null where it cannot.
  undo_until timestamptz,
  -- Of an undo: what it left alone because somebody had changed it since, the first hundred by name.
  kept_count bigint not null default 0,
  kept jsonb not null default '[]',
  created_at timestamptz not null default now(),
  primary key (brand_id, id),
  check (imported + rejected = total_rows)
);
-- To find who has uploaded to a brand.
create index imports_user_idx on imports (brand_id, user_id);
-- To find which one created a variant.
create index imports_variants_idx on imports (brand_id, variants_to) where variants_to > variants_after;

-- Known variants that an import changed, as they were and as it left them: to be shown, and to be taken back for a while.
create table import_changes (
  brand_id bigint not null,
  import_id bigint not null,
  variant_id bigint not null,
  gtin text collate "C" not null,
  old_name text collate "C" not null,
  new_name text collate "C" not null,
  old_category text collate "C" not null,
  new_category text collate "C" not null,
  old_details jsonb not null default '{}',
  new_details jsonb not null default '{}',
  was_published boolean not null,
  newly_published boolean not null,
  -- The variant's version after the change: if it has another one, somebody else has changed it since.
  version int not null,
  -- Whether an undo has taken it back.
  undone boolean not null default false,
  primary key (brand_id, import_id, variant_id)
);
-- Links of known certificates that an import changed, likewise.
create table import_certificate_links (
  brand_id bigint not null,
  import_id bigint not null,
  certificate_id bigint not null,
  old_link text collate "C" not null,
  new_link text collate "C" not null,
  primary key (brand_id, import_id, certificate_id)
);

-- What members deleted at once, and for a while the variants themselves, to be restored.
create table deletions (
  brand_id bigint not null,
  id bigint generated by default as identity,
  user_id bigint,
  variants bigint not null,
  created_at timestamptz not null default now(),
  restored_at timestamptz,
  primary key (brand_id, id)
);
create table deleted_variants (
  brand_id bigint not null,
  id bigint not null,
  deletion_id bigint not null,
  gtin text collate "C" not null,
  name text not null,
  category text not null,
  details jsonb not null,
  published boolean not null,
  created_at timestamptz not null,
  version int not null,
  change_count int not null,
  -- Side by side: each certificate, and the import that brought it to the variant.
  certificate_ids bigint[] not null,
  import_ids bigint[] not null,
  primary key (brand_id, id)
);
create index deleted_variants_deletion_idx on deleted_variants (brand_id, deletion_id);

-- Which column is which in files with the same header, as a member has chosen. By the hash of the names of its columns, whatever their order.
create table import_mappings (
  brand_id bigint not null,
  header_hash text collate "C" not null,
  columns jsonb not null,
  chosen_at timestamptz not null default now(),
  primary key (brand_id, header_hash)
);

-- The rows that an import could not take, with what members have corrected of them.
create table import_rejected_rows (
  brand_id bigint not null,
  import_id bigint not null,
  row_number int not null,
  -- As they are now, and what is wrong with them now: nothing where the row is ready to be imported.
  cells jsonb not null,
  errors jsonb not null,
  -- Of a row that was corrected: cells and errors as the import left them.
  original jsonb,
  -- What the row says, where it is good by itself: rows of one GTIN may still contradict each other.
  said jsonb,
  gtin14 text collate "C" generated always as (said->>'gtin14') stored,
  -- The import that takes the corrected row. Its state decides: if it fails or is undone, the row is ready again.
  taken_by bigint,
  primary key (brand_id, import_id, row_number)
);
create index import_rejected_rows_gtin_idx on import_rejected_rows (brand_id, import_id, gtin14) where gtin14 is not null;

-- An import in progress: the rows of its file, and what they amount to for each variant and link. Unlogged: a crash of the database empties
-- them, and the import is simply made again. What a killed server leaves behind is swept by the job `purge`.
create table staged_imports (
  brand_id bigint not null,
  import_id bigint not null,
  started_at timestamptz not null default now(),
  primary key (brand_id, import_id)
);
create unlogged table import_rows (
  brand_id bigint not null,
  import_id bigint not null,
  row_number int not null,
  gtin text collate "C",
  gtin14 text collate "C",
  name text collate "C",
  category text collate "C",
  certification_id bigint,
  external_certificate_id text collate "C",
  certificate_key text collate "C",
  certificate_link text collate "C",
  details text collate "C",
  publish boolean,
  cells jsonb,
  errors jsonb,
  primary key (brand_id, import_id, row_number)
);
create unlogged table import_links (
  brand_id bigint not null,
  import_id bigint not null,
  variant_id bigint not null,
  certificate_id bigint not null
);
create index import_links_import_idx on import_links (brand_id, import_id);
