import { BRAND_TABLES } from '../src/db/distribute.ts';

/** Where a statement reads, changes or deletes rows of a brand's table; an insert names the brand in its rows. */
const READS = new RegExp(`\\b(?:from|join|update|using)\\s+(?:only\\s+)?"?(${BRAND_TABLES.join('|')})"?\\b`, 'g');
const INSERTS = new RegExp(`\\binsert into\\s+"?(${BRAND_TABLES.join('|')})"?[^(]*\\(([^)]*)\\)`, 'g');
const COMPARES = /brand_id"?\s*=\s*|=\s*(?:\w+\.)?"?brand_id\b/g;
const NAMES_ONE = /brand_id"?\s*=\s*(?:\$\d+|\d+)/;

/**
 * What every statement of the product has to keep, because a distributed database sends it to one node: it touches rows of one brand
 * only, and says of which. As many comparisons of brand_id as there are tables, one of them with a value.
 */
export function checkNamesOneBrand(text: string): void {
  const statement = text.replaceAll(/--.*$/gm, '').toLowerCase();
  const tables = [...statement.matchAll(READS)].map(([, table]) => table);
  const compared = [...statement.matchAll(COMPARES)].length;
  const isOfOneBrand = tables.length === 0 || (compared >= tables.length && NAMES_ONE.test(statement));
  const withoutBrand = [...statement.matchAll(INSERTS)].some(([, , columns]) => !columns?.includes('brand_id'));
  if (isOfOneBrand && !withoutBrand) return;
  throw new Error(`This statement touches a brand's table without naming the brand:\n${text}`);
}
