import type { CertificateStatus } from '@brand-portal/contract/certificates';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { getBrand, listBrandIds } from '../brands/brands.ts';
import { lockBrand } from '../writes/brand-lock.ts';
import { type Review, updateReview } from '../writes/certificates.ts';
import { getCatalogueEntry } from './catalogue.ts';
import { certificateKey } from './certificate-key.ts';
import { isDay } from './days.ts';
import { findCertificate, getStatus, listPending, type PendingCertificate } from './validation.queries.ts';
import { validateCertificate } from './validation.ts';

const LONGEST_NOTE = 400;

/** Which certificate, as people name it. */
export interface CertificateName {
  readonly brandId: number;
  readonly certification: string;
  readonly externalId: string;
}

export interface Outcome {
  readonly status: CertificateStatus;
  readonly reason: string;
}

/** What waits for the operator or for a registry. */
export async function listPendingCertificates(
  db: Db,
  { brandId, limit }: { brandId?: number | undefined; limit: number },
): Promise<PendingCertificate[]> {
  const pending: PendingCertificate[] = [];
  for (const id of brandId === undefined ? await listBrandIds(db) : [brandId]) {
    if (pending.length >= limit) break;
    pending.push(...(await listPending(db, await getBrand(db, id), limit - pending.length)));
  }
  return pending;
}

/** The operator's decision. It holds until it is withdrawn or replaced; docs/decisions/0007 tells what it outweighs. */
export function reviewCertificate(db: Db, name: CertificateName, { note, ...review }: Review): Promise<Outcome> {
  const words = note.trim();
  if (words.length < 1 || words.length > LONGEST_NOTE) {
    throw new AppError('validation_failed', `The reason must have 1 to ${LONGEST_NOTE} characters.`);
  }
  if (review.expiresOn !== undefined && !isDay(review.expiresOn)) {
    throw new AppError('validation_failed', `"${review.expiresOn}" is not a day such as 2027-01-31.`);
  }
  return decide(db, name, { ...review, note: words });
}

/** From then on the id and the registry decide again. */
export function withdrawReview(db: Db, name: CertificateName): Promise<Outcome> {
  return decide(db, name, undefined);
}

function decide(db: Db, name: CertificateName, review: Review | undefined): Promise<Outcome> {
  const { brandId, certification, externalId } = name;
  return inTransaction(db, async (db) => {
    await lockBrand(db, brandId);
    const { id: certificationId, name: certificationName } = await getCatalogueEntry(db, certification);
    const certificate = await findCertificate(db, brandId, certificationId, certificateKey(externalId));
    if (!certificate) {
      throw new AppError('not_found', `Brand ${brandId} has no certificate "${externalId}" of ${certificationName}.`);
    }
    if (!review && !certificate.review) {
      throw new AppError('validation_failed', `Nobody has approved or rejected "${externalId}".`);
    }
    await updateReview(db, brandId, certificate.id, review);
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
    await validateCertificate(db, brandId, certificate);
    return getStatus(db, brandId, certificate.id);
  });
}
