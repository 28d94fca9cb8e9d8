-- A search with a filter looks its finds up in an index that has only the rows with the flag, and little else: a third of a brand is
-- published, and several finds are on the same page. The key's index had the flags before, and each find was on a page of its own;
-- with them its entries were also too wide for PostgreSQL to fill its pages (docs/decisions/0005-variant-list.md).
--
-- Locks the variants while the indexes are built: some seconds for a million.

create index variants_published_idx on variants (brand_id, id) where published;
create index variants_certified_idx on variants (brand_id, id) where has_certs;

alter table variant_certificates drop constraint variant_certificates_brand_id_variant_id_fkey;
alter table variants drop constraint variants_pkey, add primary key (brand_id, id);
alter table variant_certificates add foreign key (brand_id, variant_id) references variants on delete cascade;
