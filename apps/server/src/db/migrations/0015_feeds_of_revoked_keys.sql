-- A feed URL ends with the key that created it. Those of keys that were revoked before that work no longer.
update channel_feeds f set revoked_at = now() from api_keys k
where k.brand_id = f.brand_id and k.user_id = f.created_by and k.revoked_at is not null and f.revoked_at is null;
