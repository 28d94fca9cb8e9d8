import { type Db, inTransaction } from '../../db/database.ts';
import { compileIdPatterns, type IdPatterns, isWellFormed } from './id-patterns.ts';
import {
  expireStatuses,
  type LockedCertificate,
  listIdPatterns,
  lockCertificates,
  shareBrand,
  updateStatuses,
} from './validation.queries.ts';

/** Each batch is a transaction of about 0.1 s: nobody waits long, and what a killed worker has done stays done. */
const BATCH = 5_000;

/** A certificate is valid to the end of its last day, in UTC. */
function currentDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Brings the status of each of the brand's certificates up to date; tells how many changed. Doing it again changes nothing. */
export async function validateCertificates(db: Db, brandId: number, today = currentDay()): Promise<number> {
  const patterns = compileIdPatterns(await listIdPatterns(db));
  let changes = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const batch = await validateBatch(db, { brandId, patterns, today, after });
    changes += batch.changes;
    after = batch.last;
  }
  return changes;
}

interface Batch {
  readonly brandId: number;
  readonly patterns: IdPatterns;
  readonly today: string;
  readonly after: number;
}

/**
 * Locks first and looks then, by a statement of its own: two workers on one brand would otherwise judge by registries
 * of different age, and the older one might write last.
 */
function validateBatch(
  db: Db,
  { brandId, patterns, today, after }: Batch,
): Promise<{ changes: number; last: number | undefined }> {
  return inTransaction(db, async (db) => {
    if (!(await shareBrand(db, brandId))) return { changes: 0, last: undefined };
    const certificates = await lockCertificates(db, brandId, { after, limit: BATCH });
    const last = certificates.length < BATCH ? undefined : certificates.at(-1)?.id;
    return { changes: await judge(db, { brandId, certificates, patterns, today }), last };
  });
}

/** One certificate that the caller has locked. */
export async function validateCertificate(db: Db, brandId: number, certificate: LockedCertificate): Promise<void> {
  const patterns = compileIdPatterns(await listIdPatterns(db));
  await judge(db, { brandId, certificates: [certificate], patterns, today: currentDay() });
}

interface Judgement {
  readonly brandId: number;
  readonly certificates: readonly LockedCertificate[];
  readonly patterns: IdPatterns;
  readonly today: string;
}

function judge(db: Db, { brandId, certificates, patterns, today }: Judgement): Promise<number> {
  const checked = certificates.map(({ id, certification_id, external_certificate_id }) => ({
    id,
    isMalformed: !isWellFormed(patterns, certification_id, external_certificate_id),
  }));
  return updateStatuses(db, { brandId, certificates: checked, today });
}

/** What has run out since it was validated, in all brands; nothing else about a certificate changes by the clock alone. */
export async function expireCertificates(db: Db, today = currentDay()): Promise<number> {
  let changes = 0;
  let batch: number;
  do {
    batch = await expireStatuses(db, { today, limit: BATCH });
    changes += batch;
  } while (batch > 0);
  return changes;
}
