-- How often what a brand's list shows has been changed, kept beside its counts: an answer that was given at the same number is
-- the answer still. Why, and what it saves: docs/decisions/0005-variant-list.md

alter table variant_counts add column changes bigint not null default 1;

create or replace function add_variant_counts(brand bigint, total bigint, published bigint, certified bigint, published_certified bigint)
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
  insert into variant_counts (brand_id, total, published, certified, published_certified, changes)
  select brand, sum(f.total), sum(f.published), sum(f.certified), sum(f.published_certified), sum(f.changes)
  from folded f having count(*) > 0;
end
$$;

-- As before, but a change of a name alone counts as well.
create or replace function count_updated_variants() returns trigger language plpgsql as $$
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
  order by brand_id;
  return null;
end
$$;

create function count_list_change() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, 0, 0, 0, 0)
  from (select distinct brand_id from changed_rows) brands order by brand_id;
  return null;
end
$$;

-- A new certificate is shown by its links only.
create trigger certificates_change_list after update on certificates
  referencing new table as changed_rows for each statement execute function count_list_change();
create trigger links_change_list_inserted after insert on variant_certificates
  referencing new table as changed_rows for each statement execute function count_list_change();
create trigger links_change_list_deleted after delete on variant_certificates
  referencing old table as changed_rows for each statement execute function count_list_change();
create trigger deliveries_change_list_inserted after insert on channel_deliveries
  referencing new table as changed_rows for each statement execute function count_list_change();
create trigger deliveries_change_list_updated after update on channel_deliveries
  referencing new table as changed_rows for each statement execute function count_list_change();
create trigger deliveries_change_list_deleted after delete on channel_deliveries
  referencing old table as changed_rows for each statement execute function count_list_change();

-- The names in the catalogue are on everybody's badges, and change once in a year.
create function count_catalogue_change() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, 0, 0, 0, 0) from (select distinct brand_id from certificates) brands order by brand_id;
  return null;
end
$$;
create trigger certifications_change_lists after update on certifications
  for each statement execute function count_catalogue_change();
create trigger certifying_bodies_change_lists after update on certifying_bodies
  for each statement execute function count_catalogue_change();
