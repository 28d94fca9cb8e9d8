import type { Db } from '../../db/database.ts';
import type { Wait } from '../../db/turns.ts';
import { listBrandIds } from '../../people/brands/brands.ts';
import { type Jobs, queueJob } from '../../queue/queue.ts';
import { inAnyBrand, isBrandBusy, JOB_WAIT, OPERATOR_WAIT } from '../../writes/brand-lock.ts';
import {
  expireCertificates as expireCertificatesOf,
  previewStatuses,
  type StatusChange,
  updateStatuses,
} from '../../writes/certificates.ts';
import { type BrandByBrand, BUSY_MS, workBrandByBrand } from '../../writes/due-work.ts';
import { findBrandDay } from '../../writes/expiry-days.ts';
import { compileIdPatterns, type IdPatterns, isWellFormed } from '../fields/certificate-ids.ts';
import { findCertificate, hasCertificatesOf, type KnownCertificate, listCertificatesAfter, listIdPatterns } from './validation.queries.ts';

/** Each batch is a transaction of about 0.5 s: locks are short, and a killed worker loses one batch at most. */
const BATCH = 5_000;

/** Updates the status of the brand's certificates. Returns how many changed. Idempotent. */
export async function validateCertificates(db: Db, brandId: number, day?: string): Promise<number> {
  const rules = await readRules(db, brandId, day);
  let changes = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const batch = await validateBatch(db, rules, after, OPERATOR_WAIT);
    changes += batch.changes;
    after = batch.last;
  }
  return changes;
}

/** A job gives its slot to the jobs of other brands after this. */
const SLOT_MS = 5_000;

/** The job. If the brand is busy, or has very many certificates, another job continues. */
export async function runValidation(db: Db, { brand_id, after = 0 }: Jobs['validate_certificates']): Promise<number> {
  const rules = await readRules(db, brand_id);
  const until = performance.now() + SLOT_MS;
  let changes = 0;
  let from: number | undefined = after;
  let afterMs = 0;
  while (from !== undefined && afterMs === 0 && performance.now() < until) {
    try {
      const batch = await validateBatch(db, rules, from, JOB_WAIT);
      changes += batch.changes;
      from = batch.last;
    } catch (error) {
      if (!isBrandBusy(error)) throw error;
      afterMs = BUSY_MS;
    }
  }
  // Keys that no writer uses: queueing a job waits for a transaction that queues one with the same key.
  const key = `validate_certificates:${brand_id}:${from}`;
  if (from !== undefined) await queueJob(db, 'validate_certificates', { brand_id, after: from }, { key, afterMs });
  return changes;
}

interface Rules {
  readonly brandId: number;
  readonly patterns: IdPatterns;
  readonly today: string;
}

async function readRules(db: Db, brandId: number, day?: string): Promise<Rules> {
  const today = day ?? (await findBrandDay(db, brandId));
  return { brandId, patterns: compileIdPatterns(await listIdPatterns(db)), today };
}

function validateBatch(db: Db, rules: Rules, after: number, wait: Wait): Promise<{ changes: number; last: number | undefined }> {
  const { brandId, patterns, today } = rules;
  const validate = async (db: Db) => {
    const { last, ...batch } = await readBatch(db, brandId, patterns, after);
    return { changes: await updateStatuses(db, { brandId, today, ...batch }), last };
  };
  return inAnyBrand(db, brandId, validate, wait);
}

/** The brand's next certificates, of all certifications unless one is named. `last` is undefined if there are no more. */
async function readBatch(db: Db, brandId: number, patterns: IdPatterns, after: number, certificationId?: number) {
  const certificates = await listCertificatesAfter(db, brandId, { after, limit: BATCH, certificationId });
  const to = certificates.at(-1)?.id ?? after;
  return {
    which: { from: certificates[0]?.id ?? after + 1, to, certificationId },
    malformedIds: findMalformed(certificates, patterns),
    last: certificates.length < BATCH ? undefined : to,
  };
}

