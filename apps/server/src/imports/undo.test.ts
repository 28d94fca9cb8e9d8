import type { ImportChange, ImportDetail } from '@brand-portal/contract/import';
import { describe, expect, test } from 'vitest';
import { changeVariants, expectDerivedData, setPublished } from '../../test/catalogue.ts';
import { createTestMember, type TestUser } from '../../test/people.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { purgeImports } from './receipts.ts';
import {
  addImportingBrand,
  describeBrand,
  type ImportingBrand,
  lockBrandRow,
  useImportingBrand,
  waitsForLock,
} from './test-support/uploads.ts';
import { dropOldChanges } from './undo.queries.ts';

type Row = readonly [n: number, name: string, category?: string, certificate?: string];

const toFile = (rows: readonly Row[]) =>
  `variant_name,gtin,category,certificate_id,certification_name\n${rows
    .map(([n, name, category = '', id = '']) => `${name},${toGtin(n)},${category},${id},${id && 'Fairtrade'}`)
    .join('\n')}\n`;

const send = async (brand: ImportingBrand, ...rows: Row[]) => (await brand.upload(toFile(rows))).import_id;

function call({ app, brandId, editor }: ImportingBrand, importId: number, method: 'GET' | 'POST', user = editor) {
  return app.inject({ method, url: `/api/v1/brands/${brandId}/imports/${importId}/undo/`, headers: user.headers });
}

async function undo(brand: ImportingBrand, importId: number): Promise<ImportDetail> {
  const answer = await call(brand, importId, 'POST');
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

const codes = async ({ pool }: ImportingBrand) =>
  (await pool.query('select external_certificate_id as code from certificates order by 1')).rows.map(({ code }) => code);

const idOf = async ({ pool, brandId }: ImportingBrand, n: number): Promise<number> =>
  (await pool.query('select id from variants where brand_id = $1 and gtin = $2', [brandId, toGtin(n)])).rows[0].id;

test('an undo reverts what the import created, changed and linked', async () => {
  const brand = await useImportingBrand();
  await send(brand, [1, 'Salt', 'Food'], [2, 'Tea', 'Drinks', 'OLD']);
  const before = await describeBrand(brand);
  const importId = await send(brand, [1, 'Sea salt', '', 'NEW'], [2, 'Tea', 'Hot drinks'], [3, 'Oil', 'Food', 'NEW']);
  expect((await call(brand, importId, 'GET')).json()).toMatchObject({
    restored: 2,
    removed: 1,
    kept_count: 0,
    kept: [],
  });
  const receipt = await undo(brand, importId);
  expect(receipt).toMatchObject({
    state: 'done',
    undoes_import_id: importId,
    undo_until: null,
    file_name: 'products.csv',
    variants_updated: 2,
    variants_removed: 1,
    kept_count: 0,
    kept: [],
  });
  expect(await describeBrand(brand)).toEqual(before);
  expect(await codes(brand)).toEqual(['OLD']);
  expect((await brand.get(`imports/${importId}/`)).json()).toMatchObject({ state: 'undone', undo_until: null });
  await expectDerivedData(brand.pool);
});

test('an undo restores overwritten links of certificates, except those changed since', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const head = 'variant_name,gtin,certification_name,certificate_id,certificate_link\n';
  const file = (links: readonly string[]) => head + links.map((link, n) => `Salt,${toGtin(n + 1)},Fairtrade,${n},${link}\n`).join('');
  const links = async () =>
    (await brand.pool.query('select link from certificates order by external_certificate_id')).rows.map(({ link }) => link);
  const at = (page: string) => `https://info.example/${page}`;
  await brand.upload(file([at('a'), '', at('c')]));
  const second = await brand.upload(file([at('a2'), at('b2'), at('c2')]));
  expect(await links()).toEqual([at('a2'), at('b2'), at('c2')]);
  await brand.pool.query('update certificates set link = $1 where link = $2', [at('own'), at('c2')]);
  const third = await brand.upload(file([at('a3')]));
  await undo(brand, third.import_id);
  await undo(brand, second.import_id);
  expect(await links()).toEqual([at('a'), '', at('own')]);
  await brand.pool.query(`update imports set undo_until = now() - interval '1 minute'`);
  await brand.pool.query('update due_work set due_at = now()');
  await purgeImports(brand.database.db);
  expect((await brand.pool.query('select from import_certificate_links')).rows).toEqual([]);
});

