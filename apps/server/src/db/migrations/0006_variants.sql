-- Product variants, the certificates that back them, and what the list of variants reads.
-- Why these indexes, counters and grams, with measurements: docs/decisions/0005-variant-list.md

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
  retired_at timestamptz
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

insert into certifications (name, certifying_body_id, scheme_code, id_pattern)
select item.name, body.id, item.scheme_code, item.id_pattern
from (values
  (1, 'USDA Organic', 'USDA-AMS', 'USDA_ORGANIC', '^\d{5,10}$'),
  (2, 'EU Organic', 'EU-ORG', 'EU_ORGANIC_FARMING', '^[A-Z]{2}-\p{L}{3}-\d{2,3}$'),
  (3, 'Fairtrade', 'FLOCERT', 'FAIR_TRADE_MARK', null),
  (4, 'Fair Trade Certified', 'FTUSA', 'FAIR_TRADE_USA', null),
  (5, 'FSC', 'FSC', 'FOREST_STEWARDSHIP_COUNCIL_MIX', '^FSC-C\d{6}$'),
  (6, 'PEFC', 'PEFC', 'PEFC_CERTIFIED', '^PEFC/\d{2}-\d{2}-\d{2,}$'),
  (7, 'MSC Certified Sustainable Seafood', 'MSC', 'MARINE_STEWARDSHIP_COUNCIL_LABEL', '^MSC-C-\d{5}$'),
  (8, 'ASC Farmed Responsibly', 'ASC', 'AQUACULTURE_STEWARDSHIP_COUNCIL', null),
  (9, 'EU Ecolabel', 'EC', 'EU_ECO_LABEL', '^[A-Z]{2,4}/\d{2,3}/\d{1,5}$'),
  (10, 'EPREL', 'EC', 'EU_ENERGY_LABEL', '^\d{1,10}$'),
  (11, 'ENERGY STAR', 'EPA', 'ENERGY_STAR', null),
  (12, 'GOTS', 'GOTS', 'GLOBAL_ORGANIC_TEXTILE_STANDARD', null),
  (13, 'OEKO-TEX STANDARD 100', 'OEKO', 'OEKO_TEX_LABEL', null),
  (14, 'OEKO-TEX MADE IN GREEN', 'OEKO', 'OEKO_TEX_MADE_IN_GREEN', null),
  (15, 'Leaping Bunny', 'CFI', 'LEAPING_BUNNY', null),
  (16, 'Certified B Corporation', 'BLAB', 'CERTIFIED_B_CORPORATION', null),
  (17, 'Non-GMO Project Verified', 'NGP', 'NON_GMO_PROJECT', null),
  (18, 'Rainforest Alliance', 'RA', 'RAINFOREST_ALLIANCE_PEOPLE_NATURE', null),
  (19, 'EWG VERIFIED', 'EWG', 'EWG_VERIFIED', null),
  (20, 'MADE SAFE', 'MADESAFE', null, null),
  (21, 'Cradle to Cradle Certified', 'C2C', 'CRADLE_TO_CRADLE', null),
  (22, 'Green Seal', 'GS', 'GREEN_SEAL_CERTIFIED', null),
  (23, 'UL GREENGUARD', 'UL', null, null),
  (24, 'UL ECOLOGO', 'UL', 'ECOLOGO_CERTIFIED', null),
  (25, 'Nordic Swan Ecolabel', 'NORDIC', 'SVANEN', null),
  (26, 'Blue Angel', 'RAL', 'BLUE_ANGEL', null),
  (27, 'bluesign', 'BLUESIGN', 'BLUESIGN', null),
  (28, 'Global Recycled Standard', 'TE', 'GLOBAL_RECYCLED_STANDARD', null),
  (29, 'RSPO', 'RSPO', 'SUSTAINABLE_PALM_OIL_RSPO', null),
  (30, 'COSMOS Organic', 'ECOCERT', 'ECOCERT_COSMOS_ORGANIC', null),
  (31, 'Vegan Trademark', 'VEGSOC', 'VEGAN_SOCIETY_VEGAN_LOGO', null),
  (32, 'Safer Choice', 'EPA', 'SAFER_CHOICE', null),
  (33, 'EPEAT Gold', 'GEC', 'EPEAT_GOLD', null),
  (34, 'GLOBALG.A.P.', 'GGAP', 'GLOBAL_GAP', '^\d{13}$')
) as item (position, name, body_code, scheme_code, id_pattern)
join certifying_bodies body on body.code = item.body_code
order by item.position;

