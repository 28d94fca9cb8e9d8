-- What people search and sort by: without case and accents ('Crème BRÛLÉE' is found by, and sorts as, 'creme brulee').
-- Text in ASCII, which most is, skips the dictionary; not strict, so that PostgreSQL can inline it (a third of the time).
create extension if not exists unaccent;

-- Both spellings of an accent (one character, or a letter and a mark) and both small sigmas are one. lower() follows a fixed
-- Unicode collation: under a database's own it would leave 'Ж' alone in one place and not in the next.
do $migration$
begin
  execute format($definition$
    create or replace function search_key_beyond_ascii(value text) returns text
    language plpgsql immutable strict parallel safe
    as $body$
    begin
      return translate(lower(%1$I.unaccent(%2$L::regdictionary, normalize(value, NFC)) collate %3$I), 'ς', 'σ');
    end
    $body$
  $definition$,
    -- By its full name, so that it is found whatever search_path a restore or a maintenance job runs with.
    (select extnamespace::regnamespace from pg_extension where extname = 'unaccent'),
    (select format('%I.unaccent', extnamespace::regnamespace) from pg_extension where extname = 'unaccent'),
    -- Built in since PostgreSQL 17; before that, ICU's root collation has the same letters.
    (select coalesce(max(collname) filter (where collname = 'pg_c_utf8'), 'und-x-icu')
     from pg_collation where collname in ('pg_c_utf8', 'und-x-icu')));
end
$migration$;

create or replace function search_key(value text) returns text language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C")
  else search_key_beyond_ascii(value)
end;
