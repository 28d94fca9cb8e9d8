-- Revoking a key also revokes the feed URL that it created. This does it for keys that were revoked before that was so.
update channel_feeds f set revoked_at = now() from api_keys k
where k.brand_id = f.brand_id and k.user_id = f.created_by and k.revoked_at is not null and f.revoked_at is null;
