import type { Language } from '@brand-portal/contract/constants';
import type { BodyOf } from '@brand-portal/contract/endpoint';
import type { ImportPreview, takeLikelyId as takeLikelyIdEndpoint } from '@brand-portal/contract/import';
import { toRowErrors, toWarnings } from '../catalog/fields/describe.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import { type Db, inAbortableTransaction, inTransaction } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { replaceStagedId } from './certificate-doubts.queries.ts';
import { findCertificateDoubts, toLikelyIds } from './certificate-doubts.ts';
import {
  AlreadyEnded,
  findSameImport,
  getStaged,
  type ImportRecord,
  IS_CHECKED,
  listReplacedChecks,
  lockImport,
  PREVIEW_SECONDS,
  storeCounts,
  storeRequest,
} from './imports.queries.ts';
import { listPlanned, type StoredPlan } from './plan.queries.ts';
import { keepPlan, requireRoomForVariants, warnOfChannel, warnOfIgnoredEdits } from './plan.ts';
import type { ImportRun } from './source.ts';
import { countStagedRows, deleteStaged, type ImportKey, listStagedErrors, type StagedCounts } from './staging.queries.ts';
import { moveImport } from './states.queries.ts';

/** Examples of each kind. */
const SAMPLE_SIZE = 10;
const LISTED_ERRORS = 100;
/** Checked files of one member in a brand that can still be imported. */
const MAX_CHECKS = 3;

/** Leaves an import to the member's confirmation if it is only a check, or doubtful. Returns whether it has. */
export async function checkOrAsk(db: Db, run: ImportRun): Promise<boolean> {
  const { is_check, request } = run.record;
  const isAsked = is_check || (request.asks && !request.expected && (await isDoubtful(db, run)));
  if (isAsked) await askMember(db, run);
  return Boolean(isAsked);
}

/** The plan is stored for the preview. Replaces the member's checks of the same file, and the oldest of too many. */
function askMember(db: Db, run: ImportRun): Promise<void> {
  const { brandId, userId, quotas } = run;
  return inAbortableTransaction(db, run.signal, async (db) => {
    const { plan } = await keepPlan(db, run, await getStaged(db, run));
    if (plan.created > 0) await requireRoomForVariants(db, brandId, quotas, plan.created);
    const isAsked = await moveImport(db, run, 'ask', { attempt: run.attempt, set: { is_check: true } });
    if (!isAsked) throw new AlreadyEnded();
    if (userId === null) return;
    for (const importId of await listReplacedChecks(db, run, { userId, kept: MAX_CHECKS })) await discardCheck(db, { brandId, importId });
  });
}

/** The import would do something else than its preview said: the member previews it again. */
export function askAgain(db: Db, run: ImportRun): Promise<void> {
  return inTransaction(db, async (db) => {
    await storeRequest(db, run, { ...run.record.request, expected: undefined });
    await moveImport(db, run, 'ask', { attempt: run.attempt, set: { is_check: true } });
  });
}

export function planChanged(): AppError {
  return new AppError('import_plan_changed', 'The brand was changed meanwhile: the import would do something else now.');
}

/** False if it is no longer checked. */
export async function discardCheck(db: Db, key: ImportKey): Promise<boolean> {
  const isDiscarded = await moveImport(db, key, 'discard', { where: IS_CHECKED });
  if (isDiscarded) await deleteStaged(db, key);
  return isDiscarded;
}

/** Whether a column was probably mistaken for the name, or certificate ids are probably mistyped. */
function isDoubtful(db: Db, run: ImportRun): Promise<boolean> {
  return inAbortableTransaction(db, run.signal, async (db) => {
    const record = await getStaged(db, run);
    const { mistyped } = await findCertificateDoubts(db, run);
    if (mistyped.length > 0 || !record.staged.is_name_mapped) return mistyped.length > 0;
    const { plan } = await keepPlan(db, run, record);
    return warnOfNames(plan).length > 0;
  });
}

/** Renaming a larger share of the known variants of a file is seldom meant. */
const RENAMED_SHARE = 0.05;