test('later changes of others are kept and listed; the rest is undone', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  await send(brand, [1, 'Salt'], [2, 'Tea']);
  const importId = await send(brand, [1, 'Sea salt'], [2, 'Green tea'], [3, 'Oil'], [4, 'Rice'], [5, 'Soap', '', 'A']);
  await send(brand, [2, 'White tea'], [4, 'Rice', '', 'B']);
  await changeVariants(db, brand.brandId, { name: 'Olive oil' }, [await idOf(brand, 3)]);
  const kept = [
    { id: await idOf(brand, 2), gtin: toGtin(2), name: 'White tea' },
    { id: await idOf(brand, 4), gtin: toGtin(4), name: 'Rice' },
    { id: await idOf(brand, 3), gtin: toGtin(3), name: 'Olive oil' },
  ].sort((a, b) => a.id - b.id);
  expect((await call(brand, importId, 'GET')).json()).toMatchObject({ restored: 1, removed: 1, kept_count: 3, kept });
  expect(await undo(brand, importId)).toMatchObject({ variants_updated: 1, variants_removed: 1, kept_count: 3, kept });
  expect((await describeBrand(brand)).map(({ name }) => name)).toEqual(['Salt', 'White tea', 'Olive oil', 'Rice']);
  expect(await codes(brand)).toEqual(['B']);
  await expectDerivedData(brand.pool);
});

test('two imports that changed one variant are undone one after the other, including the creation of the variant', async () => {
  const brand = await useImportingBrand();
  const [first, second, third] = [
    await send(brand, [1, 'Salt']),
    await send(brand, [1, 'Sea salt']),
    await send(brand, [1, 'Grey salt', 'Food']),
  ];
  await undo(brand, third);
  expect(await describeBrand(brand)).toMatchObject([{ name: 'Sea salt', category: '' }]);
  expect(await undo(brand, second)).toMatchObject({ variants_updated: 1, kept_count: 0 });
  expect(await describeBrand(brand)).toMatchObject([{ name: 'Salt' }]);
  expect(await undo(brand, first)).toMatchObject({ variants_removed: 1, kept_count: 0 });
  expect(await describeBrand(brand)).toEqual([]);
  await expectDerivedData(brand.pool);
});

test('a variant that somebody has changed since loses the certificate that the import gave it, and keeps its name', async () => {
  const brand = await useImportingBrand();
  await send(brand, [1, 'Salt']);
  const importId = await send(brand, [1, 'Sea salt', '', 'A']);
  await changeVariants(brand.database.db, brand.brandId, { name: 'Grey salt' }, [await idOf(brand, 1)]);
  expect((await call(brand, importId, 'GET')).json()).toMatchObject({ restored: 1, removed: 0, kept_count: 1 });
  await undo(brand, importId);
  expect(await describeBrand(brand)).toMatchObject([{ name: 'Grey salt', certificates: [] }]);
  // The recorded changes are deleted after the undo period, even if the undo was used.
  await brand.pool.query(`update imports set undo_until = now() - interval '1 second' where undo_until is not null`);
  await brand.pool.query(`update due_work set due_at = now() where kind = 'purge_imports'`);
  await purgeImports(brand.database.db);
  expect((await brand.pool.query('select from import_changes')).rowCount).toBe(0);
});

test('a later edit of one field keeps that field and nothing else, and the list says which, who and when', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  const { app, brandId, editor, pool } = brand;
  const head = 'gtin,variant_name,category,description,product_page_url\n';
  await brand.upload(`${head}${toGtin(1)},Salt,Food,Fine,https://x.example/1\n${toGtin(2)},Tea,Drinks,,\n`);
  const { import_id } = await brand.upload(
    `${head}${toGtin(1)},WRONG,Wrong,Coarse,https://x.example/2\n${toGtin(2)},WRONG,Drinks,Green,\n`,
  );
  const edit = async (n: number, changes: object) => {
    const url = `/api/v1/brands/${brandId}/variants/${await idOf(brand, n)}/`;
    const { version } = (await app.inject({ url, headers: editor.headers })).json();
    const answer = await app.inject({
      method: 'PATCH',
      url,
      headers: editor.headers,
      payload: { ...changes, version },
    });
    expect(answer.statusCode).toBe(200);
  };
  await edit(1, { category: 'Spices' });
  await edit(2, { description: 'Black' });
  await brand.upload(`${head}${toGtin(2)},WRONG,Teas,Black,\n`);
  const kept = [
    {
      id: await idOf(brand, 1),
      gtin: toGtin(1),
      name: 'WRONG',
      fields: [{ field: 'category', by: 'Ada Byron', at: expect.any(String) }],
    },
    {
      id: await idOf(brand, 2),
      gtin: toGtin(2),
      name: 'WRONG',
      fields: [{ field: 'description', by: 'Ada Byron', at: expect.any(String) }],
    },
  ].sort((a, b) => a.id - b.id);
  const preview = (await call(brand, import_id, 'GET')).json();
  expect(preview).toMatchObject({ restored: 2, removed: 0, kept_count: 2, kept });
  const receipt = await undo(brand, import_id);
  expect(receipt).toMatchObject({ variants_updated: 2, kept_count: 2, kept });
  const { rows } = await pool.query('select name, category, details from variants order by gtin');
  expect(rows).toEqual([
    { name: 'Salt', category: 'Spices', details: { description: 'Fine', product_page_url: 'https://x.example/1' } },
    { name: 'Tea', category: 'Teas', details: { description: 'Black' } },
  ]);
  await expectDerivedData(pool);
});

