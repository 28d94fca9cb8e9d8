-- Trigrams from each position (shorter at the end), prefixed with the brand. A search looks up 3 characters exactly, 1 or 2 as a prefix,
-- and never reads entries of another brand. Split by three regular expressions, each starting one character later: half the time of a loop.
create or replace function variant_grams(brand_id bigint, name_key text, gtin14 text) returns tsvector
language sql immutable parallel safe
return array_to_tsvector(string_to_array(rtrim(
  regexp_replace(name_key || E'\n' || gtin14, '..?.?', to_hex(brand_id) || E':\\&\x01', 'g') ||
  regexp_replace(substr(name_key || E'\n' || gtin14, 2), '..?.?', to_hex(brand_id) || E':\\&\x01', 'g') ||
  regexp_replace(substr(name_key || E'\n' || gtin14, 3), '..?.?', to_hex(brand_id) || E':\\&\x01', 'g'),
  E'\x01'), E'\x01'));
