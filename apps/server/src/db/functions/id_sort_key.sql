-- The key by which certificates are sorted by their id. CU-9 before CU-10: numbers are compared at the length of 20 digits.
create or replace function id_sort_key(value text) returns text language sql immutable parallel safe
return regexp_replace(regexp_replace(search_key(value), '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g');
