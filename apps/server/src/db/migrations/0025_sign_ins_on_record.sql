-- Sign-ins are on record for a year. They belong to no brand.
create index audit_log_without_brand_idx on audit_log (created_at) where brand_id is null;