-- What people search and sort by: without case and accents ('Crème BRÛLÉE' is found by, and sorts as, 'creme brulee').
-- Text in ASCII, which most is, skips the dictionary. Both spellings of an accent (one character, or a letter and a mark)
-- and both small sigmas are one. lower() follows a fixed Unicode collation: under a database's own it would leave 'Ж' alone
-- in one place and not in the next.
create extension if not exists unaccent;

do $migration$
begin
  execute format($definition$
    create function search_key(value text) returns text
    language plpgsql immutable strict parallel safe
    as $body$
    begin
      if octet_length(value) = length(value) then
        return lower(value collate "C");
      end if;
      return translate(lower(%1$I.unaccent(%2$L::regdictionary, normalize(value, NFC)) collate %3$I), 'ς', 'σ');
    end
    $body$
  $definition$,
    -- By its full name, so that it is found whatever search_path a restore or a maintenance job runs with.
    (select extnamespace::regnamespace from pg_extension where extname = 'unaccent'),
    (select format('%I.unaccent', extnamespace::regnamespace) from pg_extension where extname = 'unaccent'),
    -- Built in since PostgreSQL 17; before that, ICU's root collation has the same letters.
    (select coalesce(max(collname) filter (where collname = 'pg_c_utf8'), 'und-x-icu')
     from pg_collation where collname in ('pg_c_utf8', 'und-x-icu')));
end
$migration$;

create table variants (
  brand_id bigint not null references brands on delete cascade,
  id bigint generated always as identity,
  -- As the member wrote it, without spaces and dashes; one product has one GTIN, however many zeros lead it.
  gtin text collate "C" not null check (length(gtin) in (8, 12, 13, 14) and translate(gtin, '0123456789', '') = ''),
  gtin14 text collate "C" not null generated always as (lpad(gtin, 14, '0')) stored,
  -- A character becomes 12 bytes of name_key at the most, and an index entry may have 2,704.
  name text not null check (length(name) between 1 and 200),
  name_key text collate "C" not null generated always as (search_key(name)) stored,
  category text not null default '' check (length(category) <= 200),
  published boolean not null default false,
  -- Kept by the triggers of variant_certificates. Whoever inserts a variant and its links in one transaction may write
  -- true at once and saves an update.
  has_certs boolean not null default false,
  created_at timestamptz not null default now(),
  -- With the flags, so that a search with a filter looks its finds up in this index alone.
  primary key (brand_id, id) include (published, has_certs),
  constraint variants_gtin_key unique (brand_id, gtin14)
);
-- One index per sort serves every filter: a filter that is not set is the merge of both its halves.
create index variants_newest_idx on variants (brand_id, published, has_certs, created_at, id);
create index variants_name_idx on variants (brand_id, published, has_certs, name_key, id);

create table certificates (
  brand_id bigint not null references brands on delete cascade,
  id bigint generated always as identity,
  certification_id bigint not null references certifications,
  external_certificate_id text collate "C" not null check (length(external_certificate_id) between 1 and 100),
  status text not null default 'pending' check (status in ('validated', 'pending', 'invalid')),
  reason text not null default '' check (length(reason) <= 500),
  expires_on date,
  created_at timestamptz not null default now(),
  primary key (brand_id, id),
  constraint certificates_external_id_key unique (brand_id, certification_id, external_certificate_id)
);

