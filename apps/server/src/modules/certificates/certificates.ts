import type { BrandCertification } from '@brand-portal/contract/certificates';
import type { Db } from '../../db/database.ts';
import { listCertificatesOf, listCertificationsOf } from './certificates.queries.ts';

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
