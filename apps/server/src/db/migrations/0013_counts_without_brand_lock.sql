-- Whoever changes what a list shows adds a row of counts, and its foreign key locked the brand for that: late, with rows in hand that
-- the deletion of the brand needs, so that both waited for each other (docs/decisions/0008-delivery-to-the-channel.md).
--
-- Takes milliseconds once it has its locks. Writers take these in several orders, so that waiting for them would end in a circle: it
-- asks for a moment, lets everybody pass, and asks again, each time a little longer. First for the tables that most writers begin with.
do $$
declare
  usual constant text := current_setting('lock_timeout');
  patience integer := 0;
begin
  loop
    patience := patience + 100;
    begin
      perform set_config('lock_timeout', patience || 'ms', true);
      lock table variants, certificates in share mode;
      lock table channel_deliveries, variant_counts, brands in access exclusive mode;
      exit;
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(0.2);
    end;
  end loop;
  perform set_config('lock_timeout', usual, true);
end
$$;

alter table variant_counts drop constraint variant_counts_brand_id_fkey;

create function delete_variant_counts() returns trigger language plpgsql as $$
begin
  delete from variant_counts where brand_id = old.id;
  return null;
end
$$;
-- At the end of the transaction: until then the deletion waits for those who change its variants, and they leave counts behind. What is
-- written at that very moment stays; nobody asks for it, because a brand's number is never used again.
create constraint trigger brands_counts_deleted after delete on brands deferrable initially deferred
  for each row execute function delete_variant_counts();

-- The list shows a delivery's state and reason; that somebody works on it, or looked and found it as it was, changes nothing.
-- `except`, because it is planned the same way for one row and for 100,000; a kept plan of a join is not.
create function count_delivery_change() returns trigger language plpgsql as $$
begin
  perform add_variant_counts(brand_id, 0, 0, 0, 0)
  from (
    select distinct brand_id from (
      select brand_id, variant_id, channel, state, reason from new_rows
      except
      select brand_id, variant_id, channel, state, reason from old_rows
    ) changed
  ) brands order by brand_id;
  return null;
end
$$;
create or replace trigger deliveries_change_list_updated after update on channel_deliveries
  referencing old table as old_rows new table as new_rows for each statement execute function count_delivery_change();
