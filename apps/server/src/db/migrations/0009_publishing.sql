-- Delivery of published variants to the channel. Why it is built this way: docs/decisions/0008-delivery-to-the-channel.md

-- One row per variant and channel for as long as the channel has, or shall have, something of it. No foreign keys: what was
-- sent must be withdrawn also after its variant or brand is gone. Rows are made and changed by the triggers below, so that
-- no writer of variants, certificates or brands can forget the channel; workers carry them out.
create table channel_deliveries (
  brand_id bigint not null,
  variant_id bigint not null,
  channel text collate "C" not null default 'google' check (channel = 'google'),
  wanted text not null default 'present' check (wanted in ('present', 'absent')),
  -- Goes up with every change of what the channel shall have.
  revision bigint not null default 1,
  -- The revision that the channel has taken; null: none.
  sent_revision bigint,
  state text not null default 'queued' check (state in ('queued', 'sent', 'live', 'refused', 'removing')),
  -- The channel's words where it refused, otherwise what stood in the way last.
  reason text not null default '' check (length(reason) <= 1000),
  -- Its name at the channel, from the moment that a worker may send it; null: the channel has never heard of it.
  resource text collate "C",
  attempts integer not null default 0,
  -- Null: nothing to do until something changes.
  next_attempt_at timestamptz default now(),
  -- Who works on it. Nobody else does before the lease ends, also if that worker was killed.
  claimed_by uuid,
  claimed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (brand_id, variant_id, channel)
);
create index channel_deliveries_due_idx on channel_deliveries (channel, next_attempt_at);
create index channel_deliveries_claimed_idx on channel_deliveries (claimed_by) where claimed_by is not null;

-- How many calls the channel still takes, shared by all servers: a bucket that fills steadily.
create table channel_quotas (
  channel text collate "C" primary key,
  calls double precision not null,
  refilled_at timestamptz not null default now(),
  -- The channel asked for a pause.
  paused_until timestamptz not null default '-infinity'
);
insert into channel_quotas (channel, calls) values ('google', 0);

create function queue_deliveries(brand bigint, variant_ids bigint[]) returns void language sql as $$
  insert into channel_deliveries as d (brand_id, variant_id)
  select brand, id from unnest(variant_ids) as id order by id
  on conflict (brand_id, variant_id, channel) do update
  set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = now(),
    updated_at = now();
$$;

-- What the channel has is out of date. Rows are locked in one order, so that two changes at once never wait for each other in a circle.
create function requeue_deliveries(brand bigint, variant_ids bigint[]) returns void language sql as $$
  update channel_deliveries d
  set revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = now(), updated_at = now()
  from (
    select o.variant_id, o.channel from unnest(variant_ids) as id
    join channel_deliveries o on o.brand_id = brand and o.variant_id = id
    where o.wanted = 'present' order by o.variant_id for update of o
  ) outdated
  where d.brand_id = brand and d.variant_id = outdated.variant_id and d.channel = outdated.channel;
$$;

-- What was never sent is forgotten at once. A worker that claims a row at this moment names its resource, and then the row stays.
create function withdraw_deliveries(brand bigint, variant_ids bigint[]) returns void language sql as $$
  select from unnest(variant_ids) as id join channel_deliveries o on o.brand_id = brand and o.variant_id = id
  order by o.variant_id for update of o;

  delete from channel_deliveries d using unnest(variant_ids) as id
  where d.brand_id = brand and d.variant_id = id and d.resource is null;

  update channel_deliveries d
  set wanted = 'absent', revision = d.revision + 1, state = 'removing', reason = '', attempts = 0, next_attempt_at = now(),
    updated_at = now()
  from unnest(variant_ids) as id
  where d.brand_id = brand and d.variant_id = id and d.wanted = 'present';
$$;

create function deliver_inserted_variants() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select brand_id, array_agg(id) as ids from new_rows where published group by brand_id order by brand_id
  loop
    perform queue_deliveries(change.brand_id, change.ids);
  end loop;
  return null;
end
$$;

-- `execute`, here and below: a plan is made for the rows at hand. The one that a session keeps from publishing a single
-- variant joins row by row, and with 100,000 rows on both sides would never end.
create function deliver_updated_variants() returns trigger language plpgsql as $$
declare change record;
begin
  for change in execute $query$
    select n.brand_id,
      array_agg(n.id) filter (where n.published and not o.published) as published,
      array_agg(n.id) filter (where o.published and not n.published) as unpublished,
      array_agg(n.id) filter (where o.published and n.published) as changed
    from new_rows n join old_rows o on o.brand_id = n.brand_id and o.id = n.id
    where n.published <> o.published or n.published and (n.name, n.gtin, n.category) <> (o.name, o.gtin, o.category)
    group by n.brand_id order by n.brand_id
  $query$
  loop
    if change.published is not null then perform queue_deliveries(change.brand_id, change.published); end if;
    if change.unpublished is not null then perform withdraw_deliveries(change.brand_id, change.unpublished); end if;
    if change.changed is not null then perform requeue_deliveries(change.brand_id, change.changed); end if;
  end loop;
  return null;
