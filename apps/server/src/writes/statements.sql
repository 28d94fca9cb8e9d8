-- Statements that write data of a brand, in the order in which they run. statements.test.ts renders them.

-- An import into an empty brand, read as a whole: 21 products, a certificate, rows that are rejected

update variant_counts set changes = changes + 1 where brand_id = $1;

insert into import_files (brand_id, import_id, part, bytes)
values ($1, $2, $3, $4);

delete from "import_rows" where brand_id = $1 and import_id = $2;

delete from "import_links" where brand_id = $1 and import_id = $2;

delete from "import_plan" where brand_id = $1 and import_id = $2;

with problems as materialized (
  select s.row_number, jsonb_build_array(jsonb_build_object('code', 'lost_letters', 'field', 'variant_name', 'params',
      jsonb_build_object('value', s.name, 'stored', v.name))) as errors
  from (
    select gtin14, row_number, name
    from import_rows
    where brand_id = $1 and import_id = $2 and errors is null and name like '%?%'
  ) s
  cross join lateral (
    select name
    from variants
    where brand_id = $3 and gtin14 between s.gtin14 and s.gtin14
    order by gtin14
    limit 1
  ) v
  where s.name like '%?%' and length(v.name) <= length(s.name) and replace(v.name, '?', '') <> replace(s.name, '?', '')
      and v.name ~ ('^' || regexp_replace(regexp_replace(s.name, '[][\\.^$*+(){}|]', '\\\&', 'g'), '\?+', '[a-zA-Z?\\u0080-\\U0010FFFF]+',
      'g') || '$')
), rejected as (
  update import_rows r
  set errors = p.errors, name = null
  from problems p
  where "r".brand_id = $4 and "r".import_id = $5 and r.row_number = p.row_number
  returning r.row_number
)
select array_agg(row_number order by row_number) as rows
from rejected;

with repeated as (
  select gtin14
  from import_rows
  where brand_id = $1 and import_id = $2 and gtin14 is not null
  group by gtin14
  having count(*) > 1
), rows as materialized (
  select r.gtin14, r.row_number, r.name, r.category, r.details, r.certification_id, r.certificate_key
  from repeated
  join import_rows r on "r".brand_id = $3 and "r".import_id = $4 and r.gtin14 = repeated.gtin14
), values_by_topic as (
  select gtin14, row_number, 1 as topic, 0 as about, search_key(name) as value
  from rows
  where name is not null and gtin14 in (select gtin14 from rows group by gtin14 having min(name) <> max(name))
  union all
  select gtin14, row_number, 2, 0, search_key(category)
  from rows
  where category <> '' and gtin14 in (
    select gtin14
    from rows
    where category <> ''
    group by gtin14
    having min(category) <> max(category)
  )
  union all
  select gtin14, row_number, 3, certification_id, certificate_key
  from rows
  where (gtin14, certification_id) in (
    select gtin14, certification_id
    from rows
    group by gtin14, certification_id
    having min(certificate_key) <> max(certificate_key)
  )
  union all
  select gtin14, row_number, 4, 0, details
  from rows
  where details is not null and gtin14 in (
    select gtin14
    from rows
    group by gtin14
    having min(details) <> max(details)
  )
), firsts as (
  select *, first_value(value) over topics as first_value, first_value(row_number) over topics as first_row
  from values_by_topic
  window topics as (partition by gtin14, topic, about order by row_number)
), compared as (
  select *, min(row_number) filter (where value <> first_value) over (partition by gtin14, topic, about) as other_row
  from firsts
), problems as (
  select row_number, jsonb_agg(jsonb_build_object('code', (array['contradicting_names', 'contradicting_categories', 'contradicting_rows',
      'contradicting_details'])[topic], 'field', (array['variant_name', 'category', 'certificate_id', 'description'])[topic], 'params',
      jsonb_build_object('row', case when value = first_value then other_row else first_row end)) order by topic) as errors
  from compared
  where other_row is not null
  group by row_number
), rejected as (
  update import_rows r
  set errors = coalesce(r.errors, '[]') || p.errors
  from problems p
  where "r".brand_id = $5 and "r".import_id = $6 and r.row_number = p.row_number
  returning r.row_number, r.cells
)
select array_agg(row_number order by row_number) filter (where jsonb_typeof(cells) is distinct from 'array') as rows
from rejected;

update import_rows s
set cells = c.cells
from json_to_recordset($1) as c (row int, cells jsonb)
where s.brand_id = $2 and s.import_id = $3 and s.row_number between $4 and $5 and s.row_number = c.row;

delete from import_files where brand_id = $1 and import_id = $2;

delete from import_plan where brand_id = $1 and import_id = $2;

insert into import_plan (brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after, publishes,
    was_published, certifies, sends_again)
with given as materialized (
  select brand_id, import_id, gtin14, max(gtin) as gtin, max(name) as name, max(category) as category, max(details)::jsonb as details,
      min(row_number) as first_row, bool_or(certification_id is not null) as certified, bool_or(publish) and $1 as publish
  from import_rows
  where brand_id = $2 and import_id = $3 and errors is null
  group by brand_id, import_id, gtin14
), compared as materialized (
  select s.brand_id, s.import_id, s.gtin14, s.gtin, s.first_row, s.certified, s.publish and v.published is not true as publishes,
      v.id as variant_id, v.published, v.name as old_name, v.category as old_category, v.details as old_details, s.name,
      coalesce(nullif(s.category, ''), v.category, '') as category, coalesce(v.details, '{}') || coalesce(s.details, '{}') as details
  from given s
  left join (
    select id, gtin14, name, category, details, published
    from variants
    where brand_id = $4
  ) v on v.gtin14 = s.gtin14
), named as materialized (
  select known.variant_id, r.certification_id, r.certificate_key
  from (
    select *
    from import_rows
    where brand_id = $5 and import_id = $6 and errors is null and certification_id is not null
  ) r
  join compared known on known.gtin14 = r.gtin14 and known.variant_id is not null
), certified as materialized (
  select s.variant_id as id, bool_or(c.status = 'validated') is true as visible
  from named s
  left join (
    select id, certification_id, id_key, status
    from certificates
    where brand_id = $7
  ) c on (c.certification_id, c.id_key) = (s.certification_id, s.certificate_key)
  left join (
    select variant_id, certificate_id
    from variant_certificates
    where brand_id = $8
  ) l on l.variant_id = s.variant_id and l.certificate_id = c.id
  where l.variant_id is null
  group by s.variant_id
), planned as (
  select compared.*, certified.id is not null or variant_id is null and certified as certifies, certified.visible is true as visible,
      variant_id is not null and (name <> old_name or category <> old_category or details <> old_details) as changes
  from compared
  left join certified on certified.id = compared.variant_id
), changed as materialized (
  select *, case when changes then (
    select jsonb_object_agg(key, ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key)
    from jsonb_each(("details" || jsonb_build_object('name', "name", 'category', "category")))
    where value is distinct from ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key
  ) end as before, case when changes then (
    select jsonb_object_agg(key, value)
    from jsonb_each(("details" || jsonb_build_object('name', "name", 'category', "category")))
    where value is distinct from ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key
  ) end as after
  from planned
  where variant_id is null or changes or publishes or certifies
)
select brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after, publishes, published is true,
    certifies, published is true and (visible or "after" ?| $9::text[] is true)
