-- Everything that changed between the releases 1.0.0 and 1.0.1. It was first written into the baseline, which databases of that time
-- were made by, so each step is skipped where its result exists.
\i functions/id_sort_key.sql

drop index if exists invitations_expires_at_idx;
create index if not exists invitations_expiry_idx on invitations (greatest(expires_at, link_expires_at));

-- The operator may have changed the aliases, or given one as a name.
update certifications c set aliases = c.aliases || array(
  select alias from unnest(new.aliases) with ordinality n (alias, place)
  where search_key(alias) <> all (array(select search_key(known) from unnest(c.aliases) known))
    and not exists (select from certifications other where search_key(other.name) = search_key(alias))
  order by place
)
from (values
  ('USDA Organic', array['Orgánico', 'Ecológico']),
  ('EU Organic', array['Eurohoja', 'Agricultura ecológica', 'Producción ecológica', 'Orgánico', 'Ecológico']),
  ('Fairtrade', array['Comercio justo']),
  ('Fair Trade Certified', array['Comercio justo']),
  ('EU Ecolabel', array['Etiqueta ecológica de la UE', 'Etiqueta ecológica europea', 'Ecoetiqueta europea', 'Ecoetiqueta']),
  ('EPREL', array['Etiqueta energética de la UE']),
  ('Nordic Swan Ecolabel', array['Cisne nórdico', 'Ecoetiqueta']),
  ('Blue Angel', array['Ángel azul']),
  ('COSMOS Organic', array['Orgánico', 'Ecológico'])
) new (name, aliases)
where c.name = new.name;

-- The status of many certificates changes at once: their entry of the log names the first, and these are the others, by reason. A row for
-- each certificate took a tenth of the validation's time. The history of one certificate finds its entries by the first and the last id.
-- On a cluster the new table is distributed when the server has started.
do $$
begin
  if exists (select from pg_attribute where attrelid = 'audit_certificates'::regclass and attname = 'certificate_id') then
    create table audit_certificates_by_reason (
      brand_id bigint not null,
      audit_id bigint not null,
      first_id bigint not null,
      last_id bigint not null,
      reason text not null,
      certificate_ids bigint[] not null
    );
    -- Not compressed: that would take longer than all the rest.
    alter table audit_certificates_by_reason alter certificate_ids set storage external;
    insert into audit_certificates_by_reason
      select brand_id, audit_id, min(certificate_id), max(certificate_id), reason, array_agg(certificate_id order by certificate_id)
      from audit_certificates group by brand_id, audit_id, reason;
    drop table audit_certificates;
    alter table audit_certificates_by_reason rename to audit_certificates;
    alter table audit_certificates add primary key (brand_id, audit_id, first_id);
  end if;
end $$;

-- It is invalid and had another status before: owners and admins get a mail. Otherwise it was invalid from the start, and its import said so.
alter table certificates add column if not exists turned_invalid boolean not null default false;
update certificates c set turned_invalid = true from certificate_notices n
where n.brand_id = c.brand_id and n.certificate_id = c.id and c.status = 'invalid' and not c.turned_invalid
  and n.notice = case when c.reason like 'expired:%' then '0' || substr(c.reason, 8) else 'invalid:' || c.reason end;
-- A notice without a day was waiting for its mail. Now turned_invalid says that.
delete from certificate_notices where told_on is null;
alter table certificate_notices alter told_on set not null;

-- Those that several attempts could not send or withdraw; the condition is UNREACHABLE of variant-reasons.queries.ts.
create index if not exists deliveries_unreachable_idx on deliveries (brand_id, variant_id)
  where attempts >= 3 and state in ('queued', 'removing') and reason <> '';
-- What the channel rejected when it was sent has no sent revision, and what it has of the product from before is withdrawn.
update deliveries set sent_revision = null, next_attempt_at = now()
where wanted = 'present' and state = 'refused' and sent_revision is distinct from revision and resource is not null and next_attempt_at is null;
insert into due_work (brand_id, kind, due_at)
  select distinct brand_id, 'deliver', now() from deliveries
  where wanted = 'present' and state = 'refused' and sent_revision is null and next_attempt_at <= now()
on conflict (brand_id, kind) do update set due_at = least(due_work.due_at, excluded.due_at);

-- Nothing lands until it is confirmed.
alter table imports add column if not exists is_check boolean not null default false;
update imports set is_check = true where state in ('checked', 'discarded') and not is_check;
update audit_log a set action = 'variants.check_discarded' from imports i
where a.action = 'variants.import_cancelled' and i.brand_id = a.brand_id and i.id = (a.details->>'import_id')::bigint
  and i.state = 'discarded';
-- An import that changed nothing cannot be undone.
update imports i set undo_until = null
where state = 'done' and undoes_import_id is null and undo_until > now() and variants_created = 0 and variants_updated = 0
  and not exists (select from import_certificate_links k where k.brand_id = i.brand_id and k.import_id = i.id);
alter table imports add column if not exists rejected_bytes bigint not null default 0;
update imports i set rejected_bytes = r.bytes from (
  select brand_id, import_id,
    sum(pg_column_size(coalesce(original->'cells', cells)) + pg_column_size(coalesce(original->'errors', errors))) as bytes
  from import_rejected_rows group by brand_id, import_id
) r
where i.brand_id = r.brand_id and i.id = r.import_id and i.rejected_bytes = 0;

do $$
begin
  if exists (select from pg_attribute where attrelid = 'import_rejected_rows'::regclass and attname = 'said') then
    alter table import_rejected_rows rename said to content;
  end if;
