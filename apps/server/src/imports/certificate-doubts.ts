import type { LikelyId } from '@brand-portal/contract/import';
import { listWholeCatalogue } from '../catalog/certificates/catalogue.ts';
import { compileIdPatterns, type IdPatterns, isWellFormed } from '../catalog/fields/certificate-ids.ts';
import { list, shorten } from '../catalog/fields/columns.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import type { Db } from '../db/database.ts';
import { listGivenIds, listSimilarIds, type NamedId } from './certificate-doubts.queries.ts';
import { withHashJoins } from './plan.queries.ts';
import type { ImportKey } from './staging.queries.ts';

/** Certificate ids of a file that are probably mistyped. */

const MAX_LIKELY = 20;
/** All ids of nearly every file; reading them takes a tenth of a second. */
const MAX_COMPARED = 100_000;

/** A mistyped id, and the one that is probably meant. */
export interface MistypedId {
  readonly from: NamedId;
  readonly to: NamedId;
}

export interface CertificateDoubts {
  readonly mistyped: readonly MistypedId[];
  readonly warnings: readonly ImportWarning[];
}

/** Call it inside a transaction. */
export async function findCertificateDoubts(db: Db, stage: ImportKey): Promise<CertificateDoubts> {
  const catalogue = await listWholeCatalogue(db);
  const patterns = compileIdPatterns(catalogue.flatMap(({ id, id_pattern }) => (id_pattern === null ? [] : [{ id, id_pattern }])));
  const mistyped = findMistyped(await withHashJoins(db, () => listSimilarIds(db, stage, MAX_COMPARED)), patterns);
  const nameOf = ({ certification_id, key }: Pick<NamedId, 'certification_id' | 'key'>) => `${certification_id} ${key}`;
  const named = new Set(mistyped.map(({ from }) => nameOf(from)));
  const given = await withHashJoins(db, () => listGivenIds(db, stage, [...patterns.keys()], MAX_COMPARED));
  const malformed = given.filter((id) => !isRight(id, patterns) && !named.has(nameOf(id)));
  const warnings: ImportWarning[] = [];
  if (mistyped.length > 0) {
    const ids = list(mistyped.map(({ from, to }) => `${shorten(from.id)} → ${shorten(to.id)}`));
    warnings.push({ code: 'mistyped_certificates', params: { ids } });
  }
  if (malformed.length > 0) {
    const ids = list(malformed.map(({ certification_name, id }) => `${certification_name} ${shorten(id)}`));
    warnings.push({ code: 'malformed_certificates', params: { ids, count: malformed.length } });
  }
  return { mistyped, warnings };
}

export function toLikelyIds({ mistyped }: CertificateDoubts): LikelyId[] {
  return mistyped.slice(0, MAX_LIKELY).map(({ from, to }) => ({
    certification_id: from.certification_id,
    certification_name: from.certification_name,
    certificate_id: from.id,
    likely_id: to.id,
    rows: from.rows,
  }));
}

/**
 * An id that the brand lacks is probably mistyped if one that looks like it is likelier: of the documented form, else one of the brand's, else
 * more frequent in the file, else earlier. So a mistyped id of the brand does not put the right one in doubt. Hyphens at other places make
 * another id: PEFC/02-31-12 is not PEFC/02-311-2. The time grows with the number of ids, also if all look alike.
 */
function findMistyped(ids: readonly (NamedId & { readonly look: string })[], patterns: IdPatterns): readonly MistypedId[] {
  const likeliestFirst = ids
    .map((id) => ({ id, likelihood: [Number(isRight(id, patterns)), Number(id.is_known), id.rows, -id.first_row] }))
    .sort((a, b) => compare(b.likelihood, a.likelihood));
  const mistyped: MistypedId[] = [];
  /** The likeliest one with its hyphens at the same places. */
  const alike = new Map<string, Ranked>();
  /** The likeliest one, and the likeliest with another number of hyphens. */
  const leaders = new Map<string, Ranked[]>();
  for (const [rank, { id }] of likeliestFirst.entries()) {
    const parts = id.key.split('-');
    const ranked = { id, rank, parts: parts.length };
    const look = `${id.certification_id} ${id.look}`;
    const form = `${look} ${parts.map(({ length }) => length).join('-')}`;
    const leading = leaders.get(look) ?? [];
    const others = [alike.get(form), leading.find((leader) => leader.parts !== parts.length)];
    const [to] = others.filter((other) => other !== undefined).sort((a, b) => a.rank - b.rank);
    if (to && !id.is_known) mistyped.push({ from: id, to: to.id });
    if (!alike.has(form)) alike.set(form, ranked);
    if (leading.every((leader) => leader.parts !== parts.length)) leaders.set(look, [...leading, ranked].slice(0, 2));
  }
  return mistyped.sort((a, b) => a.from.first_row - b.from.first_row);
}

interface Ranked {
  readonly id: NamedId;
  readonly rank: number;
  /** Parts between hyphens. */
  readonly parts: number;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, index) => value !== b[index]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function isRight({ certification_id, id, key }: Omit<NamedId, 'is_known'>, patterns: IdPatterns): boolean {
  return [id, key].some((spelling) => isWellFormed(patterns, certification_id, spelling));
}
