-- An import is a job that any server can run: what it needs is stored with it.
alter table imports add column kind text collate "C" not null default 'file';
alter table imports add column former_state text collate "C";
alter table imports add column attempt integer not null default 0;
alter table imports add column interruptions integer not null default 0;
alter table imports add column request jsonb not null default '{}';
alter table imports add column staged jsonb;
alter table imports add column planned jsonb;
alter table imports add column outcome jsonb;

update imports set kind = 'undo' where undoes_import_id is not null;
update imports set kind = 'corrections' where corrects_import_id is not null;
-- Their files were in the memory of a server of the previous version.
update imports set state = 'failed', stage = null, failure = '{"code": "interrupted"}' where state in ('waiting', 'running');

alter table imports add constraint imports_kind_check check (kind in ('file', 'corrections', 'undo', 'publish', 'publish_all', 'unpublish', 'delete', 'restore'));
-- The pairs of modules/import/states.queries.ts, which a test compares. Rows of earlier versions have no former state.
alter table imports add constraint imports_transition_check check (former_state || '>' || state in (
  'waiting>running', 'waiting>failed', 'waiting>cancelled', 'waiting>discarded',
  'running>waiting', 'running>checked', 'running>done', 'running>failed', 'running>cancelled', 'running>discarded',
  'checked>waiting', 'checked>discarded', 'done>undone'
));
-- For the list, which leaves out actions on variants.
create index imports_listed_idx on imports (brand_id, id) where kind in ('file', 'corrections', 'undo');
create index imports_unfinished_idx on imports (brand_id, id) where state in ('waiting', 'running', 'checked');

-- Uploaded files, until their rows are staged: a server that takes an import over reads its file again.
create table import_files (
  brand_id bigint not null,
  import_id bigint not null,
  part integer not null,
  bytes bytea not null,
  primary key (brand_id, import_id, part)
);

-- Staged rows and plans survive a crash of the database. On a cluster they are logged already.
do $logged$
begin
  if (select relpersistence = 'u' from pg_class where oid = 'import_rows'::regclass) then
    alter table import_rows set logged;
    alter table import_links set logged;
  end if;
end
$logged$;

-- What an import does to each variant of its file.
create table import_plan (
  brand_id bigint not null,
  import_id bigint not null,
  first_row integer not null,
  gtin text collate "C" not null,
  gtin14 text collate "C" not null,
  variant_id bigint,
  name text collate "C" not null,
  category text collate "C" not null,
  details jsonb not null,
  before jsonb,
  after jsonb,
  publishes boolean not null,
  was_published boolean not null,
  certifies boolean not null,
  sends_again boolean not null,
  primary key (brand_id, import_id, first_row)
);

-- A plan is valid as long as the brand has not changed since.
alter table variant_counts add column changes bigint not null default 1;

drop table staged_imports;

-- What an import changed, by field. A table of its own instead of an update, because a cluster refuses these expressions in an update.
alter table import_changes rename to former_import_changes;
create table import_changes (
  brand_id bigint not null,
  import_id bigint not null,
  variant_id bigint not null,
  gtin text collate "C" not null,
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  was_published boolean not null,
  newly_published boolean not null,
  undone boolean not null default false,
  constraint import_changes_key primary key (brand_id, import_id, variant_id)
);
insert into import_changes (brand_id, import_id, variant_id, gtin, before, after, was_published, newly_published, undone)
select brand_id, import_id, variant_id, gtin,
  jsonb_strip_nulls(jsonb_build_object(
    'name', case when new_name <> old_name then old_name end,
    'category', case when new_category <> old_category then old_category end,
    'description', nullif(old_details->>'description', new_details->>'description'),
    'image_link', nullif(old_details->>'image_link', new_details->>'image_link'),
    'product_page_url', nullif(old_details->>'product_page_url', new_details->>'product_page_url'))),
  jsonb_strip_nulls(jsonb_build_object(
    'name', case when new_name <> old_name then new_name end,
    'category', case when new_category <> old_category then new_category end,
    'description', nullif(new_details->>'description', old_details->>'description'),
    'image_link', nullif(new_details->>'image_link', old_details->>'image_link'),
    'product_page_url', nullif(new_details->>'product_page_url', old_details->>'product_page_url'))),
  was_published, newly_published, undone
from former_import_changes;
drop table former_import_changes;

\i functions/id_sort_key.sql
