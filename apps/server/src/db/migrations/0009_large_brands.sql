-- Counting the coverage reads all variants of a brand. In large brands a job counts it after writes, and its answer is kept here.
create table coverage_counts (
  brand_id bigint primary key,
  -- Of each certification: certification_id, variants, siblings_without.
  counts jsonb not null,
  counted_at timestamptz not null
);
alter table due_work drop constraint due_work_kind_check;
alter table due_work add constraint due_work_kind_check check (kind in ('deliver', 'index_variants', 'expire_certificates', 'mail_certificates', 'review_certificates', 'purge_imports', 'purge_deletions', 'purge_brand', 'purge_history', 'end_connections', 'count_coverage'));
-- In two steps: on a cluster the counts are distributed, and the work is not.
create temporary table large_brands on commit drop as select brand_id from variant_counts where total > 16384;
insert into due_work (brand_id, kind, due_at) select brand_id, 'count_coverage', now() from large_brands;

-- What an import certified, without reading all links of the brand.
create index variant_certificates_import_idx on variant_certificates (import_id, brand_id, variant_id) where import_id is not null;
