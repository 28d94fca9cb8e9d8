import type { CsvUploadResult, ImportPreview } from '@brand-portal/contract/import';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { expectDerivedData } from '../../test/catalogue.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { inTransaction } from '../db/database.ts';
import { findCertificateDoubts } from './certificate-doubts.ts';
import { stageRows } from './staging.queries.ts';
import { toStagedLines } from './test-support/staged-rows.ts';
import { type ImportingBrand, sendCheck, useImportingBrand } from './test-support/uploads.ts';

const ASKING = { prefer: 'mapping=ask' };

/** A file with one product for each certification and id. */
const file = (...certificates: readonly (readonly [string, string])[]) =>
  `variant_name,gtin,certification_name,certificate_id\n${certificates
    .map(([certification, id], index) => `Product ${index},${toGtin(index)},${certification},${id}`)
    .join('\n')}\n`;

async function check(brand: ImportingBrand, content: string): Promise<ImportPreview> {
  const answer = await sendCheck(brand, content);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

const likely = ({ likely_ids }: ImportPreview) => likely_ids.map(({ certificate_id, likely_id }) => [certificate_id, likely_id]);
const codes = ({ warnings }: Pick<ImportPreview | CsvUploadResult, 'warnings'>) => warnings.map(({ code }) => code);

function post({ app, brandId, editor }: ImportingBrand, path: string, payload: object) {
  return app.inject({ method: 'POST', url: `/api/v1/brands/${brandId}/${path}`, headers: editor.headers, payload });
}

function confirm(brand: ImportingBrand, shown: ImportPreview) {
  const { import_id, variants_created, variants_updated, variants_unchanged, rejected, channel } = shown;
  const numbers = { variants_created, variants_updated, variants_unchanged, rejected, ...channel };
  return post(brand, `imports/${import_id}/confirm/`, numbers);
}

const idsOf = async ({ pool, brandId }: ImportingBrand) => {
  const query = 'select external_certificate_id as id from certificates where brand_id = $1 order by id';
  return (await pool.query(query, [brandId])).rows.map(({ id }) => id);
};

test.each([
  ['the letter O in place of 0', 'FSC', 'FSC-C123450', 'FSC-C12345O'],
  ['the letter l in place of 1', 'GOTS', 'GOTS-10051', 'GOTS-1005l'],
  ['the letter I in place of 1', 'GOTS', 'GOTS-10051', 'GOTS-I0051'],
  ['a missing hyphen', 'GOTS', 'CU-800010', 'CU 800010'],
  ['a hyphen too many', 'GOTS', 'CU 800010', 'cu-800010'],
  ['several of them', 'MSC', 'MSC-C-50001', 'msc c500Ol'],
])('%s is found beside an id of the brand, before the import, and corrected', async (_what, name, right, wrong) => {
  const brand = await useImportingBrand();
  await brand.upload(file([name, right]));
  const shown = await check(brand, file([name, right], [name, wrong], [name, wrong]));
  expect(likely(shown)).toEqual([[wrong, right]]);
  expect(shown.likely_ids[0]?.rows).toBe(2);
  expect(codes(shown)).toEqual(['mistyped_certificates']);
  expect(shown.warnings[0]?.message).toContain(`${wrong} → ${right}`);

  const [{ certification_id, certificate_id, likely_id } = expect.fail()] = shown.likely_ids;
  const taken = { certification_id, certificate_id, likely_id };
  const answer = await post(brand, `imports/${shown.import_id}/certificate-ids/`, taken);
  const corrected: ImportPreview = answer.json();
  expect([answer.statusCode, likely(corrected), codes(corrected)]).toEqual([200, [], []]);
  // The second click of a double click.
  expect((await post(brand, `imports/${shown.import_id}/certificate-ids/`, taken)).json().likely_ids).toEqual([]);
  expect((await confirm(brand, corrected)).json()).toMatchObject({ imported: 3, variants_created: 2, warnings: [] });
  expect(await idsOf(brand)).toEqual([right]);
  await expectDerivedData(brand.pool);
  // It is no longer checked.
  expect((await post(brand, `imports/${shown.import_id}/certificate-ids/`, taken)).json().code).toBe('import_not_checked');
});

test('of ids in one file, the one of the documented form is likelier, else the more frequent one, else the first', async () => {
  const brand = await useImportingBrand();
  const ids = [
    ...['FSC-C12345O', 'FSC-C12345O', 'FSC-C123450'].map((id) => ['FSC', id] as const),
    ...['CU 800010', 'CU-800010', 'CU-800010', 'X-1', 'X-I'].map((id) => ['GOTS', id] as const),
  ];
  expect(likely(await check(brand, file(...ids)))).toEqual([
    ['FSC-C12345O', 'FSC-C123450'],
    ['CU 800010', 'CU-800010'],
    ['X-I', 'X-1'],
  ]);
});

test('a right id is not in doubt because the brand has a mistyped one, and known ids are never', async () => {
  const brand = await useImportingBrand();
  await brand.upload(file(['FSC', 'FSC-C12345O']));
  expect(likely(await check(brand, file(['FSC', 'FSC-C123450'])))).toEqual([]);
  await brand.upload(file(['FSC', 'FSC-C123450']));
  expect(likely(await check(brand, file(['FSC', 'FSC-C12345O'], ['FSC', 'FSC-C123450'])))).toEqual([]);
});

test.each([
  ['another digit', 'GOTS', 'A-1', 'A-2'],
  ['hyphens at other places', 'GOTS', 'A-12-3', 'A-1-23'],
])('%s makes another id', async (_what, name, known, given) => {
  const brand = await useImportingBrand();
  await brand.upload(file([name, known]));
  expect(codes(await check(brand, file([name, given])))).toEqual([]);
});

test('a mistyped id is found after any number of ids that only look mistyped, and of many the first 20 are listed', async () => {
  const brand = await useImportingBrand();
  const ids = Array.from({ length: 25 }, (_, index) => `FSC-C0234${10 + index}`);
  const misspell = (id: string) => id.replaceAll('0', 'O');
  // The brand has mistyped ones, so those of the file are right.
  await brand.upload(file(...ids.map((id) => ['FSC', misspell(id)] as const)));
  await brand.upload(file(['GOTS', 'CU-800010']));
  const fsc = ids.map((id) => ['FSC', id] as const);
  expect(likely(await check(brand, file(...fsc, ['GOTS', 'CU-80001O'])))).toEqual([['CU-80001O', 'CU-800010']]);

  const gots = ids.map((_, index) => `GOTS-${1_000 + index}`);
  await brand.upload(file(...gots.map((id) => ['GOTS', id] as const)));
  const shown = await check(brand, file(...gots.map((id) => ['GOTS', misspell(id)] as const)));
  expect(likely(shown)).toEqual(gots.slice(0, 20).map((id) => [misspell(id), id]));
});

test('50,000 ids that all look alike are compared in seconds', async () => {
  const brand = await useImportingBrand();
  const { db } = brand.database;
  const stage = { brandId: brand.brandId, importId: 1 };
  const letters = (index: number) => [...index.toString(2).padStart(16, '0').replaceAll('1', 'O')];
  // Hyphens at many places, and the same number of them.
  const spell = (index: number) =>
    letters(index)
      .toSpliced(index % 16, 0, '-')
      .join('');
  await inTransaction(db, async (db) => {
    await stageRows(
      db,
      stage,
      toStagedLines(
        stage,
        Array.from({ length: 50_000 }, () => ['Salt', '96385074']),
      ),
    );
    await sql`
      update import_rows r set certification_id = (select id from certifications where name = 'GOTS'),
        external_certificate_id = j.id, certificate_key = j.id
      from jsonb_array_elements_text(${JSON.stringify(Array.from({ length: 50_000 }, (_, index) => spell(index)))}::jsonb)
        with ordinality as j (id, place) where r.brand_id = ${stage.brandId} and r.row_number = j.place + 1
    `.execute(db);
    const started = performance.now();
    const { mistyped } = await findCertificateDoubts(db, stage);
    expect(mistyped.length).toBeGreaterThan(49_000);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

test('ids of other certifications are not compared, and letter case or blanks make no other id', async () => {
  const brand = await useImportingBrand();
  await brand.upload(file(['GOTS', 'AB-1'], ['RSPO', 'CD-1']));
  expect(codes(await check(brand, file(['GOTS', 'ab - 1'], ['GOTS', 'CD1'])))).toEqual([]);
});

test('an upload that may ask waits for the confirmation; another one is imported, with the warning in its result', async () => {
  const brand = await useImportingBrand();
  await brand.upload(file(['GOTS', 'CU-800010']));
  const asked = await brand.send(file(['GOTS', 'CU 800010']), ASKING);
  expect([asked.statusCode, asked.json().state]).toEqual([202, 'checked']);
  expect(await idsOf(brand)).toEqual(['CU-800010']);
  const result = await brand.upload(file(['GOTS', 'CU 800010']));
  expect(codes(result)).toEqual(['mistyped_certificates', 'further_certificates']);
});

test('ids without the documented form of their certification are warned of in the check, in both languages', async () => {
  const brand = await useImportingBrand();
  const one = await check(brand, file(['FSC', 'FSC-C12'], ['FSC', 'FSC-C123456'], ['RSPO', 'anything']));
  expect(one.warnings).toEqual([
    {
      code: 'malformed_certificates',
      message: "A certificate ID doesn't have its certification's format: FSC FSC-C12. Such a certificate is invalid. Check it for typos.",
    },
  ]);
  const two = await check(brand, file(['FSC', 'FSC-C12'], ['EPREL', 'x'], ['EPREL', '12']));
  expect(two.warnings[0]?.message).toContain('2 certificate IDs');
  const spanish = (await brand.get(`imports/${two.import_id}/preview/`, 'es')).json();
  expect(spanish.warnings[0].message).toContain('2 ID de certificado no tienen el formato de su certificación: FSC');
  // Not a reason to hold up an upload.
  expect(codes(await brand.upload(file(['FSC', 'FSC-C12']), ASKING))).toEqual(['malformed_certificates']);
});
