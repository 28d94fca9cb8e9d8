import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toGtin } from '../src/channel/test-support/delivery.ts';
import { describeBrand, type ImportingBrand, useImportingBrand } from '../src/imports/test-support/uploads.ts';

const run = promisify(execFile);
const SOFFICE = process.env.SOFFICE ?? 'soffice';
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-portal-libreoffice-'));
  const version = await run(SOFFICE, ['--version']).catch(() => undefined);
  if (!version)
    throw new Error(
      `LibreOffice is missing: ${SOFFICE} cannot be run. Install it (Debian: apt-get install --no-install-recommends libreoffice-calc-nogui) or name it with SOFFICE.`,
    );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** LibreOffice's filter options: comma, double quote, UTF-8, from row 1, cells as displayed. */
const CSV_OPTIONS = '44,34,76,1,,0,false,true';

/** Opens a file in LibreOffice and saves it as another. */
async function resave(content: Buffer, from: 'csv' | 'xlsx', to: 'csv' | 'xlsx'): Promise<Buffer> {
  const path = join(folder, `export.${from}`);
  const outDir = join(folder, 'saved');
  await writeFile(path, content);
  const filter = to === 'csv' ? `csv:Text - txt - csv (StarCalc):${CSV_OPTIONS}` : 'xlsx:Calc MS Excel 2007 XML';
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const inFilter = from === 'csv' ? [`--infilter=Text - txt - csv (StarCalc):${CSV_OPTIONS}`] : [];
  const args = [profile, '--headless', ...inFilter, '--convert-to', filter, '--outdir', outDir, path];
  const { stderr } = await run(SOFFICE, args, { timeout: 120_000 });
  return readFile(join(outDir, `export.${to}`)).catch(() => {
    throw new Error(`LibreOffice has saved nothing: ${stderr}`);
  });
}

const NAMES = ['Soap «é»', 'Jabón ñandú', '石鹸 🧼', 'Olive oil, 0.5 l', 'Salt "fine"', "Baker's flour", '20% rye & wheat'];
/** Names that a spreadsheet may read as formulas, numbers, dates or booleans. */
const MISREAD_NAMES = ['=1+1', '-20% off', '+49 30', '@home', '1-2', '1E5', '007', 'TRUE', '3/4', '<b>', '_x0041_', "'quoted'"];
const GTINS = ['036000291452', '96385074', '04006381333931', '614141000012'];

async function useCatalogue(names: readonly string[]): Promise<ImportingBrand> {
  const brand = await useImportingBrand();
  const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: 600 }, (_, index) => {
    const certificate = index % 3 === 0 ? `FSC-C${String(index).padStart(6, '0')},FSC` : ',';
    const gtin = GTINS[index] ?? toGtin(index);
    return `${quote(`${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`)},${gtin},Care,${certificate}`;
  });
  const file = ['variant_name,gtin,category,certificate_id,certification_name', ...rows].join('\n');
  expect(await brand.upload(file)).toMatchObject({ variants_created: 600, errors: [] });
  await brand.pool.query('update brands set opted_in_for_trial = true where id = $1', [brand.brandId]);
  return brand;
}

async function exportAs(brand: ImportingBrand, format: 'csv' | 'xlsx'): Promise<Buffer> {
  const { statusCode, rawPayload } = await brand.get(`variants/export/?format=${format}&apostrophe=true&ordering=name`);
  expect(statusCode).toBe(200);
  return rawPayload;
}

test.each([
  ['xlsx', 'xlsx', [...NAMES, ...MISREAD_NAMES]],
  ['xlsx', 'csv', [...NAMES, ...MISREAD_NAMES]],
  // A spreadsheet guesses the types of CSV cells, so names that look like numbers or dates would change.
  ['csv', 'xlsx', NAMES],
  ['csv', 'csv', NAMES],
] as const)('an export as %s, opened and saved as %s by LibreOffice, is imported without changing anything', async (from, to, names) => {
  const brand = await useCatalogue(names);
  const before = await describeBrand(brand);
  const saved = await resave(await exportAs(brand, from), from, to);
  expect(await brand.upload(saved, { fileName: `export.${to}` })).toMatchObject({
    errors: [],
    total_rows: 600,
    imported: 600,
    variants_created: 0,
    variants_updated: 0,
    variants_unchanged: 600,
  });
  expect(await describeBrand(brand)).toEqual(before);
});

test('the template, opened and saved by LibreOffice, still has its columns: only rows are missing', async () => {
  const brand = await useImportingBrand();
  const { rawPayload } = await brand.app.inject({
    url: '/api/v1/variant-certifications/template/',
    headers: brand.editor.headers,
  });
  const saved = await resave(rawPayload, 'xlsx', 'xlsx');
  const answer = await brand.send(saved, { fileName: 'product-template.xlsx' });
  expect(answer.json().detail).toBe('The file has a header, but no rows below it.');
});

test('an export of certificates opens in LibreOffice', async () => {
  const brand = await useCatalogue(NAMES);
  const { rawPayload } = await brand.get('certificates/export/?format=xlsx&ordering=certificate_id');
  const lines = (await resave(rawPayload, 'xlsx', 'csv')).toString().trim().split('\n');
  expect(lines).toHaveLength(201);
  expect(lines[1]).toMatch(/^FSC-C000000,FSC,Forest Stewardship Council,/);
});
