// @module-tag empty-installation
import type { ImportPreview } from '@brand-portal/contract/import';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { addCertificate, addVariants, expectDerivedData, setPublished } from '../../test/catalogue.ts';
import { createTestMember } from '../../test/people.ts';
import { runs } from '../../test/property.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { purgeImports } from './receipts.ts';
import {
  addImportingBrand,
  type ImportingBrand,
  lockBrandRow,
  sendCheck,
  useImportingBrand,
  waitsForLock,
} from './test-support/uploads.ts';

const HEADER = 'variant_name,gtin,category,certificate_id,certification_name,publishing_channel\n';

async function preview(brand: ImportingBrand, content: string, fileName = 'a.csv'): Promise<ImportPreview> {
  const answer = await sendCheck(brand, content, { fileName });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

function post({ app, brandId, editor }: ImportingBrand, path: string, payload: object = {}, user = editor) {
  return app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/${path}`, headers: user.headers, payload });
}

function confirm(brand: ImportingBrand, shown: ImportPreview, user = brand.editor) {
  const { variants_created, variants_updated, variants_unchanged, rejected, channel } = shown;
  const numbers = { variants_created, variants_updated, variants_unchanged, rejected, ...channel };
  return post(brand, `imports/${shown.import_id}/confirm/`, numbers, user);
}

/** All rows of the brand with their physical position (ctid): unchanged if nothing was written. */
async function fingerprint({ pool }: ImportingBrand): Promise<string> {
  const tables = ['variants', 'certificates', 'variant_certificates', 'variant_counts', 'deliveries', 'import_changes'];
  const parts = tables.map((table) => `select '${table}' || t.ctid || t.xmin || t::text as part from ${table} t`);
  const { rows } = await pool.query(`select md5(string_agg(part, ',' order by part)) as hash from (${parts.join(' union all ')}) p`);
  return rows[0].hash;
}

const staged = async ({ pool }: ImportingBrand) => (await pool.query('select from import_rows')).rowCount;

test('a check returns what the file would change, in numbers and samples, and changes nothing', async () => {
  const brand = await useImportingBrand();
  await brand.upload(`${HEADER}Salt,${toGtin(1)},Food,,,\nTea,${toGtin(2)},,A,Fairtrade,\nOil,${toGtin(3)},,,,\n`);
  const before = await fingerprint(brand);
  const file = `${HEADER}Sea salt,${toGtin(1)},,,,\nTea,${toGtin(2)},,B,Fairtrade,\nTea,${toGtin(2)},,F,FSC,\nOil,${toGtin(3)},,,,\nRice,${toGtin(4)},Food,A,Fairtrade,\nBad,123,,,,\n`;
  const shown = await preview(brand, file);
  expect(shown).toMatchObject({
    total_rows: 6,
    rejected: 1,
    error_count: 1,
    variants_created: 1,
    variants_updated: 2,
    variants_unchanged: 1,
    channel: { published: 0, sent_again: 0 },
    needs_trial: false,
    same_as: null,
    warnings: [
      { code: 'many_renamed', message: expect.stringContaining('1 of 3') },
      { code: 'malformed_certificates', message: expect.stringContaining('FSC F') },
    ],
    created: [
      {
        gtin: toGtin(4),
        name: 'Rice',
        category: 'Food',
        old_name: null,
        old_category: null,
        certificates: ['Fairtrade A'],
        old_certificates: [],
      },
    ],
    updated: [
      {
        gtin: toGtin(1),
        name: 'Sea salt',
        category: 'Food',
        old_name: 'Salt',
        old_category: null,
        certificates: [],
        old_certificates: [],
      },
      {
        gtin: toGtin(2),
        name: 'Tea',
        category: '',
        old_name: null,
        old_category: null,
        certificates: ['FSC F', 'Fairtrade B'],
        old_certificates: ['Fairtrade A'],
      },
    ],
    errors: [{ row: 7, field: 'gtin' }],
  });
  expect(await fingerprint(brand)).toBe(before);
  expect((await brand.get(`imports/${shown.import_id}/`)).json()).toMatchObject({ state: 'checked' });
  const result = await confirm(brand, shown);
  expect(result.json()).toMatchObject({ imported: 5, variants_created: 1, variants_updated: 2, variants_unchanged: 1 });
  expect((await brand.get(`imports/${shown.import_id}/`)).json()).toMatchObject({ state: 'done', rejected: 1 });
  expect(await staged(brand)).toBe(0);
  await expectDerivedData(brand.pool);
});

test('if the brand has changed since the check, the import is refused until the new numbers are confirmed', async () => {
  const brand = await useImportingBrand();
  const shown = await preview(brand, `${HEADER}Salt,${toGtin(1)},,,,\n`);
  await brand.upload(`${HEADER}Sea salt,${toGtin(1)},,,,\n`);
  const refused = await confirm(brand, shown);
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'import_plan_changed']);
  const again = (await brand.get(`imports/${shown.import_id}/preview/`)).json();
  expect(again).toMatchObject({ variants_created: 0, variants_updated: 1 });
  expect((await confirm(brand, again)).json()).toMatchObject({ variants_updated: 1 });
  expect((await confirm(brand, again)).json().code).toBe('import_not_checked');
});

test('a check that is cancelled before its end is discarded; a confirmed one is cancelled as an import', async () => {
  const brand = await useImportingBrand();
  const file = `${HEADER}Salt,${toGtin(1)},,,,\n`;
  const cancel = async (id: number) => (await post(brand, `imports/${id}/cancel/`)).json().state;
  const shown = await preview(brand, file);
  const release = await lockBrandRow(brand);
  const importing = confirm(brand, shown);
  await waitsForLock(brand);
  const checking = sendCheck(brand, file, { fileName: 'b.csv' });
  const running = await vi.waitFor(async () => {
    const [newest] = (await brand.get('imports/')).json().results;
    expect(newest).toMatchObject({ file_name: 'b.csv', state: 'waiting' });
    return newest;
  }, 10_000);
  expect([await cancel(running.id), await cancel(shown.import_id)]).toEqual(['discarded', 'cancelled']);
  await release();
  for (const answer of [await checking, await importing]) expect(answer.json().code).toBe('import_cancelled');
  const { rows } = await brand.pool.query(`select action from audit_log where action like 'variants.%' order by id`);
  expect(rows.map(({ action }) => action)).toEqual(['variants.check_discarded', 'variants.import_cancelled']);
  await vi.waitFor(async () => expect(await staged(brand)).toBe(0), 10_000);
});

test('a check that is discarded, expired or of another brand cannot be confirmed', async () => {
  const brand = await useImportingBrand();
  const file = `${HEADER}Salt,${toGtin(1)},,,,\n`;
  const discarded = await preview(brand, file);
  expect((await post(brand, `imports/${discarded.import_id}/cancel/`)).json()).toMatchObject({ state: 'discarded' });
  const audit = await brand.pool.query(`select details from audit_log where action = 'variants.check_discarded'`);
  expect(audit.rows).toEqual([{ details: { import_id: discarded.import_id } }]);
  expect(await staged(brand)).toBe(0);
  expect((await confirm(brand, discarded)).json().code).toBe('import_not_checked');
  const shown = await preview(brand, file);
  const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
  expect((await confirm(brand, shown, viewer)).json().code).toBe('permission_denied');
  expect((await sendCheck(brand, file, { user: viewer })).json().code).toBe('permission_denied');
  expect((await confirm(await addImportingBrand(brand), shown)).json().code).toBe('import_not_found');
  await brand.pool.query(`update imports set heartbeat_at = now() - interval '31 minutes'`);
  expect((await confirm(brand, shown)).json().code).toBe('import_not_checked');
  await brand.pool.query(`update due_work set due_at = now() where kind = 'purge_imports'`);
  await purgeImports(brand.database.db);
  expect([await staged(brand), (await brand.get(`imports/${shown.import_id}/`)).json().state]).toEqual([0, 'discarded']);
});

test('the same rows are recognised in any order', async () => {
  const brand = await useImportingBrand();
  const rows = [`Salt,${toGtin(1)},,,,`, `Tea,${toGtin(2)},,,,`, `Bad,123,,,,`];
  const { import_id } = await brand.upload(`${HEADER}${rows.join('\n')}\n`);
  const shown = await preview(brand, `${HEADER}${rows.toReversed().join('\n')}\n`);
  expect(shown).toMatchObject({ variants_created: 0, variants_updated: 0, same_as: { import_id } });
  expect((await preview(brand, `${HEADER}${rows[0]}\n`)).same_as).toBeNull();
});

test('for random brands and files, the import does what its preview said, and the preview changes nothing', {
  timeout: 600_000,
}, async () => {
  const brand = await useImportingBrand();
  await brand.pool.query('update brands set opted_in_for_trial = true where id = $1', [brand.brandId]);
  const row = fc.tuple(
    fc.integer({ min: 1, max: 8 }),
    fc.constantFrom('Salt', 'SALT', 'Tea', 'Crème'),
    fc.constantFrom('', 'Food', 'Drinks'),
    fc.constantFrom('', 'A', 'a', 'B'),
    fc.constantFrom('', 'google'),
    fc.boolean(),
  );
  const toLine = ([n, name, category, id, channel, good]: typeof row extends fc.Arbitrary<infer T> ? T : never) =>
    `${name},${good ? toGtin(n) : '123'},${category},${id},${id && 'Fairtrade'},${channel}`;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 10 }), async (rows) => {
      const before = await fingerprint(brand);
      const shown = await preview(brand, `${HEADER}${rows.map(toLine).join('\n')}\n`);
      expect(await fingerprint(brand)).toBe(before);
      const done = await confirm(brand, shown);
      expect(done.json()).toMatchObject({
        variants_created: shown.variants_created,
        variants_updated: shown.variants_updated,
        variants_unchanged: shown.variants_unchanged,
        imported: shown.total_rows - shown.rejected,
      });
    }),
    runs(10, 19),
  );
  await expectDerivedData(brand.pool);
});

test('what is checked while the brand is pending review is published only once it is active', async () => {
  const brand = await useImportingBrand();
  await brand.pool.query(`update brands set opted_in_for_trial = true, status = 'pending' where id = $1`, [brand.brandId]);
  const shown = await preview(brand, `${HEADER}Salt,${toGtin(1)},,,,google\n`);
  expect(shown).toMatchObject({
    channel: { published: 0 },
    needs_trial: false,
    warnings: [{ code: 'publishing_needs_review', message: expect.stringContaining('pending review') }],
  });
  await brand.pool.query(`update brands set status = 'active' where id = $1`, [brand.brandId]);
  expect((await confirm(brand, shown)).json().code).toBe('import_plan_changed');
});

test('if the trial was started since the check, the import is refused until the new numbers are confirmed', async () => {
  const brand = await useImportingBrand();
  const shown = await preview(brand, `${HEADER}Salt,${toGtin(1)},,,,google\n`);
  expect(shown).toMatchObject({ channel: { published: 0 }, needs_trial: true });
  await brand.pool.query('update brands set opted_in_for_trial = true where id = $1', [brand.brandId]);
  expect((await confirm(brand, shown)).json().code).toBe('import_plan_changed');
  expect((await brand.pool.query('select from variants')).rowCount).toBe(0);
  const again = (await brand.get(`imports/${shown.import_id}/preview/`)).json();
  expect(again).toMatchObject({ channel: { published: 1 }, needs_trial: false });
  expect((await confirm(brand, again)).statusCode).toBe(200);
});

test('a check replaces that of the same file, and the oldest of more than three; none counts as an import', async () => {
  const brand = await useImportingBrand();
  const file = (n: number) => `${HEADER}Salt,${toGtin(n)},,,,\n`;
  const shown = [];
  for (const [index, fileName] of ['a.csv', 'b.csv', 'b.csv', 'c.csv'].entries()) shown.push(await preview(brand, file(index), fileName));
  const stateOf = async ({ import_id }: ImportPreview) => (await brand.get(`imports/${import_id}/`)).json().state;
  expect(await Promise.all(shown.map(stateOf))).toEqual(['checked', 'discarded', 'checked', 'checked']);
  shown.push(await preview(brand, file(4), 'd.csv'));
  expect(await Promise.all(shown.map(stateOf))).toEqual(['discarded', 'discarded', 'checked', 'checked', 'checked']);
  expect(await staged(brand)).toBe(3);
  expect((await brand.pool.query('select from variants')).rowCount).toBe(0);
  for (const kept of shown.slice(2)) expect((await confirm(brand, kept)).statusCode).toBe(200);
});

test('an unconfirmed import is not purged until it expires', async () => {
  const brand = await useImportingBrand();
  const shown = await preview(brand, `${HEADER}Salt,${toGtin(1)},,,,\n`);
  await brand.pool.query(`update due_work set due_at = now() where kind = 'purge_imports'`);
  await purgeImports(brand.database.db);
  expect(await staged(brand)).toBe(1);
  await brand.pool.query(`update imports set heartbeat_at = now() - interval '31 minutes'`);
  expect((await brand.get(`imports/${shown.import_id}/`)).json()).toMatchObject({ state: 'discarded' });
});

test('a new page of a certificate counts all published variants that have it, and is in its timeline', async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  const variants = await addVariants(db, brand.brandId, [{ gtin: toGtin(1) }, { gtin: toGtin(2) }, { gtin: toGtin(3) }]);
  const certificate = { code: 'A', certification: 'Fairtrade', status: 'validated' } as const;
  const id = await addCertificate(db, brand.brandId, certificate, variants);
  await setPublished(db, brand.brandId, true, variants.slice(0, 2));
  const head = 'variant_name,gtin,certification_name,certificate_id,certificate_link\n';
  const file = `${head}Thing,${toGtin(1)},Fairtrade,A,https://info.example/a\n`;
  const shown = await preview(brand, file);
  expect(shown).toMatchObject({ variants_updated: 0, variants_unchanged: 1, channel: { published: 0, sent_again: 2 } });
  const before = await brand.pool.query('select revision::int from deliveries');
  expect((await confirm(brand, shown)).statusCode).toBe(200);
  const after = await brand.pool.query('select revision::int from deliveries');
  expect(after.rows.length).toBe(2);
  expect(after.rows.map(({ revision }) => revision)).toEqual(before.rows.map(({ revision }) => revision + 1));
  const timeline = async () => (await brand.get(`certifications/${id}/`)).json().timeline;
  const change = { kind: 'link_changed', import: { id: shown.import_id } };
  expect((await timeline())[0]).toMatchObject({ ...change, detail: 'https://info.example/a' });
  expect((await preview(brand, file)).channel.sent_again).toBe(0);
  expect((await brand.get(`imports/${shown.import_id}/undo/`)).json()).toMatchObject({ certificate_links: 1 });
  expect((await post(brand, `imports/${shown.import_id}/undo/`)).statusCode).toBe(200);
  expect((await timeline())[0]).toMatchObject({ ...change, detail: '' });
});
