import type { LikelyId } from '@brand-portal/contract/import';
import type { Db } from '../../db/database.ts';
import { listWholeCatalogue } from '../certificates/catalogue.ts';
import { compileIdPatterns, type IdPatterns, isWellFormed } from '../certificates/certificate-ids.ts';
import { listGivenIds, listSimilarIds, type NamedId } from './certificate-doubts.queries.ts';
import { prepareMerge } from './merge.queries.ts';
import { list, shorten } from './rows/columns.ts';
import type { ImportWarning } from './rows/row-problem.ts';
import type { ImportKey } from './staging.queries.ts';

/** Certificate ids of a file that are probably mistyped. */

const MAX_LIKELY = 20;
/** All ids of nearly every file; reading them takes a tenth of a second. */
const MAX_COMPARED_WITH_PATTERNS = 100_000;

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
  await prepareMerge(db);
  const catalogue = await listWholeCatalogue(db);
  const patterns = compileIdPatterns(
    catalogue.flatMap(({ id, id_pattern }) => (id_pattern === null ? [] : [{ id, id_pattern }])),
  );
  const mistyped = findMistyped(await listSimilarIds(db, stage, MAX_LIKELY), patterns);
  const isMistyped = (id: Pick<NamedId, 'certification_id' | 'key'>) =>
    mistyped.some(({ from }) => from.key === id.key && from.certification_id === id.certification_id);
  const given = await listGivenIds(db, stage, [...patterns.keys()], MAX_COMPARED_WITH_PATTERNS);
  const malformed = given.filter((id) => !isRight(id, patterns) && !isMistyped(id));
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
  return mistyped.map(({ from, to }) => ({
    certification_id: from.certification_id,
    certification_name: from.certification_name,
    certificate_id: from.id,
    likely_id: to.id,
    rows: from.rows,
  }));
}

/**
 * An id that the brand lacks is probably mistyped if one that looks like it is likelier: of the documented form, else one of the brand's, else
 * more frequent in the file, else earlier. So a mistyped id of the brand does not put the right one in doubt.
 */
function findMistyped(
  ids: readonly (NamedId & { readonly look: string })[],
  patterns: IdPatterns,
): readonly MistypedId[] {
  const likelihood = (id: NamedId) => [Number(isRight(id, patterns)), Number(id.is_known), id.rows, -id.first_row];
  return ids
    .filter(({ is_known }) => !is_known)
    .sort((a, b) => a.first_row - b.first_row)
    .flatMap((from) => {
      const [to] = ids
        .filter((other) => other.certification_id === from.certification_id && other.look === from.look)
        .filter((other) => other.key !== from.key && isTypingError(from.key, other.key))
        .sort((a, b) => compare(likelihood(b), likelihood(a)));
      return to && compare(likelihood(to), likelihood(from)) > 0 ? [{ from, to }] : [];
    });
}

/** Hyphens at other places make another id: PEFC/02-31-12 is not PEFC/02-311-2. */
function isTypingError(a: string, b: string): boolean {
  const hyphensOf = (key: string) => key.split('-').length;
  const lengthsOf = (key: string) => key.split('-').map(({ length }) => length);
  return hyphensOf(a) !== hyphensOf(b) || compare(lengthsOf(a), lengthsOf(b)) === 0;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, index) => value !== b[index]);
  return index === -1 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

function isRight({ certification_id, id, key }: Omit<NamedId, 'is_known'>, patterns: IdPatterns): boolean {
  return [id, key].some((spelling) => isWellFormed(patterns, certification_id, spelling));
}