function warnOfNames({ renamed, updated, unchanged }: StoredPlan): ImportWarning[] {
  const known = updated + unchanged;
  return renamed > RENAMED_SHARE * known ? [{ code: 'many_renamed', params: { renamed, known } }] : [];
}

/** What the import would do now. Changes nothing but the plan. */
export function getPreview(db: Db, key: ImportKey, language: Language): Promise<ImportPreview> {
  return inChecked(db, key, async (db, record) => {
    const { staged: counts } = record;
    const { plan, options } = await keepPlan(db, key, record);
    const doubts = await findCertificateDoubts(db, key);
    const ignored = await warnOfIgnoredEdits(db, options, record);
    const same = await findSameImport(db, key.brandId, record);
    return {
      import_id: key.importId,
      file_name: record.file_name,
      valid_until: validUntil(record).toISOString(),
      total_rows: counts.total,
      rejected: counts.rejected,
      error_count: counts.errors,
      variants_created: plan.created,
      variants_updated: plan.updated,
      variants_unchanged: plan.unchanged,
      channel: { published: plan.published, sent_again: plan.sent_again },
      needs_trial: plan.publishes_not === 'publishing_needs_trial',
      created: await listPlanned(db, key, 'created', SAMPLE_SIZE),
      updated: await listPlanned(db, key, 'updated', SAMPLE_SIZE),
      errors: counts.errors > 0 ? toRowErrors(await listStagedErrors(db, key, LISTED_ERRORS), language) : [],
      warnings: toWarnings(
        [
          ...warnOfNames(plan),
          ...warnOfChannel(plan).filter(({ code }) => code !== 'publishing_needs_trial'),
          ...ignored,
          ...doubts.warnings,
          ...record.warnings,
        ],
        language,
      ),
      likely_ids: toLikelyIds(doubts),
      same_as: same ? { import_id: same.id, created_at: same.created_at.toISOString() } : null,
    };
  });
}

/** Corrects a mistyped id in the staged rows. One that is no longer mistyped is ignored: a second click finds it corrected. */
export async function takeLikelyId(
  db: Db,
  key: ImportKey,
  { certification_id, certificate_id, likely_id }: BodyOf<typeof takeLikelyIdEndpoint>,
): Promise<void> {
  await inChecked(db, key, async (db, { staged }) => {
    const { mistyped } = await findCertificateDoubts(db, key);
    const meant = mistyped.find(
      ({ from, to }) => from.certification_id === certification_id && from.id === certificate_id && to.id === likely_id,
    );
    if (!meant) return;
    const to = { id: meant.to.id, key: meant.to.key };
    await replaceStagedId(db, key, meant.from, to);
    await storeCounts(db, key, { ...(await countStagedRows(db, key)), is_name_mapped: staged.is_name_mapped });
  });
}

type Checked = ImportRecord & { readonly staged: StagedCounts };

/** Runs a transaction with an import that waits for its confirmation. Throws if there is none, or no longer. */
export function inChecked<T>(db: Db, key: ImportKey, work: (db: Db, record: Checked) => Promise<T>): Promise<T> {
  return inTransaction(db, async (db) => {
    const record = await lockImport(db, key);
    if (!record) throw new AppError('import_not_found', 'There is no such import.');
    const staged = record.staged ?? (await countOnce(db, key, record));
    if (record.state !== 'checked' || !staged || record.is_expired) {
      throw new AppError('import_not_checked', 'This check is over. Please upload the file again.');
    }
    return work(db, { ...record, staged });
  });
}

/** Checks that version 1.0 made have no counts. */
async function countOnce(db: Db, key: ImportKey, { rows_total }: ImportRecord): Promise<StagedCounts | undefined> {
  const counts = await countStagedRows(db, key);
  if (counts.total !== rows_total) return undefined;
  await storeCounts(db, key, counts);
  return counts;
}

function validUntil({ heartbeat_at }: ImportRecord): Date {
  return new Date(heartbeat_at.getTime() + PREVIEW_SECONDS * 1_000);
}
