-- The key by which certificates are sorted by their id. CU-9 before CU-10: numbers are compared at the length of 20 digits. Most ids end with
-- their only number, and need no regular expression, which takes half of the time of inserting a certificate.
create or replace function id_sort_key(value text) returns text language plpgsql immutable parallel safe as $id_sort_key$
declare
  key text := search_key(value);
  head text := rtrim(key, '0123456789');
  digits integer := length(key) - length(head);
begin
  if digits between 1 and 20 and translate(head, '0123456789', '') = head then
    return head || lpad(right(key, digits), 20, '0');
  end if;
  return regexp_replace(regexp_replace(key, '([0-9]+)', '00000000000000000000\1', 'g'), '0*([0-9]{20})', '\1', 'g');
end
$id_sort_key$;