test('an undo withdraws published variants of the import from the channel', async () => {
  const brand = await useImportingBrand();
  const { pool, brandId } = brand;
  const importId = await send(brand, [1, 'Salt'], [2, 'Tea'], [3, 'Oil']);
  const id = await idOf(brand, 1);
  const changed = await idOf(brand, 2);
  await setPublished(brand.database.db, brandId, true, [id, changed]);
  await changeVariants(brand.database.db, brandId, { name: 'Green tea' }, [changed]);
  await pool.query(`update deliveries set state = 'live', resource = 'r', revision = 1, sent_revision = 1`);
  expect((await call(brand, importId, 'GET')).json()).toMatchObject({ removed: 2, kept_count: 1, withdrawn: 1 });
  await undo(brand, importId);
  const deliveries = await pool.query('select variant_id, wanted, state from deliveries order by wanted');
  expect(deliveries.rows).toEqual([
    { variant_id: id, wanted: 'absent', state: 'removing' },
    { variant_id: changed, wanted: 'present', state: 'live' },
  ]);
  await expectDerivedData(pool);
});

test('an undo withdraws variants that the import published', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  await brand.pool.query('update brands set opted_in_for_trial = true');
  await send(brand, [1, 'Salt']);
  const { import_id } = await brand.upload(`variant_name,gtin,publishing_channel\nSalt,${toGtin(1)},Google\n`);
  expect((await call(brand, import_id, 'GET')).json()).toMatchObject({ restored: 1, removed: 0, withdrawn: 1 });
  await undo(brand, import_id);
  expect((await brand.pool.query('select published from variants')).rows).toEqual([{ published: false }]);
});

describe('an undo is refused', () => {
  const refusal = async (brand: ImportingBrand, importId: number, user?: TestUser) => {
    const answers = [await call(brand, importId, 'GET', user), await call(brand, importId, 'POST', user)];
    return answers.map((answer) => answer.json().code);
  };

  test('a second time, for an undo, and for a failed import', async () => {
    const brand = await useImportingBrand();
    const importId = await send(brand, [1, 'Salt']);
    const undoId = (await undo(brand, importId)).id;
    const refused = await brand.send('variant_name,gtin\n');
    expect(refused.json().code).toBe('csv_rejected');
    const [{ id: failedId }] = (await brand.pool.query(`select id from imports where state = 'failed'`)).rows;
    for (const id of [importId, undoId, failedId]) expect(await refusal(brand, id)).toEqual(['import_not_undoable', 'import_not_undoable']);
  });

  test.each([
    ['the same rows again', toFile([[1, 'Salt', 'Food', 'A']])],
    ['rejected rows only', 'variant_name,gtin\nSalt,1\n'],
  ])('for an import that changed nothing: %s', async (_case, file) => {
    const brand = await useImportingBrand();
    await send(brand, [1, 'Salt', 'Food', 'A']);
    const { import_id } = await brand.upload(file);
    expect((await brand.get(`imports/${import_id}/`)).json()).toMatchObject({
      state: 'done',
      undo_until: null,
      changed_nothing: true,
    });
    const detail = 'This import changed nothing, so there is nothing to take back.';
    for (const method of ['GET', 'POST'] as const)
      expect((await call(brand, import_id, method)).json()).toMatchObject({ code: 'import_not_undoable', detail });
  });

  test.each([
    ['its time is over', `update imports set undo_until = now() - interval '1 second'`, 1_000],
    ['later imports changed more than is kept', 'select', 0],
  ])(
    'for one that changed only the pages of certificates, once %s, and it does not count as one without changes',
    async (_case, change, limit) => {
      const brand = await useImportingBrand();
      const file = (link: string) =>
        `variant_name,gtin,certification_name,certificate_id,certificate_link\nTea,${toGtin(1)},Fairtrade,FLO-1,${link}\n`;
      await brand.upload(file(''));
      const { import_id } = await brand.upload(file('https://issuer.example/1'));
      await brand.pool.query(change);
      await dropOldChanges(brand.database.db, brand.brandId, limit);
      const receipt = (await brand.get(`imports/${import_id}/`)).json();
      expect(receipt).toMatchObject({ variants_updated: 0, undo_until: null, changed_nothing: false });
      const detail = 'This import can no longer be taken back.';
      expect((await call(brand, import_id, 'GET')).json()).toMatchObject({ code: 'import_not_undoable', detail });
    },
  );

  test('for viewers and strangers, and after the undo period, when the recorded changes are deleted', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    await send(brand, [1, 'Salt']);
    const importId = await send(brand, [1, 'Sea salt']);
    const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
    expect(await refusal(brand, importId, viewer)).toEqual(['permission_denied', 'permission_denied']);
    const other = await addImportingBrand(brand);
    expect(await refusal(other, importId)).toEqual(['import_not_found', 'import_not_found']);
    const changes = async () => (await brand.pool.query('select from import_changes')).rowCount;
    expect(await changes()).toBe(1);
    await brand.pool.query(`update imports set undo_until = now() - interval '1 second'`);
    await brand.pool.query(`update due_work set due_at = now() where kind = 'purge_imports'`);
    await purgeImports(brand.database.db);
    expect(await changes()).toBe(0);
    expect(await refusal(brand, importId)).toEqual(['import_not_undoable', 'import_not_undoable']);
    expect((await describeBrand(brand)).map(({ name }) => name)).toEqual(['Sea salt']);
  });
});

