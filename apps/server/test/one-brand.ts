import { BRAND_TABLES } from '../src/db/distribute.ts';

/** In the database, but neither distributed nor on every node. */
export const LOCAL_TABLES = [
  'api_keys',
  'brand_members',
  'brands',
  'channel_feeds',
  'channel_quota',
  'due_work',
  'invitations',
  'job_pools',
  'sessions',
  'signing_keys',
  'staff_invitations',
  'users',
];
const oneOf = (tables: readonly string[]) => `"?(${tables.join('|')})"?`;
const BRAND_TABLE = oneOf(BRAND_TABLES);

/** Tables with a brand_id that a statement reads, updates or deletes from. */
const READS = new RegExp(`\\b(?:from|join|update|using)\\s+(?:only\\s+)?${BRAND_TABLE}\\b`, 'g');
const INSERTS = new RegExp(`\\binsert into\\s+${BRAND_TABLE}[^(]*\\(([^)]*)\\)`, 'g');
const COMPARES = /brand_id"?\s*=\s*|=\s*(?:\w+\.)?"?brand_id\b/g;
/** A brand, or the brands of one node (`db/nodes.ts`). */
const NAMES_ONE = /brand_id"?\s*=\s*(?:\$\d+|\d+|any \(\$\d+::bigint\[\]\))/;

const READS_LOCAL_TABLE = new RegExp(`\\b(?:from|join|using)\\s+${oneOf(LOCAL_TABLES)}(?![\\w"])`);
const CTE_THEN_INSERT = new RegExp(`^\\s*with\\b.*\\binsert into\\s+${BRAND_TABLE}`, 's');
const LATERAL_BELOW_INSERT = new RegExp(`^\\s*insert into\\s+${BRAND_TABLE}\\s+select\\b.*\\blateral\\b`, 's');
const INSERT = new RegExp(`^\\s*insert into\\s+${BRAND_TABLE}`);
const UPDATES_WITH_PARAMETER = /\bdo update\s+set\b.*\$\d/s;
const ASSIGNMENTS = new RegExp(`\\bupdate\\s+${BRAND_TABLE}.*?\\bset\\b(.*?)(?:\\bfrom\\b|\\bwhere\\b|$)`, 's');
const CONDITIONAL = /\bcase\b.*?\bend\b|\bcoalesce\(.*?\)(?=\s*(?:,|$))/gs;
const NOT_IMMUTABLE = /\b(?:now|clock_timestamp|random|jsonb?_build_object|to_jsonb?)\(/;

/**
 * Fails if a statement could touch more than one brand: Citus must be able to route every statement to one node. A statement needs at
 * least as many comparisons of brand_id as tables, one of them with a value. An insert must set brand_id. Also fails on what Citus
 * refuses even then (docs/decisions/0010), as far as the text shows it.
 */
export function checkStatement(text: string): void {
  const statement = text.replaceAll(/--.*$/gm, '').toLowerCase();
  const tables = [...statement.matchAll(READS)].map(([, table]) => table);
  const compared = [...statement.matchAll(COMPARES)].length;
  const isOfOneBrand = tables.length === 0 || (compared >= tables.length && NAMES_ONE.test(statement));
  const withoutBrand = [...statement.matchAll(INSERTS)].some(([, , columns]) => !columns?.includes('brand_id'));
  const problem =
    !isOfOneBrand || withoutBrand
      ? "This statement touches a brand's table without naming the brand"
      : findRefused(statement, tables.length > 0);
  if (problem) throw new Error(`${problem}:\n${text}`);
}

function findRefused(statement: string, readsBrand: boolean): string | undefined {
  let outermost = statement;
  while (/\([^()]*\)/.test(outermost)) outermost = outermost.replaceAll(/\([^()]*\)/g, '');
  if (CTE_THEN_INSERT.test(outermost)) return 'Citus refuses a CTE before an insert. Write "insert into … with … select"';
  if (LATERAL_BELOW_INSERT.test(outermost)) return 'Citus refuses a lateral join directly below an insert. Put it into a materialised CTE';
  if (INSERT.test(outermost) && !readsBrand && UPDATES_WITH_PARAMETER.test(statement))
    return 'Citus refuses a parameter in "on conflict … do update" of an insert that reads no table. Use a literal';
  const [, , assignments = ''] = ASSIGNMENTS.exec(statement) ?? [];
  if ([...assignments.matchAll(CONDITIONAL)].some(([part]) => NOT_IMMUTABLE.test(part)))
    return 'Citus refuses a function that is not immutable in "case" or "coalesce" of an update. Compute it in its "from"';
  if (readsBrand && READS_LOCAL_TABLE.test(statement))
    return 'Citus refuses a join with a table that is not distributed. Use two statements';
  return undefined;
}
