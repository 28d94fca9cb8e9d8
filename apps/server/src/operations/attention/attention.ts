import {
  type Attention,
  type BrandAttention,
  READINESS_REASONS,
  type Readiness,
  type VariantReason,
} from '@brand-portal/contract/attention';
import { listCertificatePage } from '../../catalog/certificates/certificates.ts';
import { readReadiness } from '../../catalog/variants/variants.ts';
import { getConnection } from '../../channel/connections.ts';
import type { Db } from '../../db/database.ts';
import { countNoticedImports } from '../../imports/import-notices.ts';
import { getBrand, listBrands } from '../../people/brands/brands.ts';
import { countProblems, countUnreachable, listIssueGroups } from './attention.queries.ts';

interface ReasonCount {
  readonly reason: VariantReason;
  readonly count: number;
}

/** Whether Google would accept the brand's variants, or the given one. */
export async function getReadiness(db: Db, brandId: number, variantId?: number): Promise<Readiness> {
  const counts = await readReadiness(db, brandId, variantId);
  const { total, blocked, remarked, published, counted_at } = counts;
  return {
    ready: total - blocked - remarked,
    ready_with_remarks: remarked,
    blocked,
    published,
    reasons: withoutEmpty(READINESS_REASONS.map((reason) => ({ reason, count: counts[reason] }))),
    ...(counted_at !== undefined && { counted_at }),
  };
}

export async function getAttention(db: Db, brandId: number): Promise<Attention> {
  const { name } = await getBrand(db, brandId);
  const { state, registered_name } = await getConnection(db, brandId);
  const { reasons, counted_at } = await getReadiness(db, brandId);
  const { refused, partly_live, invalid, pending } = await countProblems(db, brandId);
  const ends_soon = await countEndingSoon(db, brandId);
  const judged: ReasonCount[] = [
    { reason: 'refused', count: refused },
    { reason: 'partly_live', count: partly_live },
    { reason: 'unreachable', count: await countUnreachable(db, brandId) },
  ];
  return {
    connection: state,
    brand_name_differs: registered_name !== null && registered_name !== name,
    variants: [...withoutEmpty(judged), ...reasons],
    issues: await listIssueGroups(db, brandId),
    certificates: { invalid, ends_soon, pending },
    imports: await countNoticedImports(db, brandId),
    ...(counted_at !== undefined && { counted_at }),
  };
}

/** The user's brands that have problems, in the order of the brand list. */
export async function listAttention(db: Db, userId: number): Promise<{ results: BrandAttention[] }> {
  const { results: brands } = await listBrands(db, userId);
  const results: BrandAttention[] = [];
  // Sequential: a user may have hundreds of brands, and parallel queries would use up the connection pool.
  for (const { id, name } of brands) {
    const { refused, partly_live, invalid, published } = await countProblems(db, id);
    const counts = {
      refused: refused + partly_live,
      certificates: invalid,
      imports: (await countNoticedImports(db, id)).failed,
      ends_soon: await countEndingSoon(db, id),
    };
    const state = published > 0 ? (await getConnection(db, id)).state : 'connected';
    const connection = state === 'connected' ? null : state;
    if (connection || Object.values(counts).some((count) => count > 0)) results.push({ brand_id: id, name, connection, ...counts });
  }
  return { results };
}

/** Asks the list, which the count links to. */
async function countEndingSoon(db: Db, brandId: number): Promise<number> {
  const { count } = await listCertificatePage(db, brandId, { status: 'ends_soon', page_size: 1 });
  return count;
}

function withoutEmpty(reasons: readonly ReasonCount[]): ReasonCount[] {
  return reasons.filter(({ count }) => count > 0);
}