from changed;

select $1::bigint as variants, count(*) filter (where p.variant_id is null) as created, count(p.variant_id) as updated,
    $2::bigint - count(*) as unchanged, count(*) filter (where p.after ? 'name') as renamed,
    count(*) filter (where p.publishes) as published, (
  select count(*)
  from (
    select p.variant_id
    from import_plan p
    where p.brand_id = $3 and p.import_id = $4 and p.sends_again
    union
    select l.variant_id
    from (
      select distinct on (certification_id, certificate_key) certification_id, certificate_key, certificate_link
      from import_rows
      where brand_id = $5 and import_id = $6 and errors is null and certificate_link is not null
      order by certification_id, certificate_key, row_number desc
    ) named (certification_id, id_key, link)
    join certificates c on c.brand_id = $7 and c.certification_id = named.certification_id and c.id_key = named.id_key
    join variant_certificates l on l.brand_id = $8 and l.certificate_id = c.id
    join variants v on v.brand_id = $9 and v.id = l.variant_id
    where c.link <> named.link and c.status = 'validated' and v.published
  ) sent
) as sent_again
from import_plan p
where p.brand_id = $10 and p.import_id = $11;

insert into variants (brand_id, gtin, name, category, details, published, has_certs, gtin14, name_key)
select r.*, lpad("r"."gtin", 14, '0'), search_key("r"."name")
from (
  select brand_id, gtin, name, category, details, publishes, certifies
  from import_plan p
  where p.brand_id = $1 and p.import_id = $2 and p.variant_id is null
  order by p.first_row desc
) r (brand_id, gtin, name, category, details, published, has_certs);

insert into variant_counts as known (brand_id, total, published, certified, published_certified)
values ($1, $2, $3, $4, $5)
on conflict (brand_id) do update
set total = known.total + excluded.total, published = known.published + excluded.published,
    certified = known.certified + excluded.certified, published_certified = known.published_certified + excluded.published_certified;

insert into deliveries as d (brand_id, variant_id)
select brand_id, id
from variants
where brand_id = $1 and id > $2 and published
on conflict (brand_id, variant_id) do update
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = excluded.updated_at,
    updated_at = excluded.updated_at;

insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
select r.*, search_key(r.external_certificate_id), id_sort_key(r.external_certificate_id)
from (
  with new as materialized (
    select s.*
    from (
      select distinct on (certification_id, certificate_key) brand_id, certification_id, external_certificate_id, certificate_key,
          row_number
      from import_rows
      where brand_id = $1 and import_id = $2 and errors is null and certification_id is not null
      order by certification_id, certificate_key, row_number
    ) s
    left join (
      select id, certification_id, id_key, status
      from certificates
      where brand_id = $3
    ) c on (c.certification_id, c.id_key) = (s.certification_id, s.certificate_key)
    where c.id is null
  )
  select brand_id, certification_id, external_certificate_id, certificate_key
  from new
  order by row_number
) r (brand_id, certification_id, external_certificate_id, id_key);

with named (certification_id, id_key, link) as (
  select distinct on (certification_id, certificate_key) certification_id, certificate_key, certificate_link
  from import_rows
  where brand_id = $1 and import_id = $2 and errors is null and certificate_link is not null
  order by certification_id, certificate_key, row_number desc
), changing as (
  select c.id, c.link as old_link, named.link as new_link
  from certificates c
  join named on c.certification_id = named.certification_id and c.id_key = named.id_key and c.link <> named.link
  where c.brand_id = $3
), kept as (
  insert into import_certificate_links (brand_id, import_id, certificate_id, old_link, new_link)
  select $4::bigint, $5::bigint, id, old_link, new_link
  from changing
  where $6::bigint is not null and id <= $7
), changed as (
  update certificates c
  set link = changing.new_link
  from changing
  where c.brand_id = $8 and c.id = changing.id
  returning c.id, c.status
)
select id
from changed
where status = 'validated';

insert into import_links (brand_id, import_id, variant_id, certificate_id)
with s as materialized (
  select distinct r.brand_id, r.import_id, v.id as variant_id, r.certification_id, r.certificate_key
  from (
    select *
    from import_rows
    where brand_id = $1 and import_id = $2 and errors is null and certification_id is not null
  ) r
  join (
    select gtin14
    from import_plan p
    where p.brand_id = $3 and p.import_id = $4 and p.certifies
  ) s on s.gtin14 = r.gtin14
  join (
    select id, gtin14, name, category, details, published
    from variants
    where brand_id = $5
  ) v on v.gtin14 = s.gtin14
)
select s.brand_id, s.import_id, s.variant_id, c.id
from s
join (
  select id, certification_id, id_key, status
  from certificates
  where brand_id = $6
) c on (c.certification_id, c.id_key) = (s.certification_id, s.certificate_key)
left join (
  select variant_id, certificate_id
  from variant_certificates
  where brand_id = $7
) l on l.variant_id = s.variant_id and l.certificate_id = c.id
where l.variant_id is null;

insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
select brand_id, variant_id, certificate_id, $1::bigint
from (
  select brand_id, variant_id, certificate_id
  from import_links
  where brand_id = $2 and import_id = $3
) l (brand_id, variant_id, certificate_id);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select p.variant_id
  from import_plan p
  where p.brand_id = $1 and p.import_id = $2 and p.variant_id is not null and p.certifies
) chosen (id);

with changed as (
  update variants
  set has_certs = $1
  where brand_id = $2 and has_certs is distinct from $3 and id = any ($4::bigint[])
  returning published
)
select count(*) as variants, count(*) filter (where published) as published
from changed;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select variant_id
  from (
    select brand_id, variant_id, certificate_id
    from import_links
    where brand_id = $1 and import_id = $2
  ) l (brand_id, variant_id, certificate_id)
  where l.certificate_id = any (array(
    select id
    from certificates
    where brand_id = $3 and status = 'validated'
  )) and variant_id = any ($4::bigint[])
) chosen (id);

update deliveries d
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = now(), updated_at = now()
where d.brand_id = $1 and d.wanted = 'present' and d.variant_id = any ($2::bigint[]);

insert into import_rejected_rows (brand_id, import_id, row_number, cells, errors, content)
select brand_id, import_id, row_number, cells, errors, case when gtin14 is not null then jsonb_build_object('gtin14', gtin14, 'name', name,
    'category', category, 'details', details, 'certification_id', certification_id, 'certificate_key', certificate_key) end
from import_rows
where brand_id = $1 and import_id = $2 and errors is not null
order by row_number;

delete from import_rejected_rows
where brand_id = $1 and import_id in (
  select id
  from (
    select id, max(id) over () as newest, sum(rejected_bytes) over (order by id desc) as bytes_since
    from imports
    where brand_id = $2 and rejected > 0
  ) i
  where bytes_since > $3 and id < newest
);

-- An import of two rows, each looked up: a new name, a publication, a link, a new page of a certificate

insert into import_plan (brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after, publishes,
    was_published, certifies, sends_again)
with given as materialized (
  select brand_id, import_id, gtin14, max(gtin) as gtin, max(name) as name, max(category) as category, max(details)::jsonb as details,
      min(row_number) as first_row, bool_or(certification_id is not null) as certified, bool_or(publish) and $1 as publish
  from import_rows
  where brand_id = $2 and import_id = $3 and errors is null
  group by brand_id, import_id, gtin14
), compared as materialized (
  select s.brand_id, s.import_id, s.gtin14, s.gtin, s.first_row, s.certified, s.publish and v.published is not true as publishes,
      v.id as variant_id, v.published, v.name as old_name, v.category as old_category, v.details as old_details, s.name,
      coalesce(nullif(s.category, ''), v.category, '') as category, coalesce(v.details, '{}') || coalesce(s.details, '{}') as details
  from given s
  left join lateral (
    select id, gtin14, name, category, details, published
    from variants
    where brand_id = $4 and gtin14 between s.gtin14 and s.gtin14
    order by gtin14
    limit 1
  ) v on true
), named as materialized (
  select known.variant_id, r.certification_id, r.certificate_key
  from (
    select *
    from import_rows
    where brand_id = $5 and import_id = $6 and errors is null and certification_id is not null
  ) r
  join compared known on known.gtin14 = r.gtin14 and known.variant_id is not null
), certified as materialized (
  select s.variant_id as id, bool_or(c.status = 'validated') is true as visible
  from named s
  left join lateral (
    select id, certification_id, id_key, status
    from certificates
    where brand_id = $7 and (certification_id, id_key) >= (s.certification_id, s.certificate_key) and (certification_id,
        id_key) <= (s.certification_id, s.certificate_key)
    order by certification_id, id_key
    limit 1
  ) c on true
  left join lateral (
    select variant_id, certificate_id
    from variant_certificates
    where brand_id = $8 and (variant_id, certificate_id) >= (s.variant_id, c.id) and (variant_id, certificate_id) <= (s.variant_id, c.id)
    order by variant_id, certificate_id
    limit 1
  ) l on true
  where l.variant_id is null
  group by s.variant_id
), planned as (
  select compared.*, certified.id is not null or variant_id is null and certified as certifies, certified.visible is true as visible,
      variant_id is not null and (name <> old_name or category <> old_category or details <> old_details) as changes
  from compared
  left join certified on certified.id = compared.variant_id
), changed as materialized (
  select *, case when changes then (
    select jsonb_object_agg(key, ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key)
    from jsonb_each(("details" || jsonb_build_object('name', "name", 'category', "category")))
    where value is distinct from ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key
  ) end as before, case when changes then (
    select jsonb_object_agg(key, value)
    from jsonb_each(("details" || jsonb_build_object('name', "name", 'category', "category")))
    where value is distinct from ("old_details" || jsonb_build_object('name', "old_name", 'category', "old_category")) -> key
  ) end as after
  from planned
  where variant_id is null or changes or publishes or certifies
)
select brand_id, import_id, first_row, gtin, gtin14, variant_id, name, category, details, before, after, publishes, published is true,
    certifies, published is true and (visible or "after" ?| $9::text[] is true)
from changed;

insert into import_changes (brand_id, import_id, variant_id, gtin, before, after, was_published, newly_published)
select brand_id, import_id, variant_id, gtin, coalesce(before, '{}'), coalesce(after, '{}'), was_published, publishes
from import_plan p
where p.brand_id = $1 and p.import_id = $2 and p.variant_id is not null and (p.after is not null or p.publishes);

insert into variants (brand_id, gtin, name, category, details, gtin14, name_key)
select r.*, lpad("r"."gtin", 14, '0'), search_key("r"."name")
from (
  select p.brand_id, p.gtin, p.name, p.category, p.details
  from import_plan p
  where p.brand_id = $1 and p.import_id = $2 and p.after is not null
) r (brand_id, gtin, name, category, details)
on conflict (brand_id, gtin14) do update
set name = excluded.name, name_key = excluded.name_key, category = excluded.category, details = excluded.details,
    version = variants.version + 1, change_count = variants.change_count + 1;

