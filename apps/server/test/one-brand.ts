import { BRAND_TABLES } from '../src/db/distribute.ts';

/** Tables with a brand_id that a statement reads, updates or deletes from. */
const READS = new RegExp(`\\b(?:from|join|update|using)\\s+(?:only\\s+)?"?(${BRAND_TABLES.join('|')})"?\\b`, 'g');
const INSERTS = new RegExp(`\\binsert into\\s+"?(${BRAND_TABLES.join('|')})"?[^(]*\\(([^)]*)\\)`, 'g');
const COMPARES = /brand_id"?\s*=\s*|=\s*(?:\w+\.)?"?brand_id\b/g;
const NAMES_ONE = /brand_id"?\s*=\s*(?:\$\d+|\d+)/;

/**
 * Fails if a statement could touch more than one brand: Citus must be able to route every statement to one node. A statement needs at
 * least as many comparisons of brand_id as tables, one of them with a value. An insert must set brand_id.
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
