import type { BrandCertification } from '@brand-portal/contract/certificates';
import type { Db } from '../../db/database.ts';
import { listCertificatesOf } from './certificates.queries.ts';
import { insertValidationJob } from './validation-jobs.queries.ts';

/** By name of the certification, then by id. */
export function listBrandCertificates(db: Db, brandId: number): Promise<BrandCertification[]> {
  return listCertificatesOf(db, brandId);
}

/** Committed with the certificates that it is for: to be called inside the transaction that writes them. */
export function queueCertificateValidation(db: Db, brandId: number): Promise<void> {
  return insertValidationJob(db, brandId);
}
