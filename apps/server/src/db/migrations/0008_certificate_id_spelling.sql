-- Ids that were stored with typographic dashes or with a spreadsheet's '.0'. Their key ignores both, so it stays.
update certificates set external_certificate_id = plain, id_search = search_key(plain), sort_key = id_sort_key(plain)
from (
  select brand_id as of_brand, id as of_id, regexp_replace(
    translate(external_certificate_id, U&'\2010\2011\2012\2013\2014\2015\2043\2212\FE58\FE63\FF0D', '-----------'), '^([0-9]+)[.,]0+$', '\1'
  ) as plain
  from certificates
) spelled
where brand_id = of_brand and id = of_id and external_certificate_id <> plain;
