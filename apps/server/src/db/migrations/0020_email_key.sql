-- Two spellings of an address are one person when they differ in the case of A to Z and in nothing else. lower() alone also folds a
-- Kelvin sign and, depending on the database's locale, a dotted capital I: one person then was found for another one's address.
-- Under the collation "C" it folds A to Z only, whatever the locale (tried: PostgreSQL 15 and 18, with libc, builtin and Turkish ICU locales).

do $$
declare
  twins text;
begin
  select string_agg(who, '; ' order by who) into twins from (
    select string_agg(format('user %s %s', id, email), ' and ' order by id) as who
    from users group by lower(email collate "C") having count(*) > 1
    union all
    select string_agg(format('account %s %s', subject, email), ' and ' order by subject)
    from idp_accounts group by lower(email collate "C") having count(*) > 1
  ) found;
  if twins is not null then
    raise exception 'Some people are in the database twice, under addresses that differ in case only (%): give one of each pair another address, or delete it, with the version that ran before; then start this one again.', twins;
  end if;
end
$$;

drop index users_email_key;
alter table users
  add column email_key text collate "C" not null generated always as (lower(email collate "C")) stored
  constraint users_email_key unique;

drop index idp_accounts_email_key;
alter table idp_accounts
  add column email_key text collate "C" not null generated always as (lower(email collate "C")) stored
  constraint idp_accounts_email_key unique;