create table variant_certificates (
  brand_id bigint not null,
  variant_id bigint not null,
  certificate_id bigint not null,
  primary key (brand_id, variant_id, certificate_id),
  foreign key (brand_id, variant_id) references variants on delete cascade,
  foreign key (brand_id, certificate_id) references certificates on delete cascade
);
create index variant_certificates_certificate_idx on variant_certificates (brand_id, certificate_id);

-- Exact counts. Each statement that changes how many variants a brand has of a kind adds one row of differences, so
-- writers never wait for each other; the count is the sum. Now and then a writer folds the rows of its brand into one.
create table variant_counts (
  brand_id bigint not null references brands on delete cascade,
  id bigint generated always as identity,
  total bigint not null,
  published bigint not null,
  certified bigint not null,
  published_certified bigint not null,
  primary key (brand_id, id)
);

create function add_variant_counts(brand bigint, total bigint, published bigint, certified bigint, published_certified bigint)
returns void language plpgsql as $$
begin
  -- A brand that is being deleted takes its counts along; there is nothing left to count.
  if not exists (select from brands where id = brand) then
    return;
  end if;
  insert into variant_counts (brand_id, total, published, certified, published_certified)
  values (brand, total, published, certified, published_certified);
  if (select count(*) from variant_counts c where c.brand_id = brand) <= 32 then
    return;
  end if;
  -- Rows that another writer folds at this moment are its business; rows that are not committed are nobody's yet.
  with folded as (
    delete from variant_counts c
    where c.brand_id = brand
      and c.id in (select o.id from variant_counts o where o.brand_id = brand order by o.id for update skip locked)
    returning c.*
  )
  insert into variant_counts (brand_id, total, published, certified, published_certified)
  select brand, sum(f.total), sum(f.published), sum(f.certified), sum(f.published_certified)
  from folded f having count(*) > 0;
end
$$;

create function count_inserted_variants() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, count(*), count(*) filter (where published), count(*) filter (where has_certs),
    count(*) filter (where published and has_certs))
  from new_rows group by brand_id order by brand_id;
  return null;
end
$$;

create function count_deleted_variants() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, -count(*), -count(*) filter (where published), -count(*) filter (where has_certs),
    -count(*) filter (where published and has_certs))
  from old_rows group by brand_id order by brand_id;
  return null;
end
$$;

create function count_updated_variants() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, total, published, certified, published_certified)
  from (
    select brand_id, sum(one) as total, coalesce(sum(one) filter (where published), 0) as published,
      coalesce(sum(one) filter (where has_certs), 0) as certified,
      coalesce(sum(one) filter (where published and has_certs), 0) as published_certified
    from (
      select brand_id, published, has_certs, 1 as one from new_rows
      union all
      select brand_id, published, has_certs, -1 from old_rows
    ) sides
    group by brand_id
  ) changes
  where (total, published, certified, published_certified) <> (0, 0, 0, 0)
  order by brand_id;
  return null;
end
$$;

create trigger variants_count_inserted after insert on variants
  referencing new table as new_rows for each statement execute function count_inserted_variants();
create trigger variants_count_deleted after delete on variants
  referencing old table as old_rows for each statement execute function count_deleted_variants();
create trigger variants_count_updated after update on variants
  referencing old table as old_rows new table as new_rows for each statement execute function count_updated_variants();

-- Search. A table of its own, because publishing rewrites rows of `variants` with all their index entries, and those of a
-- gram index are by far the dearest. No foreign key: the triggers below keep it, and a check per row would cost more than they do.
create table variant_search (
  brand_id bigint not null,
  variant_id bigint not null,
  created_at timestamptz not null,
  name_key text collate "C" not null,
  gtin14 text collate "C" not null,
  -- Whether the gram index has the row. Bulk changes leave that to a job; until then a search reads the row itself, so
  -- that nothing is missed.
  indexed boolean not null,
  primary key (brand_id, variant_id)
);
create index variant_search_waiting_idx on variant_search (brand_id, variant_id) where not indexed;

