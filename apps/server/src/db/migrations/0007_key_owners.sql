-- Who created the feed URL: a person, or the user of an API key. Null: not known. It ends with their membership, or with the key.
alter table channel_feeds add column created_by bigint references users on delete set null;
-- In two steps: on a cluster the log is distributed, and users are not.
create temporary table feed_creators on commit drop as
  select distinct on (brand_id) brand_id, user_id from audit_log where action = 'channel.feed_created' order by brand_id, id desc;
update channel_feeds f set created_by = u.id from feed_creators c join users u on u.id = c.user_id where c.brand_id = f.brand_id;

-- A key that can change the brand does not work forever.
update api_keys set expires_at = now() + interval '365 days' where role = 'admin' and expires_at is null;
alter table api_keys add constraint api_keys_admins_expire check (role <> 'admin' or expires_at is not null);
