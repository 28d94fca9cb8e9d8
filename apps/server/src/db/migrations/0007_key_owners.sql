-- Who created the feed URL: a person, or the user of an API key. Null: not known. It ends with their membership, or with the key.
alter table channel_feeds add column created_by bigint references users on delete set null;
update channel_feeds f set created_by = a.user_id from (
  select distinct on (brand_id) brand_id, user_id from audit_log where action = 'channel.feed_created' order by brand_id, id desc
) a
where a.brand_id = f.brand_id and exists (select from users u where u.id = a.user_id);

-- A key that can change the brand does not work forever.
update api_keys set expires_at = now() + interval '365 days' where role = 'admin' and expires_at is null;
alter table api_keys add constraint api_keys_admins_expire check (role <> 'admin' or expires_at is not null);
