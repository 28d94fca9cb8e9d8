-- A feed's digest reads every product of the brand. It is kept until a write of the brand counts a change, or the day or the
-- connection is another one.
alter table channel_feeds add column changes bigint not null default 0;
alter table channel_feeds add column digest_key text collate "C";
alter table channel_feeds add column digest_changes bigint;
alter table channel_feeds add column digested_at timestamptz;
