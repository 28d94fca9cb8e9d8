import type { CertificateStatus } from '@brand-portal/contract/certificates';
import {
  MAX_REVIEW_NOTE_LENGTH,
  type ReviewMany,
  type ReviewQueue,
  type ReviewResult,
  type WaitingCertificate,
} from '@brand-portal/contract/reviews';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { getBrand } from '../../people/brands/brands.ts';
import { inAnyBrand, inBrand, isBrandDeleted, MEMBER_WAIT, OPERATOR_WAIT } from '../../writes/brand-lock.ts';
import { type Review, updateReviews } from '../../writes/certificates.ts';
import { listBrandsWithWork } from '../../writes/due-work.ts';
import { certificateKey } from '../fields/certificate-ids.ts';
import { getCatalogueEntry } from './catalogue.ts';
import { currentDay, daysFrom, isDay } from './days.ts';
import { countWaiting, findCertificate, getStatus, listWaiting, listWaitingById } from './validation.queries.ts';
import { validateSome } from './validation.ts';

/** A certificate by its brand, certification and id. */
export interface CertificateName {
  readonly brandId: number;
  readonly certification: string;
  readonly externalId: string;
}

export interface Outcome {
  readonly status: CertificateStatus;
  readonly reason: string;
}

/** Certificates that wait for a review, oldest first. Of all brands, or of one. */
export async function listReviews(db: Db, { brandId, limit }: { brandId?: number | undefined; limit: number }): Promise<ReviewQueue> {
  // The due date is the day since which the brand's oldest one waits.
  const brands = brandId === undefined ? await listBrandsWithWork(db, 'review_certificates', { limit: 100_000 }) : [brandId];
  let oldest: WaitingCertificate[] = [];
  let count = 0;
  for (const id of brands) {
    if (await isBrandDeleted(db, id)) continue;
    count += await countWaiting(db, id);
    const last = oldest[limit - 1];
    const waiting = await listWaiting(db, await getBrand(db, id), limit);
    // None of this brand's certificates is among the oldest.
    if (last && waiting[0] && waiting[0].since > last.since) continue;
    oldest = [...oldest, ...waiting].sort(byAge).slice(0, limit);
  }
  return { results: oldest, count };
}

const byAge = (a: WaitingCertificate, b: WaitingCertificate) =>
  a.since < b.since ? -1 : a.since > b.since ? 1 : a.brand_id - b.brand_id || a.id - b.id;

/**
 * One decision about many certificates of any brands. Certificates that were decided in the meantime are skipped. Each brand is
 * its own transaction.
 */
export async function reviewMany(db: Db, userId: number, { certificates, note, verdict, expires_on }: ReviewMany): Promise<ReviewResult> {
  const review = checkReview({ verdict, note, expiresOn: expires_on });
  let decided = 0;
  for (const [brandId, chosen] of Map.groupBy(certificates, ({ brand_id }) => brand_id)) {
    const reviewChosen = async (db: Db) => {
      const ids = chosen.map(({ id }) => id);
      const waiting = await listWaitingById(db, brandId, ids);
      await updateReviews(
        db,
        brandId,
        waiting.map(({ id }) => id),
        review,
      );
      for (const { id, certification, external_certificate_id } of waiting) {
        const details = { certificate_id: id, certification, external_certificate_id, ...review };
        await audit(db, { brandId, userId, action: `certificate.${review.verdict}`, details });
      }
      if (waiting.length > 0) await validateSome(db, brandId, waiting);
      return waiting.length;
    };
    decided += await inAnyBrand(db, brandId, reviewChosen, MEMBER_WAIT);
  }
  return { decided, skipped: certificates.length - decided };
}

/** The operator's decision. It is valid until it is withdrawn or replaced. docs/decisions/0007 says what it overrides. */
export function reviewCertificate(db: Db, name: CertificateName, review: Review, today = currentDay()): Promise<Outcome> {
  return decide(db, name, checkReview(review, today));
}

function checkReview({ note, ...review }: Review, today = currentDay()): Review {
  const trimmed = note.trim();
  if (trimmed.length < 1 || trimmed.length > MAX_REVIEW_NOTE_LENGTH) {
    throw new AppError('validation_failed', `The reason must have 1 to ${MAX_REVIEW_NOTE_LENGTH} characters.`);
  }
  if (review.expiresOn !== undefined && !isDay(review.expiresOn)) {
    throw new AppError('validation_failed', `"${review.expiresOn}" is not a day such as 2027-01-31.`);
  }
  // West of Greenwich, yesterday is still today.
  if (review.expiresOn !== undefined && review.expiresOn < daysFrom(today, -1)) {
    throw new AppError(
      'validation_failed',
      `The last day, ${review.expiresOn}, has passed, so the certificate would be invalid immediately.`,
    );
  }
  if (review.verdict === 'rejected' && review.expiresOn !== undefined) {
    throw new AppError('validation_failed', 'Only an approval has a last day.');
  }
  return { ...review, note: trimmed };
}

/** Withdraws the decision: the id and the registry decide again. */
export function withdrawReview(db: Db, name: CertificateName): Promise<Outcome> {
  return decide(db, name, undefined);
}

function decide(db: Db, name: CertificateName, review: Review | undefined): Promise<Outcome> {
  const { brandId, certification, externalId } = name;
  const decideIn = async (db: Db) => {
    const { id: certificationId, name: certificationName } = await getCatalogueEntry(db, certification);
    const certificate = await findCertificate(db, brandId, certificationId, certificateKey(externalId));
    if (!certificate) {
      throw new AppError('not_found', `Brand ${brandId} has no certificate "${externalId}" of ${certificationName}.`);
    }
    if (!review && !certificate.review) {
      throw new AppError('validation_failed', `Nobody has approved or rejected "${externalId}".`);
    }
    await updateReviews(db, brandId, [certificate.id], review);
    await audit(db, {
      brandId,
      userId: null,
      action: `certificate.${review?.verdict ?? 'review_withdrawn'}`,
      details: {
        certificate_id: certificate.id,
        certification: certificationName,
        external_certificate_id: externalId,
        ...review,
      },
    });
    await validateSome(db, brandId, [certificate]);
    return getStatus(db, brandId, certificate.id);
  };
  return inBrand(db, brandId, decideIn, OPERATOR_WAIT);
}