-- The 3 characters from each position on (fewer at the end), led by the brand: a search looks 3 characters up exactly,
-- 1 or 2 as a prefix, and never meets an entry of another brand.
create function variant_grams(brand_id bigint, name_key text, gtin14 text) returns tsvector
language plpgsql immutable strict parallel safe
as $$
declare
  brand constant text := to_hex(brand_id) || ':';
  value constant text := name_key || E'\n' || gtin14;
  grams text[] := '{}';
begin
  -- A loop, because it takes 40 µs for 45 characters where a subquery over generate_series takes 65.
  for n in 1..length(value) loop
    grams[n] := brand || substr(value, n, 3);
  end loop;
  return array_to_tsvector(grams);
end
$$;
create index variant_search_grams_idx on variant_search using gin (variant_grams(brand_id, name_key, gtin14)) where indexed;

create function add_to_variant_search() returns trigger language plpgsql as $$
begin
  insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14, indexed)
  select brand_id, id, created_at, name_key, gtin14, (select count(*) <= 500 from (select from new_rows limit 501) counted)
  from new_rows;
  return null;
end
$$;

create function remove_from_variant_search() returns trigger language plpgsql as $$
begin
  delete from variant_search s using old_rows o where s.brand_id = o.brand_id and s.variant_id = o.id;
  return null;
end
$$;

create function update_variant_search() returns trigger language plpgsql as $$
begin
  update variant_search
  set created_at = new.created_at, name_key = new.name_key, gtin14 = new.gtin14, indexed = false
  where brand_id = new.brand_id and variant_id = new.id;
  return null;
end
$$;

create trigger variants_search_inserted after insert on variants
  referencing new table as new_rows for each statement execute function add_to_variant_search();
create trigger variants_search_deleted after delete on variants
  referencing old table as old_rows for each statement execute function remove_from_variant_search();
-- By row and by column: publishing names none of these columns and pays nothing.
create trigger variants_search_updated after update of name, gtin, created_at on variants for each row
  when (old.name_key <> new.name_key or old.gtin14 <> new.gtin14 or old.created_at <> new.created_at)
  execute function update_variant_search();

-- has_certs. Writers of one brand's links take turns by its row in `brands`, the lock that imports take as well: otherwise
-- one who removes the last link and one who adds the next would not see each other.
create function mark_certified_variants() returns trigger language plpgsql as $$
begin
  perform from brands where id in (select brand_id from new_rows) order by id for no key update;
  update variants v set has_certs = true
  from (select distinct brand_id, variant_id from new_rows) n
  where v.brand_id = n.brand_id and v.id = n.variant_id and not v.has_certs;
  return null;
end
$$;

create function unmark_certified_variants() returns trigger language plpgsql as $$
begin
  perform from brands where id in (select brand_id from old_rows) order by id for no key update;
  update variants v set has_certs = false
  from (select distinct brand_id, variant_id from old_rows) o
  where v.brand_id = o.brand_id and v.id = o.variant_id and v.has_certs
    and not exists (
      select from variant_certificates c where c.brand_id = v.brand_id and c.variant_id = v.id
    );
  return null;
end
$$;

create trigger variant_certificates_inserted after insert on variant_certificates
  referencing new table as new_rows for each statement execute function mark_certified_variants();
create trigger variant_certificates_deleted after delete on variant_certificates
  referencing old table as old_rows for each statement execute function unmark_certified_variants();
-- A link is its key: it is made or removed, never changed.
create function refuse_link_update() returns trigger language plpgsql as $$
begin
  raise exception 'variant_certificates rows are inserted or deleted, not updated';
end
$$;
create trigger variant_certificates_updated before update on variant_certificates
  for each statement execute function refuse_link_update();
