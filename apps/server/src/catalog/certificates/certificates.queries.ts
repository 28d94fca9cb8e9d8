import { type BrandCertification, CERTIFICATE_STATUSES, type CertificateStatus } from '@brand-portal/contract/certificates';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Columns, Condition, Ids, Order, Rows } from '../../db/fragments.ts';

type CertificationNames = Pick<BrandCertification, 'certifying_body_code' | 'certifying_body_name' | 'certification_name'>;

const NAMES: Columns = sql`b.code as certifying_body_code, b.name as certifying_body_name, n.name as certification_name`;

/** The certifications of the brand's certificates, sorted by name. */
export async function listCertificationsOf(
  db: Db,
  brandId: number,
): Promise<{ readonly id: number; readonly names: CertificationNames }[]> {
  const { rows } = await sql<CertificationNames & { id: number }>`
    select n.id, ${NAMES} from certifications n join certifying_bodies b on b.id = n.certifying_body_id
    where exists (select from certificates c where c.brand_id = ${brandId} and c.certification_id = n.id)
    order by n.name collate "C", n.id
  `.execute(db);
  return rows.map(({ id, ...names }) => ({ id, names }));
}

export interface StoredCertificate extends BrandCertification {
  readonly id_key: string;
  readonly expires_on: string | null;
  readonly link: string;
}

const COLUMNS: Columns = sql`c.id, c.id_key, c.external_certificate_id as certificate_id, c.status as overall_status, c.reason`;

