import type { CsvUploadResult } from '@brand-portal/contract/import';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type pg from 'pg';
import { expect, vi } from 'vitest';
import { createTestBrand, createTestMember, type TestUser } from '../../../test/people.ts';
import { type TestApp, useTestApp } from '../../../test/test-app.ts';
import { countWaiting } from '../../db/turns.ts';

const BOUNDARY = 'test-boundary-7f3a';

interface UploadOptions {
  readonly fileName?: string;
  readonly field?: string;
  readonly language?: string;
  /** Other fields of the form, sent before the file. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The `Prefer` header. */
  readonly prefer?: string;
}

/** A form with one file, as a browser sends it. */
export function toForm(content: string | Buffer, { fileName = 'products.csv', field = 'file', fields = {} }: UploadOptions = {}) {
  const others = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"; filename="${fileName}"\r\ncontent-type: text/csv\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Buffer.concat([Buffer.from(others.join('') + head), Buffer.from(content), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}

/** A brand with a member who may import, and test helpers. */
export interface ImportingBrand extends TestApp {
  readonly pool: pg.Pool;
  readonly brandId: number;
  readonly editor: TestUser;
  /** Returns any response. */
  send(content: string | Buffer, options?: UploadOptions): Promise<LightMyRequestResponse>;
  /** Expects success. */
  upload(content: string | Buffer, options?: UploadOptions): Promise<CsvUploadResult>;
  get(path: string, language?: string): Promise<LightMyRequestResponse>;
}

export async function useImportingBrand(): Promise<ImportingBrand> {
  const testApp = await useTestApp();
  return addImportingBrand(testApp);
}

export async function addImportingBrand(testApp: TestApp): Promise<ImportingBrand> {
  const { app, database } = testApp;
  const brandId = await createTestBrand(database.db);
  const editor = await createTestMember(database.db, brandId, 'editor');
  const send = (content: string | Buffer, options?: UploadOptions) => sendUpload(app, brandId, editor, content, options);
  return {
    ...testApp,
    pool: database.pool,
    brandId,
    editor,
    send,
    async upload(content, options) {
      const answer = await send(content, options);
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
      return answer.json();
    },
    get: (path, language = 'en') =>
      app.inject({
        url: `/api/v1/brands/${brandId}/${path}`,
        headers: { ...editor.headers, 'accept-language': language },
      }),
  };
}

/** Uploads a file only to be checked, for a preview. */
export function sendCheck(
  { app, brandId, editor }: ImportingBrand,
  content: string,
  { user = editor, ...options }: UploadOptions & { readonly user?: TestUser } = {},
): Promise<LightMyRequestResponse> {
  const { headers, payload } = toForm(content, options);
  const url = `/api/v1/brands/${brandId}/imports/check/`;
  return app.inject({ method: 'POST', url, headers: { ...headers, ...user.headers }, payload });
}

export function sendUpload(
  app: FastifyInstance,
  brandId: number,
  user: TestUser,
  content: string | Buffer,
  options: UploadOptions = {},
): Promise<LightMyRequestResponse> {
  const { headers, payload } = toForm(content, options);
  return app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brandId}/variant-certifications/upload/`,
    headers: {
      ...headers,
      ...user.headers,
      'accept-language': options.language ?? 'en',
      ...(options.prefer !== undefined && { prefer: options.prefer }),
    },
    payload,
  });
}

/** Holds the brand's lock, which a merge needs, until it is released. */
export async function lockBrandRow({ pool, brandId }: ImportingBrand): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from brands where id = $1 for no key update', [brandId]);
  return async () => {
    await client.query('commit');
    client.release();
  };
}

/** Waits until so many writers wait for the lock of a brand. They have no connection. */
export const waitsForLock = ({ database }: ImportingBrand, count = 1) =>
  vi.waitFor(() => expect(countWaiting(database.db)).toBe(count), 10_000);

/** How many statements of this database wait for a lock. */
export async function countBlocked(pool: pg.Pool, statement = '%'): Promise<number> {
  const { rows } = await pool.query(
    `select count(*) as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
    [statement],
  );
  return rows[0].count;
}

export interface StoredVariant {
  readonly gtin: string;
  readonly name: string;
  readonly category: string;
  readonly has_certs: boolean;
  readonly certificates: string[];
}

/** The brand's variants, in the order of the list. */
export async function storedVariants({ pool, brandId }: ImportingBrand): Promise<StoredVariant[]> {
  const { rows } = await pool.query(
    `select v.gtin, v.name, v.category, v.has_certs, array(
       select n.name || ' ' || c.external_certificate_id
       from variant_certificates l
       join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
       join certifications n on n.id = c.certification_id
       where l.brand_id = v.brand_id and l.variant_id = v.id order by 1
     ) as certificates
     from variants v where v.brand_id = $1 order by v.created_at desc, v.id desc`,
    [brandId],
  );
  return rows;
}

/** The brand's variants by GTIN, with their state. */
export async function describeBrand({ pool, brandId }: ImportingBrand) {
  const { rows } = await pool.query(
    `select v.gtin, v.name, v.category, v.published, array(
       select c.external_certificate_id from variant_certificates l
       join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
       where l.brand_id = v.brand_id and l.variant_id = v.id order by 1
     ) as certificates
     from variants v where brand_id = $1 order by gtin14`,
    [brandId],
  );
  return rows;
}