delete from variant_search
where brand_id = $1 and variant_id = any (array(
  select id
  from (
    select brand_id, id
    from (
      select p.brand_id, p.variant_id, p.after, p.was_published
      from import_plan p
      where p.brand_id = $2 and p.import_id = $3 and p.after is not null
    ) c (brand_id, id, fields, published)
    where fields ? 'name'
  ) r
));

insert into variant_search_waiting (brand_id, variant_id)
select brand_id, id
from (
  select brand_id, id
  from (
    select p.brand_id, p.variant_id, p.after, p.was_published
    from import_plan p
    where p.brand_id = $1 and p.import_id = $2 and p.after is not null
  ) c (brand_id, id, fields, published)
  where fields ? 'name'
) r
where id <= coalesce((select indexed_to from variant_counts where brand_id = $3), 0)
on conflict do nothing;

insert into deliveries as d (brand_id, variant_id)
select brand_id, id
from (
  select p.brand_id, p.variant_id, p.after, p.was_published
  from import_plan p
  where p.brand_id = $1 and p.import_id = $2 and p.after is not null
) c (brand_id, id, fields, published)
where published and "fields" ?| $3::text[]
on conflict (brand_id, variant_id) do update
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = excluded.updated_at,
    updated_at = excluded.updated_at;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select p.variant_id
  from import_plan p
  where p.brand_id = $1 and p.import_id = $2 and p.variant_id is not null and p.publishes
) chosen (id);

insert into deliveries as d (brand_id, variant_id)
select brand_id, id
from variants
where brand_id = $1 and not published and id = any ($2::bigint[])
on conflict (brand_id, variant_id) do update
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = excluded.updated_at,
    updated_at = excluded.updated_at;

with changed as (
  update variants
  set published = $1
  where brand_id = $2 and not published and id = any ($3::bigint[])
  returning has_certs
)
select count(*) as variants, count(*) filter (where has_certs) as certified
from changed;

insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
select r.*, search_key(r.external_certificate_id), id_sort_key(r.external_certificate_id)
from (
  with new as materialized (
    select s.*
    from (
      select distinct on (certification_id, certificate_key) brand_id, certification_id, external_certificate_id, certificate_key,
          row_number
      from import_rows
      where brand_id = $1 and import_id = $2 and errors is null and certification_id is not null
      order by certification_id, certificate_key, row_number
    ) s
    left join lateral (
      select id, certification_id, id_key, status
      from certificates
      where brand_id = $3 and (certification_id, id_key) >= (s.certification_id, s.certificate_key) and (certification_id,
          id_key) <= (s.certification_id, s.certificate_key)
      order by certification_id, id_key
      limit 1
    ) c on true
    where c.id is null
  )
  select brand_id, certification_id, external_certificate_id, certificate_key
  from new
  order by row_number
) r (brand_id, certification_id, external_certificate_id, id_key);

insert into import_links (brand_id, import_id, variant_id, certificate_id)
with s as materialized (
  select distinct r.brand_id, r.import_id, v.id as variant_id, r.certification_id, r.certificate_key
  from (
    select *
    from import_rows
    where brand_id = $1 and import_id = $2 and errors is null and certification_id is not null
  ) r
  join (
    select gtin14
    from import_plan p
    where p.brand_id = $3 and p.import_id = $4 and p.certifies
  ) s on s.gtin14 = r.gtin14
  join lateral (
    select id, gtin14, name, category, details, published
    from variants
    where brand_id = $5 and gtin14 between s.gtin14 and s.gtin14
    order by gtin14
    limit 1
  ) v on true
)
select s.brand_id, s.import_id, s.variant_id, c.id
from s
join lateral (
  select id, certification_id, id_key, status
  from certificates
  where brand_id = $6 and (certification_id, id_key) >= (s.certification_id, s.certificate_key) and (certification_id,
      id_key) <= (s.certification_id, s.certificate_key)
  order by certification_id, id_key
  limit 1
) c on true
left join lateral (
  select variant_id, certificate_id
  from variant_certificates
  where brand_id = $7 and (variant_id, certificate_id) >= (s.variant_id, c.id) and (variant_id, certificate_id) <= (s.variant_id, c.id)
  order by variant_id, certificate_id
  limit 1
) l on true
where l.variant_id is null;

-- The undo of the first import

update import_changes m
set undone = true
from (
  select c.variant_id
  from import_changes c
  join variants v on v.brand_id = $1 and v.id = c.variant_id
  cross join lateral (
    select jsonb_object_agg(key, c.before -> key) filter (where now = after) as restores,
        array_agg(key order by key) filter (where now <> after and now <> before) as keeps
    from (
      select key, coalesce(value, '') as after, coalesce(c.before ->> key, '') as before,
          coalesce(("v"."details" || jsonb_build_object('name', "v"."name", 'category', "v"."category")) ->> key, '') as now
      from jsonb_each_text(c.after)
    ) fields
  ) f
  where c.brand_id = $2 and c.import_id = $3 and (f.restores is not null or (c.newly_published and v.published))
) marked
where m.brand_id = $4 and m.import_id = $5 and m.variant_id = marked.variant_id;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select id
  from variants
  where brand_id = $1 and id > $2 and id <= $3 and not ("variants"."version" > 1 or exists (
    select
    from variant_certificates l
    where l.brand_id = $4 and l.variant_id = variants.id and l.import_id is distinct from $5::bigint
  ))
) chosen (id);

delete from delivery_issues
where brand_id = $1 and variant_id = any (array(
  select variant_id
  from deliveries
  where brand_id = $2 and variant_id = any ($3::bigint[]) and resource is null
));

delete from deliveries
where brand_id = $1 and variant_id = any ($2::bigint[]) and resource is null;

update deliveries d
set wanted = 'absent', revision = d.revision + 1, state = 'removing', reason = '', attempts = 0, next_attempt_at = now(), updated_at = now()
where d.brand_id = $1 and d.variant_id = any ($2::bigint[]) and d.wanted = 'present';

delete from "variant_certificates"
where brand_id = $1 and variant_id = any ($2::bigint[]);

delete from "variant_search"
where brand_id = $1 and variant_id = any ($2::bigint[]);

delete from "variant_search_waiting"
where brand_id = $1 and variant_id = any ($2::bigint[]);