/** In the order of the ids, without deleted ones. */
export async function listCertificatesById(db: Db, brandId: number, ids: readonly number[]): Promise<StoredCertificate[]> {
  const { rows } = await sql<StoredCertificate>`
    select ${COLUMNS}, ${NAMES}, c.expires_on::text as expires_on, c.link
    from certificates c
    join certifications n on n.id = c.certification_id
    join certifying_bodies b on b.id = n.certifying_body_id
    where c.brand_id = ${brandId} and c.id = any(${ids}::bigint[])
  `.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export interface BackedVariants {
  readonly variants: number;
  /** How many of them the channel shows in at least one country. */
  readonly live_variants: number;
}

/** By certificate. Counted on demand: for one page that is cheaper than updating a count with every delivery. */
export async function countBackedVariants(db: Db, brandId: number, ids: readonly number[]): Promise<Map<number, BackedVariants>> {
  const { rows } = await sql<BackedVariants & { id: number }>`
    select l.certificate_id as id, count(*) as variants, count(d.variant_id) as live_variants
    from variant_certificates l
    left join deliveries d on d.brand_id = ${brandId} and d.variant_id = l.variant_id
      and d.wanted = 'present' and d.state in ('live', 'partly_live')
    where l.brand_id = ${brandId} and l.certificate_id = any(${ids}::bigint[])
    group by 1
  `.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

/** A normalised word of the search, and the certifications that it matches. */
export interface SearchedWord {
  readonly key: string;
  readonly certification_ids: readonly number[];
}

export async function readSearchedWords(db: Db, words: readonly string[]): Promise<SearchedWord[]> {
  const { rows } = await sql<SearchedWord>`
    select w.key, array(
      select n.id from certifications n join certifying_bodies b on b.id = n.certifying_body_id
      where strpos(search_key(n.name || ' ' || b.name), w.key) > 0
    ) as certification_ids
    from (select search_key(word) as key from unnest(${words}::text[]) word) w
  `.execute(db);
  return rows.map(({ key, certification_ids }) => ({ key, certification_ids: certification_ids.map(Number) }));
}

/** The certifications in the order of a sort column. */
export async function listCertificationsBy(db: Db, column: 'certification_name' | 'certifying_body_name'): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select n.id from certifications n join certifying_bodies b on b.id = n.certifying_body_id
    order by search_key(${sql.ref(column === 'certification_name' ? 'n.name' : 'b.name')}) collate "C", n.name collate "C", n.id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The filter of a list. */
export interface CertificateMatch {
  readonly status: CertificateStatus | undefined;
  readonly endsBy: string | undefined;
  readonly words: readonly SearchedWord[];
  /** The matches of a search, if there are few. */
  readonly ids?: readonly number[];
}

/** Up to `limit` matches, in any order. */
export async function findMatching(db: Db, brandId: number, match: CertificateMatch, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from certificates c where ${matching(brandId, match)} limit ${limit}
  `.execute(db);
  return rows.map(({ id }) => id);
}

function matching(brandId: number, { status, endsBy, words, ids }: CertificateMatch): Condition {
  const conditions: Condition[] = [sql`c.brand_id = ${brandId}`];
  if (ids) conditions.push(sql`c.id = any (${ids}::bigint[])`);
  if (status) conditions.push(sql`c.status = ${status}`);
  if (endsBy) conditions.push(sql`c.expires_on <= ${endsBy}::date`);
  // PostgreSQL evaluates conditions in this order: the most selective first, and the cheaper of two.
  for (const { key, certification_ids } of words.toSorted((one, other) => one.certification_ids.length - other.certification_ids.length)) {
    const isInId: Condition = sql`strpos(c.id_search, ${key}) > 0`;
    const isNamed: Condition = sql`c.certification_id = any (${certification_ids}::bigint[])`;
    conditions.push(certification_ids.length === 0 ? isInId : sql`(${isNamed} or ${isInId})`);
  }
  return sql.join(conditions, sql` and `);
}

/** A list is read part by part, each in index order, so that 100,000 certificates are never sorted. */
export interface CertificateParts {
  /** The column that splits the list. Undefined: there is one part. */
  readonly by: 'status' | 'certification_id' | undefined;
  /** The values of that column, in order. */
  readonly values: readonly (string | number)[];
  /** The order within a part. */
  readonly order: readonly ('expires_on' | 'sort_key' | 'id_key' | 'id')[];
  readonly descending: boolean;
}

const isInPart = (by: CertificateParts['by'], value: string | number | undefined): Condition =>
  by === undefined ? sql`true` : sql`${sql.ref(`c.${by}`)} = ${value}`;

/** The number of matches in each part. */
export async function countParts(db: Db, brandId: number, match: CertificateMatch, { by, values }: CertificateParts): Promise<number[]> {
  if (by === 'certification_id') {
    const { rows } = await countCertifications(brandId, match).execute(db);
    const found = new Map<string | number, number>(rows.map(({ part, count }) => [part, count]));
    return values.map((value) => found.get(value) ?? 0);
  }
  const parts = by === undefined ? [undefined] : values;
  const counts = parts.map(
    (value) => sql`(select count(*) from certificates c where ${matching(brandId, match)} and ${isInPart(by, value)})`,
  );
  const { rows } = await sql<{ counts: number[] }>`select json_build_array(${sql.join(counts)}) as counts`.execute(db);
  return rows[0]?.counts ?? [];
}

/**
 * Matches by certification. All certificates are counted in the unique key, the only index with `id_key`: for `count(*)` without statistics
 * PostgreSQL might read another one as a whole for each certification. A filter is no part of that key, so it is applied in one scan.
 */
function countCertifications(brandId: number, match: CertificateMatch): Rows<{ part: number; count: number }> {
  const isFiltered = match.status || match.endsBy || match.ids || match.words.length > 0;
  if (isFiltered)
    return sql`select c.certification_id as part, count(*) as count from certificates c where ${matching(brandId, match)} group by 1`;
  return sql`
    select n.id as part, (
      select count(c.id_key) from certificates c where c.brand_id = ${brandId} and c.certification_id = n.id
    ) as count
    from certifications n`;
}

export interface Window {
  readonly skip: number;
  readonly take: number;
}

/** Ids of one part, in order. The second half of `count` is read backwards from the end. */
export async function listPart(
  db: Db,
  brandId: number,
  match: CertificateMatch,
  { by, order, descending }: CertificateParts,
  part: { readonly value: string | number | undefined; readonly count: number } & Window,
): Promise<number[]> {
  const { value, count, skip, take } = part;
  const isNearEnd = skip > count / 2;
  const direction = descending === isNearEnd ? sql`asc` : sql`desc`;
  const ordered: Order = sql.join(order.map((column) => sql`${sql.ref(`c.${column}`)} ${direction}`));
  const read = (columns: Columns, only: Condition): Ids =>
    sql`select ${columns} from certificates c where ${matching(brandId, match)} and ${only} order by ${ordered}`;
  // The index has expiry dates in order only within a status, so three ordered lists are merged.
  const ofStatus = (status: CertificateStatus): Ids => sql`(${read(sql`c.id, c.expires_on`, isInPart('status', status))})`;
  const merged: Ids = sql.join(CERTIFICATE_STATUSES.map(ofStatus), sql` union all `);
  const source: Ids =
    by === undefined && order[0] === 'expires_on'
      ? sql`select c.id from (${merged}) c order by ${ordered}`
      : read(sql`c.id`, isInPart(by, value));
  const { rows } = await sql<{ id: number }>`
    ${source} limit ${take} offset ${isNearEnd ? count - skip - take : skip}
  `.execute(db);
  const ids = rows.map(({ id }) => id);
  return isNearEnd ? ids.reverse() : ids;
}

type UnnamedCertificate = Omit<BrandCertification, keyof CertificationNames> & { readonly id_key: string };

/** The next certificates of one certification by their ids, in the order of the unique key. Without names, which all of them share. */
export async function listCertificatesOf(
  db: Db,
  { brandId, certificationId, after, limit }: { brandId: number; certificationId: number; after: string; limit: number },
): Promise<UnnamedCertificate[]> {
  const { rows } = await sql<UnnamedCertificate>`
    select ${COLUMNS} from certificates c
    where c.brand_id = ${brandId} and c.certification_id = ${certificationId} and c.id_key > ${after}
    order by c.id_key
    limit ${limit}
  `.execute(db);
  return rows;
}

export async function countVariantsWith(db: Db, brandId: number, certificateId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from variant_certificates where brand_id = ${brandId} and certificate_id = ${certificateId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export function certificateWithId(id: number): Condition {
  return sql`id = ${id}`;
}

export async function findCertificateName(
  db: Db,
  brandId: number,
  id: number,
): Promise<{ certification: string; external_certificate_id: string } | undefined> {
  const { rows } = await sql<{ certification: string; external_certificate_id: string }>`
    select n.name as certification, c.external_certificate_id
    from certificates c join certifications n on n.id = c.certification_id
    where c.brand_id = ${brandId} and c.id = ${id}
  `.execute(db);
  return rows[0];
}