test('of two concurrent undos one succeeds; a cancelled one changes nothing', async () => {
  const brand = await useImportingBrand();
  const importId = await send(brand, [1, 'Salt']);
  const release = await lockBrandRow(brand);
  const url = `/api/v1/brands/${brand.brandId}/imports/${importId}/undo/`;
  const headers = { ...brand.editor.headers, prefer: 'respond-async' };
  const accepted = (await brand.app.inject({ method: 'POST', url, headers })).json();
  await waitsForLock(brand);
  const cancelUrl = `/api/v1/brands/${brand.brandId}/imports/${accepted.import_id}/cancel/`;
  await brand.app.inject({ method: 'POST', url: cancelUrl, headers: brand.editor.headers });
  await release();
  expect((await describeBrand(brand)).map(({ name }) => name)).toEqual(['Salt']);
  const answers = await Promise.all([call(brand, importId, 'POST'), call(brand, importId, 'POST')]);
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(await describeBrand(brand)).toEqual([]);
  await expectDerivedData(brand.pool);
});

test('the changes of an import are listed by kind, with the previous values', async () => {
  const brand = await useImportingBrand();
  await send(brand, [1, 'Salt', 'Food'], [2, 'Tea']);
  const importId = await send(brand, [1, 'Sea salt', 'Spices'], [2, 'Tea', '', 'A'], [3, 'Oil', '', 'A']);
  const list = async (kind: string) => (await brand.get(`imports/${importId}/changes/?kind=${kind}`)).json();
  const change = {
    old_name: null,
    old_category: null,
    category: '',
    details: {},
    old_details: null,
    certificates: [],
    variant_id: expect.any(Number),
  };
  expect(await list('created')).toEqual({
    count: 1,
    results: [{ ...change, gtin: toGtin(3), name: 'Oil', certificates: ['Fairtrade A'] }],
  });
  // Variants that got a certificate count as changed, renamed or not.
  expect(await list('updated')).toEqual({
    count: 2,
    results: expect.arrayContaining([
      { ...change, gtin: toGtin(2), name: 'Tea', certificates: ['Fairtrade A'] },
      { ...change, gtin: toGtin(1), name: 'Sea salt', old_name: 'Salt', category: 'Spices', old_category: 'Food' },
    ]),
  });
  // Includes new variants.
  expect(await list('certified')).toEqual({
    count: 2,
    results: [
      { ...change, gtin: toGtin(3), name: 'Oil', certificates: ['Fairtrade A'] },
      { ...change, gtin: toGtin(2), name: 'Tea', certificates: ['Fairtrade A'] },
    ],
  });
});

test('the changes of an import are listed with its own values, also after later changes and an undo', async () => {
  const brand = await useImportingBrand();
  await send(brand, [1, 'Salt', 'Food'], [2, 'Tea', 'Drinks']);
  const importId = await send(brand, [1, 'Sea salt', 'Food'], [2, 'Green tea', 'Drinks']);
  await changeVariants(brand.database.db, brand.brandId, { name: 'White tea' }, [await idOf(brand, 2)]);
  const changes = async () =>
    (await brand.get(`imports/${importId}/changes/?kind=updated`))
      .json()
      .results.map(({ old_name, name }: ImportChange) => `${old_name} → ${name}`);
  expect(await changes()).toEqual(['Salt → Sea salt', 'Tea → Green tea']);
  await undo(brand, importId);
  expect(await changes()).toEqual(['Salt → Sea salt', 'Tea → Green tea']);
});
