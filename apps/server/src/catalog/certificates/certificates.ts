import {
  type BrandCertification,
  type CertificateListQuery,
  type CertificatePage,
  ENDS_SOON_DAYS,
  type ListedCertification,
} from '@brand-portal/contract/certificates';
import { DEFAULT_PAGE_SIZE } from '@brand-portal/contract/constants';
import { audit } from '../../audit/audit.ts';
import { type Db, inSnapshot } from '../../db/database.ts';
import { certificateNotFound } from '../../lib/errors.ts';
import { searchWords } from '../../lib/search-words.ts';
import { inBrand } from '../../writes/brand-lock.ts';
import { deleteCertificates } from '../../writes/certificates.ts';
import {
  type BackedVariants,
  type CertificateMatch,
  type CertificateParts,
  certificateWithId,
  countBackedVariants,
  countParts,
  findCertificateName,
  findMatching,
  listCertificatesById,
  listCertificatesOf,
  listCertificationsBy,
  listCertificationsOf,
  listPart,
  readSearchedWords,
  type StoredCertificate,
  type Window,
} from './certificates.queries.ts';
import { currentDay, daysFrom } from './days.ts';

const BATCH = 1_000;

/** Sorted by certification and id. In batches, because a brand may have hundreds of thousands. */
export async function* listBrandCertificates(db: Db, brandId: number): AsyncGenerator<BrandCertification[], void> {
  for (const { id: certificationId, names } of await listCertificationsOf(db, brandId)) {
    let after = '';
    for (;;) {
      const batch = await listCertificatesOf(db, { brandId, certificationId, after, limit: BATCH });
      yield batch.map(({ id_key: _, ...certificate }) => ({ ...certificate, ...names }));
      if (batch.length < BATCH) break;
      after = batch.at(-1)?.id_key ?? '';
    }
  }
}

/** One page of the list, and how many it has in all. */
export function listCertificatePage(
  db: Db,
  brandId: number,
  { page = 1, page_size = DEFAULT_PAGE_SIZE, ...query }: CertificateListQuery,
): Promise<CertificatePage> {
  return inSnapshot(db, async (db) => {
    const { ids, count } = await listIds(db, brandId, query, { skip: (page - 1) * page_size, take: page_size });
    return { results: await readListed(db, brandId, ids), count };
  });
}

/** One row of the list. */
export async function getListedCertificate(db: Db, brandId: number, certificateId: number): Promise<ListedCertification> {
  const [certificate] = await readListed(db, brandId, [certificateId]);
  if (!certificate) throw certificateNotFound();
  return certificate;
}

async function readListed(db: Db, brandId: number, ids: readonly number[]): Promise<ListedCertification[]> {
  const certificates = await listBackedCertificates(db, brandId, ids);
  return certificates.map(({ id_key: _key, link: _link, ...certificate }) => certificate);
}

/** With the number of variants that have it. */
export type BackedCertificate = StoredCertificate & BackedVariants;

/** In the order of the ids. */
export async function listBackedCertificates(db: Db, brandId: number, ids: readonly number[]): Promise<BackedCertificate[]> {
  const variants = await countBackedVariants(db, brandId, ids);
  return (await listCertificatesById(db, brandId, ids)).map((certificate) => ({
    ...certificate,
    ...(variants.get(certificate.id) ?? { variants: 0, live_variants: 0 }),
  }));
}

/** Ids of the whole list, in order. They are small enough to be kept while the rows are read. */
export function listCertificateIds(db: Db, brandId: number, query: Narrowing): Promise<{ ids: number[] }> {
  return inSnapshot(db, (db) => listIds(db, brandId, query, { skip: 0, take: Number.MAX_SAFE_INTEGER }));
}

type Narrowing = Omit<CertificateListQuery, 'page' | 'page_size'>;

async function listIds(db: Db, brandId: number, query: Narrowing, window: Window): Promise<{ ids: number[]; count: number }> {
  const match = await toMatch(db, brandId, query);
  const parts = await toParts(db, query.ordering ?? 'overall_status');
  const counts = await countParts(db, brandId, match, parts);
  let ids: number[] = [];
  let { skip } = window;
  for (const [index, count] of counts.entries()) {
    const take = Math.min(window.take - ids.length, count - skip);
    if (take > 0) {
      const part = { value: parts.values[index], count, skip, take };
      // Not push(...): a brand may have more certificates than a call can have arguments.
      ids = ids.concat(await listPart(db, brandId, match, parts, part));
    }
    skip = Math.max(skip - count, 0);
  }
  return { ids, count: counts.reduce((sum, count) => sum + count, 0) };
}

/** Up to this many matches are looked up by id, instead of searching again. */
const MAX_LOOKED_UP = 200;

async function toMatch(db: Db, brandId: number, { search = '', status }: Narrowing): Promise<CertificateMatch> {
  const words = searchWords(search);
  const match: CertificateMatch = {
    status: status === 'ends_soon' ? 'validated' : status,
    endsBy: status === 'ends_soon' ? daysFrom(currentDay(), ENDS_SOON_DAYS) : undefined,
    words: words.length > 0 ? await readSearchedWords(db, words) : [],
  };
  if (words.length === 0) return match;
  const ids = await findMatching(db, brandId, match, MAX_LOOKED_UP + 1);
  return ids.length > MAX_LOOKED_UP ? match : { ...match, ids, words: [] };
}

/** Problems first: invalid, pending, validated, which is alphabetical order. */
async function toParts(db: Db, ordering: NonNullable<Narrowing['ordering']>): Promise<CertificateParts> {
  const descending = ordering.startsWith('-');
  const inDirection = <Value>(values: readonly Value[]) => (descending ? values.toReversed() : values);
  switch (ordering) {
    case 'overall_status':
    case '-overall_status':
      return {
        by: 'status',
        values: inDirection(['invalid', 'pending', 'validated']),
        order: ['expires_on', 'id'],
        descending,
      };
    case 'certificate_id':
    case '-certificate_id':
      return { by: undefined, values: [], order: ['sort_key', 'id'], descending };
    case 'expires_on':
    case '-expires_on':
      return { by: undefined, values: [], order: ['expires_on', 'id'], descending };
    default: {
      const column = ordering.endsWith('body_name') ? 'certifying_body_name' : 'certification_name';
      const values = inDirection(await listCertificationsBy(db, column));
      return { by: 'certification_id', values, order: ['id_key'], descending };
    }
  }
}

/** Removes it from the brand and all its variants. Published ones are sent again without it. */
export function removeCertificate(
  db: Db,
  { brandId, certificateId, userId }: { brandId: number; certificateId: number; userId: number },
): Promise<void> {
  return inBrand(db, brandId, async (db) => {
    const name = await findCertificateName(db, brandId, certificateId);
    if (!name) throw certificateNotFound();
    await deleteCertificates(db, brandId, certificateWithId(certificateId));
    const details = { certificate_id: certificateId, ...name };
    await audit(db, { brandId, userId, action: 'certificate.removed', details });
  });
}