end $$;

-- The certifications that an ambiguous name could mean have name and body apart. They were one text: '"Fairtrade" (FLOCERT)'.
create function named_choices(problems jsonb) returns jsonb language sql immutable
return (
  select jsonb_agg(
    case jsonb_typeof(p.problem #> '{params,choices,0}') when 'string' then jsonb_set(p.problem, '{params,choices}', (
      select jsonb_agg(jsonb_build_object('name', parts[1], 'body', parts[2]) order by place)
      from jsonb_array_elements_text(p.problem #> '{params,choices}') with ordinality c (text, place)
      cross join lateral regexp_match(text, '^"(.*)" \((.*)\)$') m (parts)
    )) else p.problem end order by p.place
  )
  from jsonb_array_elements(problems) with ordinality p (problem, place)
);
update import_rejected_rows set errors = named_choices(errors) where errors @> '[{"code": "ambiguous_certification"}]';
update import_rejected_rows set original = jsonb_set(original, '{errors}', named_choices(original->'errors'))
where original @> '{"errors": [{"code": "ambiguous_certification"}]}';
update import_rows set errors = named_choices(errors) where errors @> '[{"code": "ambiguous_certification"}]';
drop function named_choices(jsonb);

alter table deletions add column if not exists restored bigint not null default 0;
update deletions d set restored = (a.details->>'restored')::bigint from audit_log a
where a.brand_id = d.brand_id and a.action = 'variants.restored' and a.details->>'deletion_id' = d.id::text
  and d.restored_at is not null and d.restored = 0;
-- The history names variants that are gone by its own entry.
update audit_log a set details = a.details || d.named from (
  select brand_id, deletion_id, jsonb_build_object('names', (array_agg(name order by id))[1:3]) as named
  from deleted_variants group by brand_id, deletion_id
) d
where a.brand_id = d.brand_id and a.action = 'variants.deleted' and a.details->>'deletion_id' = d.deletion_id::text and not a.details ? 'names';

-- The keys for search and sorting are not generated columns: an update of other columns would parse their expressions again for each row, a
-- quarter of its time (PostgreSQL 15 to 18). modules/writes/ writes them.
do $$
declare
  generated record;
  dependent text;
  dependents text[];
  is_distributed boolean;
begin
  for generated in
    select attrelid::regclass as "table", attname as name, attnum as number from pg_attribute
    where attrelid in ('variants'::regclass, 'certificates'::regclass) and attgenerated <> ''
  loop
    is_distributed := false;
    if to_regclass('pg_dist_partition') is not null then
      is_distributed := exists (select from pg_dist_partition where logicalrelid = generated."table");
    end if;
    if not is_distributed then
      execute format('alter table %s alter %I drop expression', generated."table", generated.name);
      continue;
    end if;
    -- Citus cannot drop the expression. So the column is replaced, with the constraints and indexes that it is in.
    dependents := array(
      select case
        when c.oid is null then pg_get_indexdef(i.indexrelid)
        else format('alter table %s add constraint %I %s', generated."table", c.conname, pg_get_constraintdef(c.oid))
      end
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype = 'u'
      where i.indrelid = generated."table" and exists (
        select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = i.indexrelid
          and d.refobjid = generated."table" and d.refobjsubid = generated.number
        union all
        select from pg_depend d where d.classid = 'pg_constraint'::regclass and d.objid = c.oid
          and d.refobjid = generated."table" and d.refobjsubid = generated.number
      )
      order by i.indexrelid
    );
    execute format('alter table %s add column plain_key text collate "C"', generated."table");
    execute format('update %s set plain_key = %I', generated."table", generated.name);
    execute format('alter table %s drop column %I', generated."table", generated.name);
    execute format('alter table %s rename plain_key to %I', generated."table", generated.name);
    execute format('alter table %s alter %I set not null', generated."table", generated.name);
    foreach dependent in array dependents loop
      execute dependent;
    end loop;
  end loop;
end $$;

-- Last: of indexes that seem equal, PostgreSQL takes the newest. All lead with the brand, and seem equal for a brand that it expects to have
-- one row, such as a new one. So primary keys are created after the other indexes (docs/decisions/0010-one-brand-per-statement.md).
do $$
declare
  key record;
begin
  for key in
    select k.conrelid::regclass as "table", k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_index p on p.indexrelid = k.conindid
    where k.contype = 'p' and exists (
      select from pg_index i where i.indrelid = p.indrelid and i.indkey[0] = p.indkey[0] and i.indexrelid > p.indexrelid
    ) and k.conrelid in (
      'variants'::regclass, 'certificates'::regclass, 'certificate_notices'::regclass, 'variant_certificates'::regclass, 'deliveries'::regclass
    )
  loop
    -- They refer to the keys.
    alter table variant_certificates drop constraint if exists variant_certificates_brand_id_variant_id_fkey;
    alter table variant_certificates drop constraint if exists variant_certificates_brand_id_certificate_id_fkey;
    execute format('alter table %s drop constraint %I', key."table", key.name);
    execute format('alter table %s add constraint %I %s', key."table", key.name, key.definition);
  end loop;
  if not exists (select from pg_constraint where conname = 'variant_certificates_brand_id_variant_id_fkey') then
    alter table variant_certificates add constraint variant_certificates_brand_id_variant_id_fkey
      foreign key (brand_id, variant_id) references variants;
    alter table variant_certificates add constraint variant_certificates_brand_id_certificate_id_fkey
      foreign key (brand_id, certificate_id) references certificates;
  end if;
end $$;
