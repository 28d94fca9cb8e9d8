-- "Needs attention" shows failed imports and rejected rows until a member dismisses them.
alter table imports add column dismissed_at timestamptz;
create index imports_attention_idx on imports (brand_id, created_at)
  where dismissed_at is null and (state = 'failed' and not is_check or state = 'done' and rejected > 0);
create index imports_corrections_idx on imports (brand_id, corrects_import_id) where corrects_import_id is not null;
