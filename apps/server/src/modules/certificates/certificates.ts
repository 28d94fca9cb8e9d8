import type { BrandCertification } from '@brand-portal/contract/certificates';
import type { Db } from '../../db/database.ts';
import { listCertificatesOf, listCertificationsOf } from './certificates.queries.ts';
import { insertValidationJob } from './validation-jobs.queries.ts';

const BATCH = 1_000;

/** By name of the certification, then by id; a batch at a time, because a brand may have hundreds of thousands. */
export async function* listBrandCertificates(db: Db, brandId: number): AsyncGenerator<BrandCertification[], void> {
  for (const certificationId of await listCertificationsOf(db, brandId)) {
    let after = '';
    for (;;) {
      const batch = await listCertificatesOf(db, { brandId, certificationId, after, limit: BATCH });
      yield batch;
      if (batch.length < BATCH) break;
      after = batch.at(-1)?.certificate_id ?? '';
    }
  }
}

/** Committed with the certificates that it is for: to be called inside the transaction that writes them. */
export function queueCertificateValidation(db: Db, brandId: number): Promise<void> {
  return insertValidationJob(db, brandId);
}