with gone as (
  delete from variants
  where brand_id = $1 and id > $2 and id <= $3 and not ("variants"."version" > 1 or exists (
    select
    from variant_certificates l
    where l.brand_id = $4 and l.variant_id = variants.id and l.import_id is distinct from $5::bigint
  ))
  returning published, has_certs
)
select -count(*) as total, -count(*) filter (where published) as published, -count(*) filter (where has_certs) as certified,
    -count(*) filter (where published and has_certs) as published_certified
from gone;

delete from variant_certificates
where brand_id = $1 and import_id = $2 and not (variant_id > $3 and variant_id <= $4)
returning variant_id, certificate_id;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select l.variant_id
  from unnest($1::bigint[], $2::bigint[]) l (variant_id, certificate_id)
  join certificates c on c.brand_id = $3 and c.id = l.certificate_id and c.status = 'validated'
) chosen (id);

with changed as (
  update variants
  set has_certs = $1
  where brand_id = $2 and has_certs is distinct from $3 and id = any ($4::bigint[]) and not exists (
    select
    from variant_certificates l
    where l.brand_id = $5 and l.variant_id = variants.id
  )
  returning published
)
select count(*) as variants, count(*) filter (where published) as published
from changed;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select variant_id
  from import_changes c
  where c.brand_id = $1 and c.import_id = $2 and undone and newly_published
) chosen (id);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select id
  from variants
  where brand_id = $1 and published and id = any ($2::bigint[])
) chosen (id);

with changed as (
  update variants
  set published = $1
  where brand_id = $2 and published and id = any ($3::bigint[])
  returning has_certs
)
select count(*) as variants, count(*) filter (where has_certs) as certified
from changed;

insert into variants (brand_id, gtin, name, category, details, gtin14, name_key)
select r.*, lpad("r"."gtin", 14, '0'), search_key("r"."name")
from (
  select v.brand_id, v.gtin, coalesce(f.restores ->> 'name', v.name), coalesce(f.restores ->> 'category', v.category),
      jsonb_strip_nulls(v.details || ("f"."restores" - '{name,category}'::text[]))
  from import_changes c
  join variants v on v.brand_id = $1 and v.id = c.variant_id
  cross join lateral (
    select jsonb_object_agg(key, c.before -> key) filter (where now = after) as restores,
        array_agg(key order by key) filter (where now <> after and now <> before) as keeps
    from (
      select key, coalesce(value, '') as after, coalesce(c.before ->> key, '') as before,
          coalesce(("v"."details" || jsonb_build_object('name', "v"."name", 'category', "v"."category")) ->> key, '') as now
      from jsonb_each_text(c.after)
    ) fields
  ) f
  where c.brand_id = $2 and c.import_id = $3 and c.undone and f.restores is not null
) r (brand_id, gtin, name, category, details)
on conflict (brand_id, gtin14) do update
set name = excluded.name, name_key = excluded.name_key, category = excluded.category, details = excluded.details,
    version = variants.version + -1, change_count = variants.change_count + 1;

with named (certification_id, id_key, link) as (
  select c.certification_id, c.id_key, k.old_link
  from import_certificate_links k
  join certificates c on c.brand_id = $1 and c.id = k.certificate_id and c.link = k.new_link
  where k.brand_id = $2 and k.import_id = $3
), changing as (
  select c.id, c.link as old_link, named.link as new_link
  from certificates c
  join named on c.certification_id = named.certification_id and c.id_key = named.id_key and c.link <> named.link
  where c.brand_id = $4
), kept as (
  insert into import_certificate_links (brand_id, import_id, certificate_id, old_link, new_link)
  select $5::bigint, $6::bigint, id, old_link, new_link
  from changing
  where $7::bigint is not null and id <= $8
), changed as (
  update certificates c
  set link = changing.new_link
  from changing
  where c.brand_id = $9 and c.id = changing.id
  returning c.id, c.status
)
select id
from changed
where status = 'validated';

delete from variant_certificates
where brand_id = $1 and certificate_id = any (array(
  select id
  from certificates
  where brand_id = $2 and id > $3 and id <= $4 and review is null and not exists (
    select
    from variant_certificates l
    where l.brand_id = $5 and l.certificate_id = certificates.id
  ) and not exists (
    select
    from (
      select d.id, d.deletion_id, l.certificate_id, l.import_id
      from deleted_variants d
      cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
      where d.brand_id = $6 and not exists (
        select
        from imports i
        where i.brand_id = $7 and i.id = l.import_id and i.state = 'undone'
      )
    ) l
    where l.certificate_id = certificates.id
  )
))
returning variant_id, certificate_id;

delete from certificate_notices
where brand_id = $1 and certificate_id = any (array(
  select id
  from certificates
  where brand_id = $2 and id > $3 and id <= $4 and review is null and not exists (
    select
    from variant_certificates l
    where l.brand_id = $5 and l.certificate_id = certificates.id
  ) and not exists (
    select
    from (
      select d.id, d.deletion_id, l.certificate_id, l.import_id
      from deleted_variants d
      cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
      where d.brand_id = $6 and not exists (
        select
        from imports i
        where i.brand_id = $7 and i.id = l.import_id and i.state = 'undone'
      )
    ) l
    where l.certificate_id = certificates.id
  )
));

delete from certificates
where brand_id = $1 and id > $2 and id <= $3 and review is null and not exists (
  select
  from variant_certificates l
  where l.brand_id = $4 and l.certificate_id = certificates.id
) and not exists (
  select
  from (
    select d.id, d.deletion_id, l.certificate_id, l.import_id
    from deleted_variants d
    cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
    where d.brand_id = $5 and not exists (
      select
      from imports i
      where i.brand_id = $6 and i.id = l.import_id and i.state = 'undone'
    )
  ) l
  where l.certificate_id = certificates.id
);

-- New products without an import

insert into variants (brand_id, gtin, name, category, details, published, has_certs, gtin14, name_key)
select r.*, lpad("r"."gtin", 14, '0'), search_key("r"."name")
from (
  select $1::bigint, gtin, name, category, details, published, false
  from json_to_recordset($2) as v (gtin text, name text, category text, details jsonb, published boolean)
) r (brand_id, gtin, name, category, details, published, has_certs);

-- The search index

insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
select brand_id, id, created_at, name_key, gtin14
from variants
where brand_id = $1 and id = any (array(
  select variant_id
  from variant_search_waiting
  where brand_id = $2
  order by variant_id
  limit $3
));

insert into variant_search (brand_id, variant_id, created_at, name_key, gtin14)
select brand_id, id, created_at, name_key, gtin14
from variants
where brand_id = $1 and id = any (array(
  select id
  from variants
  where brand_id = $2 and id > coalesce((select indexed_to from variant_counts where brand_id = $3), 0)
  order by id
  limit $4
));

update variant_counts
set indexed_to = (
  select max(id)
  from (
    select id
    from variants
    where brand_id = $1 and id > coalesce((select indexed_to from variant_counts where brand_id = $2), 0)
    order by id
    limit $3
  ) added
)
where brand_id = $4;

-- Publishing and unpublishing

insert into deliveries as d (brand_id, variant_id)
select brand_id, id
from variants
where brand_id = $1 and not published and true
on conflict (brand_id, variant_id) do update
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = excluded.updated_at,
    updated_at = excluded.updated_at;

with changed as (
  update variants
  set published = $1
  where brand_id = $2 and not published and true
  returning has_certs
)
select count(*) as variants, count(*) filter (where has_certs) as certified
from changed;

-- Deliveries

with oldest as (
  select variant_id
  from deliveries
  where brand_id = $1 and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now()) and connection_id is not null
      and true
  order by next_attempt_at asc
  limit $2
  for update skip locked
), newest as (
  select variant_id
  from deliveries
  where brand_id = $3 and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now()) and connection_id is not null
      and true
  order by next_attempt_at desc
  limit $4
  for update skip locked
)
update deliveries d
set claimed_by = $5, claimed_until = now() + $6 * interval '1 millisecond', next_attempt_at = now() + $7 * interval '1 millisecond',
    connection_id = coalesce(d.connection_id, $8::bigint), resource = coalesce(d.resource, $9::text || d.brand_id || '-' || d.variant_id)
from (select variant_id from oldest union select variant_id from newest) due
where d.brand_id = $10 and d.variant_id = due.variant_id;

update channel_connections
set ended_at = now()
where brand_id = $1 and ended_at is null;

insert into "channel_connections" ("brand_id", "kind", "account", "client_id", "credentials", "countries", "language", "registered_name")
values ($1, $2, $3, $4, $5, $6, $7, $8);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (select variant_id from deliveries where brand_id = $1) chosen (id);

with oldest as (
  select variant_id
  from deliveries
  where brand_id = $1 and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now()) and true and true
  order by next_attempt_at asc
  limit $2
  for update skip locked
), newest as (
  select variant_id
  from deliveries
  where brand_id = $3 and next_attempt_at <= now() and (claimed_until is null or claimed_until <= now()) and true and true
  order by next_attempt_at desc
  limit $4
  for update skip locked
)
update deliveries d
set claimed_by = $5, claimed_until = now() + $6 * interval '1 millisecond', next_attempt_at = now() + $7 * interval '1 millisecond',
    connection_id = coalesce(d.connection_id, $8::bigint), resource = coalesce(d.resource, $9::text || d.brand_id || '-' || d.variant_id)
from (select variant_id from oldest union select variant_id from newest) due
where d.brand_id = $10 and d.variant_id = due.variant_id;

delete from delivery_issues i
using json_to_recordset($1) as r (variant_id bigint, revision bigint)
where i.brand_id = $2 and i.variant_id = r.variant_id and exists (
  select
  from deliveries d
  where d.brand_id = $3 and d.claimed_by = $4 and d.variant_id = r.variant_id and (d.revision = r.revision or d.wanted = 'absent')
);

insert into delivery_issues (brand_id, variant_id, position, revision, type, severity, title, description, attribute, resolution,
    countries, since)
select $1, i.variant_id, i.position, i.revision, left(i.type, 200), i.severity, left(i.title, 500), left(i.description, 2000),
    left(i.attribute, 200), left(i.resolution, 200), i.countries, i.since
from json_to_recordset($2) as i (variant_id bigint, position integer, revision bigint, type text, severity text, title text,
    description text, attribute text, resolution text, countries text[], since timestamptz)
where exists (
  select
  from deliveries d
  where d.brand_id = $3 and d.claimed_by = $4 and d.variant_id = i.variant_id and d.revision = i.revision
);

delete from deliveries d
using (
  select *, now() as at, now() + delay_ms * interval '1 millisecond' as next_at
  from json_to_recordset($1) as x (variant_id bigint, revision bigint, sent_revision bigint, state text, reason text, countries jsonb,
      issues jsonb, connection_id bigint, resource text, attempts integer, delay_ms double precision, keep_lease boolean, done boolean)
) r
where d.brand_id = $2 and d.variant_id = r.variant_id and d.claimed_by = $3 and (d.revision = r.revision
    and r.done or d.wanted = 'absent' and r.resource is null);

update deliveries d
set sent_revision = r.sent_revision, sent_at = case when r.sent_revision is distinct from d.sent_revision
    and r.sent_revision is not null then r.at else d.sent_at end, judged_at = case when d.revision = r.revision and r.state <> d.state
    and r.state in ('live', 'partly_live', 'refused') then r.at else d.judged_at end, connection_id = r.connection_id,
    resource = r.resource, countries = case when d.revision = r.revision then coalesce(r.countries, d.countries) else d.countries end,
    state = case when d.revision = r.revision then r.state else d.state end, reason = case
    when d.revision = r.revision then coalesce(left(r.reason, 1000), d.reason) else d.reason end, attempts = case
    when d.revision = r.revision then r.attempts else d.attempts end, next_attempt_at = case
    when d.revision <> r.revision then d.next_attempt_at when r.keep_lease then greatest(d.claimed_until, r.next_at) else r.next_at end,
    claimed_by = case when r.keep_lease then d.claimed_by end, claimed_until = case when r.keep_lease then d.claimed_until end,
    updated_at = r.at
