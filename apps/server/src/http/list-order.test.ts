// @module-tag empty-installation
import { CERTIFICATE_ORDERINGS } from '@brand-portal/contract/certificates';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { TEAM_ORDERINGS } from '@brand-portal/contract/team';
import { VARIANT_ORDERINGS } from '@brand-portal/contract/variants';
import { expect, test } from 'vitest';
import { addCertificate, addVariants } from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { toGtin } from '../channel/test-support/delivery.ts';

const ROWS = 41;
/** The parameters of every order that the list has. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/brands/:brandId/variants/': ['', ...VARIANT_ORDERINGS.map((name) => `ordering=${name}`), 'search=oil'],
  '/api/v1/brands/:brandId/certifications/': ['', ...CERTIFICATE_ORDERINGS.map((name) => `ordering=${name}`)],
  '/api/v1/brands/:brandId/team/': ['', ...TEAM_ORDERINGS.map((name) => `ordering=${name}`)],
  '/api/v1/brands/:brandId/imports/': [''],
  '/api/v1/brands/:brandId/imports/:importId/changes/': ['kind=created'],
  '/api/v1/brands/:brandId/imports/:importId/corrections/': [''],
  '/api/v1/platform/brands/': ['', 'search=acme'],
};

const isPaged = ({ query }: (typeof ENDPOINTS)[number]) => 'page' in ((query as { properties?: object } | undefined)?.properties ?? {});

test('the lists with pages are those that are tested below', () => {
  expect(Object.keys(LISTS).sort()).toEqual(
    ENDPOINTS.filter(isPaged)
      .map(({ path }) => path)
      .sort(),
  );
});

/** A brand in which all rows of a list are equal but for their ids, and an import of many rows. */
async function useEqualRows() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db, 'Acme');
  for (let row = 1; row < ROWS; row += 1) await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner', 'Ada Byron');
  for (let row = 1; row < ROWS; row += 1) await createTestMember(db, brandId, 'owner', 'Ada Byron');
  await pool.query('update users set is_staff = true where id = $1', [owner.id]);

  const rows = Array.from({ length: ROWS }, (_, row) => ({ gtin: toGtin(1_000 + row), name: 'Oil' }));
  const ids = await addVariants(db, brandId, rows);
  for (const [row, id] of ids.entries()) await addCertificate(db, brandId, { code: `FSC-C1000${10 + row}`, status: 'validated' }, [id]);
  const upload = async (csv: string) => {
    const form = new FormData();
    form.append('file', new Blob([csv]), 'same.csv');
    const body = new Response(form);
    const answer = await app.inject({
      method: 'POST',
      url: `/api/v1/brands/${brandId}/variant-certifications/upload/`,
      headers: { ...owner.headers, 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    });
    expect(answer.statusCode).toBe(200);
  };
  const lines = (of: (row: number) => string) => Array.from({ length: ROWS }, (_, row) => of(row)).join('\n');
  await upload(`variant_name,gtin\n${lines((row) => `Oil,${toGtin(2_000 + row)}`)}\n${lines(() => 'Oil,1')}\n`);
  await pool.query(
    `insert into imports (brand_id, user_id, file_name, file_bytes, file_sha256, rows_total, state)
     select brand_id, user_id, file_name, file_bytes, file_sha256, 0, 'done' from imports, generate_series(2, $1)`,
    [ROWS],
  );
  await pool.query(`update variants set created_at = '2026-01-01'`);
  await pool.query(`update imports set created_at = '2026-01-01'`);
  await pool.query(`update brand_members set created_at = '2026-01-01'`);
  return { app, brandId, headers: owner.headers, pool };
}

test('every list has the same rows in the same order whatever the size of its pages, also if all rows are equal', {
  timeout: 60_000,
}, async () => {
  const { app, brandId, headers, pool } = await useEqualRows();
  const { rows: imports } = await pool.query('select min(id) as id from imports');
  for (const [path, orders] of Object.entries(LISTS)) {
    const url = path.replace(':brandId', String(brandId)).replace(':importId', String(imports[0].id));
    const read = async (order: string, page: number, size: number): Promise<Record<string, unknown>[]> => {
      const answer = await app.inject({ url: `${url}?${order}&page=${page}&page_size=${size}`, headers });
      expect(answer.statusCode, `${path} ${order}`).toBe(200);
      return answer.json().results;
    };
    for (const order of orders) {
      const whole = await read(order, 1, 100);
      expect(whole.length, path).toBeGreaterThanOrEqual(ROWS);
      const paged = [];
      for (let page = 1; (page - 1) * 3 < whole.length; page += 1) paged.push(...(await read(order, page, 3)));
      const keyOf = (row: Record<string, unknown>) => row.id ?? row.row ?? JSON.stringify(row);
      expect(paged.map(keyOf), `${path} ${order}`).toEqual(whole.map(keyOf));
      expect(new Set(whole.map(keyOf)).size, path).toBe(whole.length);
    }
  }
});
