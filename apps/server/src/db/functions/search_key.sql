-- The key for search and sorting, without case and accents ('Crème BRÛLÉE' is found by, and sorts as, 'creme brulee'). ASCII text, which is
-- most, skips the dictionary. Not strict, so that PostgreSQL can inline it (a third of the time).
create extension if not exists unaccent;

-- Composed and decomposed accents are equal, and so are both small sigmas. lower() uses a fixed Unicode collation: with the database's own,
-- 'Ж' would depend on the installation.
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
    -- Schema-qualified, so that it is found with any search_path, as in a restore or a maintenance job.
    (select extnamespace::regnamespace from pg_extension where extname = 'unaccent'),
    (select format('%I.unaccent', extnamespace::regnamespace) from pg_extension where extname = 'unaccent'),
    -- Built in since PostgreSQL 17. Before that, ICU's root collation gives the same result.
    (select coalesce(max(collname) filter (where collname = 'pg_c_utf8'), 'und-x-icu')
     from pg_collation where collname in ('pg_c_utf8', 'und-x-icu')));
end
$migration$;

create or replace function search_key(value text) returns text language sql immutable parallel safe
return case
  when octet_length(value) = length(value) then lower(value collate "C")
  else search_key_beyond_ascii(value)
end;