end
$$;

create function deliver_deleted_variants() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select brand_id, array_agg(id) as ids from old_rows group by brand_id order by brand_id
  loop
    perform withdraw_deliveries(change.brand_id, change.ids);
  end loop;
  return null;
end
$$;

create trigger variants_deliver_inserted after insert on variants
  referencing new table as new_rows for each statement execute function deliver_inserted_variants();
create trigger variants_deliver_updated after update on variants
  referencing old table as old_rows new table as new_rows for each statement execute function deliver_updated_variants();
create trigger variants_deliver_deleted after delete on variants
  referencing old table as old_rows for each statement execute function deliver_deleted_variants();

-- Only validated certificates reach the channel. The first look, whether the brand has deliveries at all, is what an import
-- of a brand that has published nothing pays.
create function deliver_inserted_links() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select brand_id from (select distinct brand_id from new_rows) brands
    where exists (select from channel_deliveries d where d.brand_id = brands.brand_id) order by brand_id
  loop
    execute $query$
      select requeue_deliveries($1, array_agg(distinct l.variant_id))
      from new_rows l join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
      where l.brand_id = $1 and c.status = 'validated'
    $query$ using change.brand_id;
  end loop;
  return null;
end
$$;

create function deliver_deleted_links() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select brand_id from (select distinct brand_id from old_rows) brands
    where exists (select from channel_deliveries d where d.brand_id = brands.brand_id) order by brand_id
  loop
    perform requeue_deliveries(change.brand_id, array_agg(distinct variant_id)) from old_rows where brand_id = change.brand_id;
  end loop;
  return null;
end
$$;

-- Triggers fire in the order of their names: these after those of 0006, which lock the brand. Renaming it does the same in that order.
create trigger variant_certificates_then_deliver_inserted after insert on variant_certificates
  referencing new table as new_rows for each statement execute function deliver_inserted_links();
create trigger variant_certificates_then_deliver_deleted after delete on variant_certificates
  referencing old table as old_rows for each statement execute function deliver_deleted_links();

create function deliver_updated_certificates() returns trigger language plpgsql as $$
declare change record;
begin
  for change in
    select brand_id from (select distinct brand_id from new_rows) brands
    where exists (select from channel_deliveries d where d.brand_id = brands.brand_id) order by brand_id
  loop
    execute $query$
      select requeue_deliveries($1, array_agg(distinct l.variant_id))
      from new_rows n join old_rows o on o.brand_id = n.brand_id and o.id = n.id
      join variant_certificates l on l.brand_id = $1 and l.certificate_id = n.id
      where n.brand_id = $1 and 'validated' in (n.status, o.status)
        and (n.status, n.expires_on, n.external_certificate_id, n.certification_id)
          is distinct from (o.status, o.expires_on, o.external_certificate_id, o.certification_id)
    $query$ using change.brand_id;
  end loop;
  return null;
end
$$;
create trigger certificates_deliver_updated after update on certificates
  referencing old table as old_rows new table as new_rows for each statement execute function deliver_updated_certificates();

create function deliver_renamed_brand() returns trigger language plpgsql as $$
begin
  perform requeue_deliveries(new.id, array_agg(distinct variant_id)) from channel_deliveries where brand_id = new.id;
  return null;
end
$$;
create trigger brands_deliver_renamed after update of name on brands for each row
  when (old.name <> new.name) execute function deliver_renamed_brand();

-- What was published before there were deliveries.
insert into channel_deliveries (brand_id, variant_id) select brand_id, id from variants where published;

-- The embedded channel emulator's own tables; empty where a channel outside is configured.

create table channel_emulator_resources (
  name text collate "C" primary key,
  body jsonb not null,
  received_at timestamptz not null default clock_timestamp()
);

-- Which calls came, where that is switched on.
create table channel_emulator_calls (
  id bigint generated always as identity primary key,
  method text not null,
  name text collate "C" not null,
  status integer not null,
  body jsonb,
  called_at timestamptz not null default clock_timestamp()
);

create table channel_emulator_switches (
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
insert into channel_emulator_switches default values;

-- Products that it refuses, and the issue that it names.
create table channel_emulator_refusals (
  gtin14 text collate "C" primary key,
  issue jsonb not null
);

-- The service account that it lets in.
create table channel_emulator_secrets (
  name text primary key,
  value text not null
);