function findMalformed(certificates: readonly KnownCertificate[], patterns: IdPatterns): number[] {
  const isMalformed = ({ certification_id, external_certificate_id, id_key }: KnownCertificate) =>
    ![external_certificate_id, id_key].some((spelling) => isWellFormed(patterns, certification_id, spelling));
  return certificates.filter(isMalformed).map(({ id }) => id);
}

/** By normalised id. */
export function findCertificateByKey(db: Db, brandId: number, certificationId: number, key: string): Promise<KnownCertificate | undefined> {
  return findCertificate(db, brandId, certificationId, key);
}

/** Validates some certificates. The caller holds the brand's lock. */
export async function validateSome(db: Db, brandId: number, certificates: readonly KnownCertificate[]): Promise<void> {
  const { patterns, today } = await readRules(db, brandId);
  const ids = certificates.map(({ id }) => id);
  await updateStatuses(db, { brandId, which: { ids }, malformedIds: findMalformed(certificates, patterns), today });
}

/** What validating all certificates of a certification would change now, and in how many brands. */
export interface Effect extends StatusChange {
  readonly brands: number;
}

type Batch = Awaited<ReturnType<typeof readBatch>>;

/** Brand by brand, like validation itself. */
export async function previewValidation(db: Db, certificationId: number): Promise<Effect[]> {
  const patterns = compileIdPatterns(await listIdPatterns(db));
  const effects = new Map<string, Effect>();
  for (const brandId of await listBrandIds(db)) {
    const today = await findBrandDay(db, brandId);
    const counted = new Set<string>();
    let after: number | undefined = 0;
    while (after !== undefined) {
      const { last, ...batch }: Batch = await readBatch(db, brandId, patterns, after, certificationId);
      after = last;
      for (const change of await previewStatuses(db, { brandId, today, ...batch })) {
        const key = `${change.from} ${change.to}`;
        const sum = effects.get(key) ?? { ...change, certificates: 0, brands: 0 };
        const brands = sum.brands + (counted.has(key) ? 0 : 1);
        effects.set(key, { ...sum, certificates: sum.certificates + change.certificates, brands });
        counted.add(key);
      }
    }
  }
  return [...effects.values()].sort((a, b) => b.certificates - a.certificates);
}

/**
 * All certificates of the certification are validated again, after the caller's transaction: a job queues each brand's validation.
 * Queued here, the brands' job keys would stay locked until the end of a long transaction, and a brand that gets its first
 * certificate meanwhile would be missed. Returns how many brands have certificates of it now.
 */
export async function revalidateBrandsWith(db: Db, certificationId: number): Promise<number> {
  const payload = { certification_id: certificationId };
  await queueJob(db, 'revalidate_certification', payload, { key: `revalidate_certification:${certificationId}` });
  return (await listBrandsWith(db, certificationId)).length;
}

/** The job. Does not wait for a writer of the brand, which would hold the key of `queueValidation`. */
export async function queueValidations(db: Db, certificationId: number): Promise<void> {
  for (const brand_id of await listBrandsWith(db, certificationId)) {
    await queueJob(db, 'validate_certificates', { brand_id }, { key: `validate_certificates:${brand_id}:all` });
  }
}

async function listBrandsWith(db: Db, certificationId: number): Promise<number[]> {
  const brands: number[] = [];
  for (const brandId of await listBrandIds(db)) {
    if (await hasCertificatesOf(db, brandId, certificationId)) brands.push(brandId);
  }
  return brands;
}

/** Marks validated certificates that have expired. Nothing else changes with the date alone. */
export function expireCertificates(db: Db, now = new Date(), options?: BrandByBrand): Promise<number> {
  const isMore = (expired: number) => expired === BATCH;
  const expire = (brandId: number) => expireBatch(db, brandId, now);
  return workBrandByBrand(db, 'expire_certificates', expire, { ...options, now, isMore });
}

async function expireBatch(db: Db, brandId: number, now: Date): Promise<number> {
  const today = await findBrandDay(db, brandId, now);
  return inAnyBrand(db, brandId, (db) => expireCertificatesOf(db, { brandId, today, limit: BATCH }), JOB_WAIT);
}
