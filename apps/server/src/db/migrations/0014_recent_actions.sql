-- What happened in a brand within the last hour is counted for the limit of invitation mails, however long its history is.
create index audit_log_brand_action_idx on audit_log (brand_id, action, created_at);