from (
  select *, now() as at, now() + delay_ms * interval '1 millisecond' as next_at
  from json_to_recordset($1) as x (variant_id bigint, revision bigint, sent_revision bigint, state text, reason text, countries jsonb,
      issues jsonb, connection_id bigint, resource text, attempts integer, delay_ms double precision, keep_lease boolean, done boolean)
) r
where d.brand_id = $2 and d.variant_id = r.variant_id and d.claimed_by = $3;

-- Statuses of certificates

with known as (
  select c.*, c.id = any ($1::bigint[]) as malformed, registry.certification_id is not null as has_registry, listed.active,
      least(listed.expires_on, c.review_expires_on) as ends_on
  from certificates c
  left join registries registry on registry.certification_id = c.certification_id
  left join lateral (
    select r.active, r.expires_on
    from registry_certificates r
    where r.certification_id = c.certification_id and r.id_key = c.id_key
    offset 0
  ) listed on true
  where c.brand_id = $2 and c.id between $3 and $4 and true
), reasoned as (
  select *, case when review = 'rejected' then 'rejected:' || review_note when malformed and review is null then 'pattern'
      when ends_on < $5::date then 'expired:' || ends_on when not active then 'not_active'
      when review = 'approved' then 'approved:' || review_note when active then 'listed' || coalesce(':' || ends_on, '')
      when has_registry then 'not_listed' when split_part(reason, ':', 1) = 'no_registry' then reason else 'no_registry:' ||
      least($6::date, (now() at time zone 'utc')::date) end as found
  from known
), judged as materialized (
  select *, case when split_part(found, ':', 1) in ('listed', 'approved') then 'validated' when split_part(found, ':',
      1) = 'no_registry' then 'pending' else 'invalid' end as verdict
  from reasoned
), changed as (
  update certificates c
  set status = j.verdict, reason = j.found, expires_on = j.ends_on, turned_invalid = j.verdict = 'invalid' and case
      when j.status = 'invalid' then j.turned_invalid else j.reason <> '' end
  from judged j
  where c.brand_id = $7 and c.id = j.id and c.id between $8 and $9 and true and (c.status, c.reason,
      c.expires_on) is distinct from (j.verdict, j.found, j.ends_on)
  returning c.id, c.reason, j.status as was, c.status, j.reason <> '' as was_judged, (c.status = 'validated' or j.status = 'validated')
      and (c.status <> j.status or c.expires_on is distinct from j.expires_on) as is_visible
)
select was, status, reason, was_judged, is_visible, json_agg(id) as ids
from changed
group by was, status, reason, was_judged, is_visible;

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select variant_id
  from variant_certificates
  where brand_id = $1 and certificate_id = any ($2::bigint[])
) chosen (id);

with due as (
  select ctid, 'expired:' || expires_on as reason
  from certificates
  where brand_id = $1 and status = 'validated' and expires_on < $2::date
  order by expires_on
  limit $3
), changed as (
  update certificates c
  set status = 'invalid', reason = due.reason, turned_invalid = true
  from due
  where c.brand_id = $4 and c.ctid = due.ctid
  returning c.id, c.reason, 'validated' as was, c.status, true as was_judged, true as is_visible
)
select was, status, reason, was_judged, is_visible, json_agg(id) as ids
from changed
group by was, status, reason, was_judged, is_visible;

update certificates
set review = $1, review_note = $2, review_expires_on = $3::date
where brand_id = $4 and id = any ($5::bigint[]);

with known as (
  select c.*, c.id = any ($1::bigint[]) as malformed, registry.certification_id is not null as has_registry, listed.active,
      least(listed.expires_on, c.review_expires_on) as ends_on
  from certificates c
  left join registries registry on registry.certification_id = c.certification_id
  left join lateral (
    select r.active, r.expires_on
    from registry_certificates r
    where r.certification_id = c.certification_id and r.id_key = c.id_key
    offset 0
  ) listed on true
  where c.brand_id = $2 and c.id = any ($3::bigint[])
), reasoned as (
  select *, case when review = 'rejected' then 'rejected:' || review_note when malformed and review is null then 'pattern'
      when ends_on < $4::date then 'expired:' || ends_on when not active then 'not_active'
      when review = 'approved' then 'approved:' || review_note when active then 'listed' || coalesce(':' || ends_on, '')
      when has_registry then 'not_listed' when split_part(reason, ':', 1) = 'no_registry' then reason else 'no_registry:' ||
      least($5::date, (now() at time zone 'utc')::date) end as found
  from known
), judged as materialized (
  select *, case when split_part(found, ':', 1) in ('listed', 'approved') then 'validated' when split_part(found, ':',
      1) = 'no_registry' then 'pending' else 'invalid' end as verdict
  from reasoned
), changed as (
  update certificates c
  set status = j.verdict, reason = j.found, expires_on = j.ends_on, turned_invalid = j.verdict = 'invalid' and case
      when j.status = 'invalid' then j.turned_invalid else j.reason <> '' end
  from judged j
  where c.brand_id = $6 and c.id = j.id and c.id = any ($7::bigint[]) and (c.status, c.reason, c.expires_on) is distinct from (j.verdict,
      j.found, j.ends_on)
  returning c.id, c.reason, j.status as was, c.status, j.reason <> '' as was_judged, (c.status = 'validated' or j.status = 'validated')
      and (c.status <> j.status or c.expires_on is distinct from j.expires_on) as is_visible
)
select was, status, reason, was_judged, is_visible, json_agg(id) as ids
from changed
group by was, status, reason, was_judged, is_visible;

delete from certificate_notices
where brand_id = $1 and certificate_id = any ($2::bigint[]) and notice like 'invalid:%';

-- A certificate that a member changes and replaces

with named (certification_id, id_key, link) as (select $1::bigint, $2::text, $3::text), changing as (
  select c.id, c.link as old_link, named.link as new_link
  from certificates c
  join named on c.certification_id = named.certification_id and c.id_key = named.id_key and c.link <> named.link
  where c.brand_id = $4
), kept as (
  insert into import_certificate_links (brand_id, import_id, certificate_id, old_link, new_link)
  select $5::bigint, $6::bigint, id, old_link, new_link
  from changing
  where $7::bigint is not null and id <= $8
), changed as (
  update certificates c
  set link = changing.new_link
  from changing
  where c.brand_id = $9 and c.id = changing.id
  returning c.id, c.status
)
select id
from changed
where status = 'validated';

insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
select r.*, search_key(r.external_certificate_id), id_sort_key(r.external_certificate_id)
from (select $1::bigint, $2::bigint, $3::text, $4::text) r (brand_id, certification_id, external_certificate_id, id_key);

insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
select brand_id, variant_id, certificate_id, $1::bigint
from (
  select $2::bigint, variant_id, $3::bigint
  from unnest($4::bigint[]) variant_id
) l (brand_id, variant_id, certificate_id);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select variant_id
  from (
    select $1::bigint, variant_id, $2::bigint
    from unnest($3::bigint[]) variant_id
  ) l (brand_id, variant_id, certificate_id)
) chosen (id);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select variant_id
  from (
    select $1::bigint, variant_id, $2::bigint
    from unnest($3::bigint[]) variant_id
  ) l (brand_id, variant_id, certificate_id)
  where l.certificate_id = any (array(
    select id
    from certificates
    where brand_id = $4 and status = 'validated'
  )) and true
) chosen (id);

update deleted_variants
set certificate_ids = array_replace(certificate_ids, $1::bigint, $2::bigint), import_ids = array(
  select case when l.certificate_id <> $3 then l.import_id end
  from unnest(certificate_ids, import_ids) with ordinality l (certificate_id, import_id, place)
  order by l.place
)
where brand_id = $4 and $5 = any (certificate_ids);

delete from variant_certificates
where brand_id = $1 and certificate_id = any (array(select id from certificates where brand_id = $2 and id = $3))
returning variant_id, certificate_id;

delete from certificate_notices
where brand_id = $1 and certificate_id = any (array(select id from certificates where brand_id = $2 and id = $3));

delete from certificates where brand_id = $1 and id = $2;

-- The deletion of products

insert into "deletions" ("brand_id", "user_id", "variants")
values ($1, $2, $3)
returning "id";

insert into deleted_variants ("brand_id", "id", "gtin", "name", "category", "details", "published", "created_at", "version",
    "change_count", deletion_id, certificate_ids, import_ids)
select "brand_id", "id", "gtin", "name", "category", "details", "published", "created_at", "version", "change_count", $1::bigint, case
    when has_certs then array(
  select "certificate_id"
  from variant_certificates l
  where l.brand_id = $2 and l.variant_id = variants.id
  order by certificate_id
) else '{}' end, case when has_certs then array(
  select "import_id"
  from variant_certificates l
  where l.brand_id = $3 and l.variant_id = variants.id
  order by certificate_id
) else '{}' end
from variants
where brand_id = $4 and id = any ($5::bigint[]);

select coalesce(array_agg(distinct id), '{}')::text as ids
from (
  select id
  from variants
  where brand_id = $1 and id = any ($2::bigint[])
) chosen (id);

with gone as (
  delete from variants
  where brand_id = $1 and id = any ($2::bigint[])
  returning published, has_certs
)
select -count(*) as total, -count(*) filter (where published) as published, -count(*) filter (where has_certs) as certified,
    -count(*) filter (where published and has_certs) as published_certified
from gone;

-- Their restoration

insert into variants ("brand_id", "id", "gtin", "name", "category", "details", "published", "created_at", "version", "change_count",
    has_certs, gtin14, name_key)
overriding system value
with undone as materialized (
  select variants_after, variants_to
  from imports
  where brand_id = $1 and state = 'undone'
), linked as materialized (
  select l.id, c.id as certificate_id
  from (
    select d.id, d.deletion_id, l.certificate_id, l.import_id
    from deleted_variants d
    cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
    where d.brand_id = $2 and not exists (
      select
      from imports i
      where i.brand_id = $3 and i.id = l.import_id and i.state = 'undone'
    )
  ) l
  left join certificates c on c.brand_id = $4 and c.id = l.certificate_id
  where l.deletion_id = $5
)
select "d"."brand_id", "d"."id", "d"."gtin", "d"."name", "d"."category", "d"."details", "d"."published", "d"."created_at", "d"."version",
    "d"."change_count", d.id in (select id from linked where certificate_id is not null), lpad("d"."gtin", 14, '0'), search_key("d"."name")
from deleted_variants d
where d.brand_id = $6 and d.deletion_id = $7 and not (not "d"."version" > 1 and d.id not in (select id from linked) and exists (
  select
  from undone i
  where d.id > i.variants_after and d.id <= i.variants_to
))
on conflict do nothing;

insert into variant_certificates (brand_id, variant_id, certificate_id, import_id)
select c.brand_id, l.id, c.id, l.import_id
from (
  select d.id, d.deletion_id, l.certificate_id, l.import_id
  from deleted_variants d
  cross join lateral unnest(d.certificate_ids, d.import_ids) l (certificate_id, import_id)
  where d.brand_id = $1 and not exists (
    select
    from imports i
    where i.brand_id = $2 and i.id = l.import_id and i.state = 'undone'
  )
) l
join variants v on v.brand_id = $3 and v.id = l.id and v.has_certs
join certificates c on c.brand_id = $4 and c.id = l.certificate_id
where l.deletion_id = $5
on conflict do nothing;

insert into variant_search_waiting (brand_id, variant_id)
select v.brand_id, v.id
from (
  select v.brand_id, v.id, v.published, v.has_certs
  from variants v
  join deleted_variants d on d.brand_id = $1 and d.id = v.id and d.deletion_id = $2
  where v.brand_id = $3
) v
where v.id <= coalesce((select indexed_to from variant_counts where brand_id = $4), 0);

insert into deliveries as d (brand_id, variant_id)
select v.brand_id, v.id
from (
  select v.brand_id, v.id, v.published, v.has_certs
  from variants v
  join deleted_variants d on d.brand_id = $1 and d.id = v.id and d.deletion_id = $2
  where v.brand_id = $3
) v
where v.published
on conflict (brand_id, variant_id) do update
set wanted = 'present', revision = d.revision + 1, state = 'queued', reason = '', attempts = 0, next_attempt_at = excluded.updated_at,
    updated_at = excluded.updated_at;

delete from deleted_variants d
where d.brand_id = $1 and d.deletion_id = $2;

update deletions
set restored_at = now(), restored = $1
where brand_id = $2 and id = $3;

