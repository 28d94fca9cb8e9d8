-- Names that were stored with characters that are not seen (zero-width spaces, soft hyphens, marks of direction, fillers).
update brands set name = plain
from (
  select id as of_id, btrim(regexp_replace(
    regexp_replace(name, '[\u00AD\u034F\u061C\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0D\uFEFF]', '', 'g'),
    '[\s\u115F\u1160\u3164\uFFA0\u2800]+', ' ', 'g'
  )) as plain
  from brands
) spelled
where id = of_id and name <> plain and plain <> '';
