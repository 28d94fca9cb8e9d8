-- Counts that read all variants of a brand. A job counts those of large brands after writes, and keeps the result here.
create table kept_counts (
  brand_id bigint not null,
  kind text collate "C" not null check (kind in ('coverage', 'readiness')),
  counts jsonb not null,
  counted_at timestamptz not null,
  primary key (brand_id, kind)
);
alter table due_work drop constraint due_work_kind_check;
alter table due_work add constraint due_work_kind_check check (kind in ('deliver', 'index_variants', 'expire_certificates', 'mail_certificates', 'review_certificates', 'purge_imports', 'purge_deletions', 'purge_brand', 'purge_history', 'end_connections', 'count_brand'));
-- In two steps: on a cluster the counts are distributed, and the work is not.
create temporary table large_brands on commit drop as select brand_id from variant_counts where total > 100000;
insert into due_work (brand_id, kind, due_at) select brand_id, 'count_brand', now() from large_brands;

-- What an import certified, without reading all links of the brand.
create index variant_certificates_import_idx on variant_certificates (import_id, brand_id, variant_id) where import_id is not null;
