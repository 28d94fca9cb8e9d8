import type { BrandCertification } from '@brand-portal/contract/certificates';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { lockBrand } from '../writes/brand-lock.ts';
import { deleteCertificates } from '../writes/certificates.ts';
import {
  certificateWithId,
  findCertificateName,
  type ListedCertificate,
  listCertificatesOf,
  listCertificationsOf,
} from './certificates.queries.ts';

const BATCH = 1_000;

export async function* listBrandCertificates(db: Db, brandId: number): AsyncGenerator<BrandCertification[], void> {
  for await (const batch of readCertificates(db, brandId)) {
    yield batch.map(({ id_key: _key, expires_on: _day, ...certificate }) => certificate);
  }
}

/** By name of the certification, then by id; a batch at a time, because a brand may have hundreds of thousands. */
export async function* readCertificates(db: Db, brandId: number): AsyncGenerator<ListedCertificate[], void> {
  for (const certificationId of await listCertificationsOf(db, brandId)) {
    let after = '';
    for (;;) {
      const batch = await listCertificatesOf(db, { brandId, certificationId, after, limit: BATCH });
      yield batch;
      if (batch.length < BATCH) break;
      after = batch.at(-1)?.id_key ?? '';
    }
  }
}

/** From the brand and all its variants; published ones are delivered again without it. */
export function removeCertificate(
  db: Db,
  { brandId, certificateId, userId }: { brandId: number; certificateId: number; userId: number },
): Promise<void> {
  return inTransaction(db, async (db) => {
    await lockBrand(db, brandId);
    const name = await findCertificateName(db, brandId, certificateId);
    if (!name) throw new AppError('not_found', 'The brand has no such certificate.');
    await deleteCertificates(db, brandId, certificateWithId(certificateId));
    const details = { certificate_id: certificateId, ...name };
    await audit(db, { brandId, userId, action: 'certificate.removed', details });
  });
}
