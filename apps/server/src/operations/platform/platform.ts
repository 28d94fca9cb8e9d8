import type { BrandStatus } from '@brand-portal/contract/brand-status';
import { DEFAULT_PAGE_SIZE, type Language } from '@brand-portal/contract/constants';
import {
  FAILED_IMPORT_DAYS,
  type FailedDelivery,
  type FailedImport,
  type JobList,
  MAX_FAILURES,
  type PlatformBrand,
  type PlatformBrandList,
  type PlatformBrandQuery,
  type RolledBack,
} from '@brand-portal/contract/platform';
import { audit } from '../../audit/audit.ts';
import { rollBackRegistry } from '../../catalog/certificates/registry.ts';
import { listFailedDeliveriesOf } from '../../channel/operator.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { countJobs } from '../../db/job-counts.ts';
import { askNodes } from '../../db/nodes.ts';
import { listFailedImportsOf } from '../../imports/receipts.ts';
import { AppError, brandNotFound } from '../../lib/errors.ts';
import { searchWords } from '../../lib/search-words.ts';
import { listBrandIds, setBrandStatus } from '../../people/brands/brands.ts';
import { inviteOwner } from '../../people/members/invitations.ts';
import { deleteFailingJob, listFailingJobs, retryFailingJob } from '../../queue/queue.ts';
import { listBrandNames, listBrandRows } from './platform.queries.ts';

interface List<Row> {
  results: Row[];
  count: number;
}

export function listPlatformBrands(
  db: Db,
  { search = '', status, shares_name, page = 1, page_size = DEFAULT_PAGE_SIZE }: PlatformBrandQuery,
): Promise<PlatformBrandList> {
  const words = searchWords(search);
  return listBrandRows(db, { words, status, sharesName: shares_name }, { skip: (page - 1) * page_size, take: page_size });
}

async function getPlatformBrand(db: Db, id: number): Promise<PlatformBrand> {
  const { results } = await listBrandRows(db, { id, words: [] }, { skip: 0, take: 1 });
  if (!results[0]) throw brandNotFound();
  return results[0];
}

export async function changeBrandStatus(db: Db, userId: number, brandId: number, status: BrandStatus): Promise<PlatformBrand> {
  await setBrandStatus(db, userId, brandId, status);
  return getPlatformBrand(db, brandId);
}

export async function addBrandOwner(db: Db, userId: number, brandId: number, email: string): Promise<PlatformBrand> {
  await getPlatformBrand(db, brandId);
  await inviteOwner(db, userId, brandId, email);
  return getPlatformBrand(db, brandId);
}

export async function listFailedDeliveries(db: Db): Promise<List<FailedDelivery>> {
  const { results, count } = firstOf(
    await listFailedDeliveriesOf(db, MAX_FAILURES),
    (a, b) => a.since.getTime() - b.since.getTime() || a.brand_id - b.brand_id || a.variant_id - b.variant_id,
  );
  const names = await listBrandNames(
    db,
    results.map(({ brand_id }) => brand_id),
  );
  return {
    count,
    results: results.map(({ since, next_attempt_at, ...delivery }) => ({
      ...delivery,
      brand_name: names.get(delivery.brand_id) ?? '',
      since: since.toISOString(),
      next_attempt_at: next_attempt_at?.toISOString() ?? null,
    })),
  };
}

export async function listFailedImports(db: Db, language: Language): Promise<List<FailedImport>> {
  const ask = (ids: readonly number[]) => listFailedImportsOf(db, ids, { days: FAILED_IMPORT_DAYS, limit: MAX_FAILURES, language });
  const { results, count } = firstOf(
    await askNodes(db, await listBrandIds(db), ask),
    (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at) || b.id - a.id,
  );
  const names = await listBrandNames(
    db,
    results.map(({ brand_id }) => brand_id),
  );
  return { count, results: results.map((failed) => ({ ...failed, brand_name: names.get(failed.brand_id) ?? '' })) };
}

/** Merges the lists of all nodes. */
function firstOf<Row>(lists: readonly List<Row>[], order: (a: Row, b: Row) => number): List<Row> {
  const results = lists.flatMap((list) => list.results).sort(order);
  return { results: results.slice(0, MAX_FAILURES), count: lists.reduce((sum, { count }) => sum + count, 0) };
}

export async function rollBack(
  db: Db,
  userId: number,
  { certification, preview }: { certification: string; preview: boolean },
): Promise<RolledBack> {
  const { loadedAt, brands, effects } = await rollBackRegistry(db, certification, { isPreview: preview, userId });
  return { loaded_at: loadedAt?.toISOString() ?? null, brands, effects: effects.map((effect) => ({ ...effect })) };
}

export async function listJobs(db: Db): Promise<JobList> {
  const kinds = new Map<string, JobList['kinds'][number]>();
  for (const { task, state, count } of await countJobs(db)) {
    const none = { task, waiting: 0, scheduled: 0, running: 0, retrying: 0, failed: 0 };
    kinds.set(task, { ...(kinds.get(task) ?? none), [state]: count });
  }
  const failing = await listFailingJobs(db, MAX_FAILURES);
  return {
    kinds: [...kinds.values()].sort((a, b) => a.task.localeCompare(b.task)),
    failing: failing.map((job) => ({
      ...job,
      created_at: job.created_at.toISOString(),
      run_at: job.attempts < job.max_attempts ? job.run_at.toISOString() : null,
    })),
  };
}

/** Only failed jobs that are not running. All others run without help. */
export function changeJob(db: Db, userId: number, jobId: number, change: 'retried' | 'deleted'): Promise<void> {
  return inTransaction(db, async (db) => {
    const task = await (change === 'retried' ? retryFailingJob : deleteFailingJob)(db, jobId);
    if (task === undefined) throw new AppError('not_found', 'There is no such failing job any more.');
    await audit(db, { brandId: null, userId, action: `job.${change}`, details: { task, job_id: jobId } });
  });
}
