import type { LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createTestMember } from '../../test/people.ts';
import { workbook } from '../../test/workbooks.ts';
import { deleteBrand, optInForTrial } from '../people/brands/brands.ts';
import { migrateJobs } from '../queue/worker.ts';
import { addImportingBrand, sendUpload, storedVariants, useImportingBrand, waitsForLock } from './test-support/uploads.ts';

const HEADER = 'variant_name,gtin,category,publishing_channel,certificate_id,certification_name';

// spec: §3 upload result, §7 upload
test('valid rows are imported with their certificates, invalid rows are reported, and the answer counts both', async () => {
  const brand = await useImportingBrand();
  const result = await brand.upload(
    [
      HEADER,
      'Olive Oil,6291041500213,Food,,FSC-C123456,fsc',
      'Sea Salt,036000291452,,,,',
      ',123,,,,',
      'Honey,4006381333931,,,77,Fairtrad',
    ].join('\n'),
  );
  expect(result).toMatchObject({ imported: 2, total_rows: 4, error_count: 3, warnings: [] });
  expect(result.errors).toEqual([
    { row: 4, code: 'missing_value', field: 'variant_name', message: 'This value is required.' },
    {
      row: 4,
      code: 'gtin_length',
      field: 'gtin',
      message: '"123": A GTIN has 8, 12, 13 or 14 digits, but this one has 3. Please enter the number on the package.',
    },
    {
      row: 5,
      code: 'unknown_certification',
      field: 'certification_name',
      message: 'The certification "Fairtrad" is not supported. Did you mean "Fairtrade"?',
    },
  ]);
  expect(await storedVariants(brand)).toEqual([
    { gtin: '6291041500213', name: 'Olive Oil', category: 'Food', has_certs: true, certificates: ['FSC FSC-C123456'] },
    { gtin: '036000291452', name: 'Sea Salt', category: '', has_certs: false, certificates: [] },
  ]);
});

test('a name that could mean two certifications is refused, and both are offered', async () => {
  const brand = await useImportingBrand();
  const file = `${HEADER}\nOil,036000291452,,,77,Fair Trade\nTea,73513537,,,78,Fair Trade USA\n`;
  const english = await brand.upload(file);
  expect(english.errors).toEqual([
    {
      row: 2,
      code: 'ambiguous_certification',
      field: 'certification_name',
      message:
        '"Fair Trade" could mean "Fair Trade Certified" (Fair Trade USA) or "Fairtrade" (FLOCERT). Please write the name of the one that is on the certificate.',
    },
  ]);
  expect(await storedVariants(brand)).toMatchObject([{ certificates: ['Fair Trade Certified 78'] }]);
  const spanish = await brand.upload(file, { language: 'es' });
  expect(spanish.errors[0]?.message).toContain('«Fair Trade» puede significar «Fair Trade Certified» (Fair Trade USA) o ');
});

test('an existing GTIN is updated, with any number of leading zeros, and a blank category keeps the old one', async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin,category\nSalt,036000291452,Food\nHoney,96385074,Food\n');
  await brand.upload('variant_name,gtin,category\nSea Salt,00036000291452,\nHoney,96385074,Sweets\n');
  expect(await storedVariants(brand)).toMatchObject([
    { gtin: '036000291452', name: 'Sea Salt', category: 'Food' },
    { gtin: '96385074', name: 'Honey', category: 'Sweets' },
  ]);
});

test('several rows of one GTIN are one variant with several certificates, and a blank category is no contradiction', async () => {
  const brand = await useImportingBrand();
  const result = await brand.upload(
    [
      HEADER,
      'Olive Oil,036000291452,Food,,FSC-C1,FSC',
      'Olive Oil,0036000291452,,,7,EPREL',
      'olive oil,036000291452,food,,FSC-C1,FSC',
    ].join('\n'),
  );
  expect(result).toMatchObject({ imported: 3, total_rows: 3, errors: [] });
  expect(await storedVariants(brand)).toEqual([
    {
      gtin: '036000291452',
      name: 'olive oil',
      category: 'food',
      has_certs: true,
      certificates: ['EPREL 7', 'FSC FSC-C1'],
    },
  ]);
});

test('rows that give one GTIN two names are all rejected, each naming a row that contradicts it', async () => {
  const brand = await useImportingBrand();
  const result = await brand.upload(
    [
      HEADER,
      'Green tea,036000291452,Drinks,,,',
      'Salt,96385074,Food,,,',
      'Black tea,0036000291452,Drinks,,,',
      'Salt,96385074,Spices,,,',
      'Honey,73513537,,,,',
      'Green tea,036000291452,Drinks,,A,FSC',
      'Salt,96385074,,,,',
    ].join('\n'),
  );
  expect(result).toMatchObject({ imported: 2, total_rows: 7, error_count: 5 });
  expect(result.errors.map(({ row, code, field, message }) => [row, code, field, message])).toEqual([
    [2, 'contradicting_names', 'variant_name', 'Row 4 gives the same GTIN another name. Please keep the right one.'],
    [3, 'contradicting_categories', 'category', 'Row 5 gives the same GTIN another category. Please keep the right one.'],
    [4, 'contradicting_names', 'variant_name', 'Row 2 gives the same GTIN another name. Please keep the right one.'],
    [5, 'contradicting_categories', 'category', 'Row 3 gives the same GTIN another category. Please keep the right one.'],
    [7, 'contradicting_names', 'variant_name', 'Row 4 gives the same GTIN another name. Please keep the right one.'],
  ]);
  expect((await storedVariants(brand)).map(({ name, category }) => [name, category])).toEqual([
    ['Honey', ''],
    ['Salt', ''],
  ]);
});

test('rows that give one GTIN different ids of one certification are rejected, each naming the other', async () => {
  const brand = await useImportingBrand();
  const result = await brand.upload(
    [
      HEADER,
      'Oil,036000291452,Food,,A,FSC',
      'Salt,96385074,,,A,FSC',
      'Oil,036000291452,Food,,B,FSC',
      'Oil,036000291452,Food,,A,FSC',
      'Oil,036000291452,Food,,B,GOTS',
    ].join('\n'),
  );
  expect(result).toMatchObject({ imported: 2, total_rows: 5, error_count: 3 });
  expect(result.errors.map(({ row, code, field, message }) => [row, code, field, /Row (\d+)/.exec(message)?.[1]])).toEqual([
    [2, 'contradicting_rows', 'certificate_id', '4'],
    [4, 'contradicting_rows', 'certificate_id', '2'],
    [5, 'contradicting_rows', 'certificate_id', '4'],
  ]);
  expect(await storedVariants(brand)).toMatchObject([
    { name: 'Salt', certificates: ['FSC A'] },
    { name: 'Oil', certificates: ['GOTS B'] },
  ]);
  const download = await brand.get(`imports/${result.import_id}/rejected-rows/`);
  expect(download.body).toContain("Please keep the right one.,Oil,'036000291452,Food,,B,FSC\r\n");
});

test('the list shows the newest first, and those of one file in its order', async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin\nFirst,96385074\nSecond,73513537\n');
  await brand.upload('variant_name,gtin\nThird,90311017\nFirst,96385074\nFourth,4006381333931\n');
  const { results } = (await brand.get('variants/')).json();
  expect(results.map(({ name }: { name: string }) => name)).toEqual(['Third', 'Fourth', 'First', 'Second']);
});

test('importing the same file again writes no row of the brand', async () => {
  const brand = await useImportingBrand();
  const file = [HEADER, 'Oil,036000291452,Food,,A,FSC', 'Salt,96385074,,,,', 'Oil,036000291452,,,B,GOTS'].join('\n');
  const versions = async () => {
    const rows = [];
    for (const table of ['variants', 'certificates', 'variant_certificates', 'variant_search_waiting']) {
      const result = await brand.pool.query(
        `select '${table}' as table, xmin::text, ctid::text from ${table} where brand_id = $1 order by ctid`,
        [brand.brandId],
      );
      rows.push(...result.rows);
    }
    return rows;
  };
  await brand.upload(file);
  const before = await versions();
  expect(await brand.upload(file)).toMatchObject({ imported: 3, total_rows: 3, errors: [] });
  expect(await versions()).toEqual(before);
  const [again, first] = (await brand.get('imports/')).json().results;
  expect(first).toMatchObject({ variants_created: 2, variants_updated: 0 });
  expect(again).toMatchObject({ variants_created: 0, variants_updated: 0 });
});

test('new certificates of known variants count as updates and are queued for validation', {
  tags: 'empty-installation',
}, async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin\nOil,036000291452\nSalt,96385074\nTea,73513537\n');
  const jobs = () => brand.pool.query(`select from graphile_worker.jobs where task_identifier = 'validate_certificates'`);
  expect((await jobs()).rowCount).toBe(0);
  await brand.upload([HEADER, 'Oil,036000291452,,,A,FSC', 'Sea Salt,96385074,,,A,FSC', 'Tea,73513537,,,,'].join('\n'));
  expect((await jobs()).rowCount).toBe(1);
  expect((await brand.get('imports/')).json().results[0]).toMatchObject({ variants_created: 0, variants_updated: 2 });
  expect((await storedVariants(brand)).map(({ has_certs }) => has_certs)).toEqual([true, true, false]);
});

describe('a row that names the channel', () => {
  const FILE = 'variant_name,gtin,publishing_channel\nOil,036000291452, Google \nTea,73513537,google shopping\nSalt,96385074,\n';
  const PUBLISHED = ['Oil', 'Tea'];

  async function useTrial() {
    const brand = await useImportingBrand();
    await migrateJobs(brand.pool, pino({ level: 'silent' }));
    await optInForTrial(brand.database.db, null, brand.brandId);
    const names = async (text: string) => (await brand.pool.query(text)).rows.map(({ name }) => name);
    return {
      ...brand,
      published: () => names('select name from variants where published order by name'),
      queued: () =>
        names(
          `select v.name from deliveries d join variants v on v.brand_id = d.brand_id and v.id = d.variant_id
           where d.wanted = 'present' order by 1`,
        ),
    };
  }

  test('is published as if by the member, with delivery, due work and audit entry; a second import changes nothing', {
    tags: 'empty-installation',
  }, async () => {
    const { upload, published, queued, pool, brandId, get } = await useTrial();
    expect((await upload(FILE)).warnings).toEqual([
      {
        code: 'published_rows',
        message: '2 variants were published to Google, as the column publishing_channel asks for.',
      },
    ]);
    expect([await published(), await queued()]).toEqual([PUBLISHED, PUBLISHED]);
    const due = await pool.query(`select brand_id::int from due_work where kind = 'deliver' and due_at <= now()`);
    expect(due.rows).toEqual([{ brand_id: brandId }]);
    const audits = await pool.query(`select details->'published' as published from audit_log where action = 'variants.imported'`);
    expect(audits.rows).toEqual([{ published: 2 }]);
    expect((await upload(FILE)).warnings).toEqual([]);
    expect((await get('imports/')).json().results[0]).toMatchObject({ variants_created: 0, variants_updated: 0 });
  });

  test('publishes an existing variant, and a blank cell does not unpublish it', {
    tags: 'empty-installation',
  }, async () => {
    const { upload, published, queued } = await useTrial();
    await upload(FILE.replaceAll(/google( shopping)?/gi, ''));
    expect(await published()).toEqual([]);
    await upload(FILE);
    expect([await published(), await queued()]).toEqual([PUBLISHED, PUBLISHED]);
    await upload('variant_name,gtin,publishing_channel\nOil,036000291452,\n');
    expect(await published()).toEqual(PUBLISHED);
  });

  test('is imported and not published while the brand has not started its trial, and the result says so', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    const { imported, warnings } = await brand.upload(FILE);
    expect([imported, warnings.map(({ code }) => code)]).toEqual([3, ['publishing_needs_trial']]);
    const { rows } = await brand.pool.query('select published from variants where published');
    expect(rows).toEqual([]);
  });

  test('is imported and not published while the brand is pending review, and the check and the result say so', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useTrial();
    await brand.pool.query(`update brands set status = 'pending'`);
    const { imported, warnings } = await brand.upload(FILE);
    expect([imported, warnings.map(({ code }) => code)]).toEqual([3, ['publishing_needs_review']]);
    const { rows } = await brand.pool.query('select published from variants where published');
    expect(rows).toEqual([]);
  });

  test('is imported and not published for another channel, and the result says so', {
    tags: 'empty-installation',
  }, async () => {
    const { upload, published } = await useTrial();
    const { imported, warnings } = await upload('variant_name,gtin,publishing_channel\nOil,036000291452,Amazon\n');
    expect([imported, await published()]).toEqual([1, []]);
    expect(warnings).toEqual([
      {
        code: 'unknown_channels',
        message: 'These channels are not offered, so their rows are imported but not published: Amazon. The only channel is Google.',
      },
    ]);
  });
});

test('unknown columns are ignored and reported', async () => {
  const brand = await useImportingBrand();
  const result = await brand.upload('variant_name,gtin,Colour,Certification Status\nOil,036000291452,green,ok\n');
  expect(result.warnings).toEqual([{ code: 'ignored_columns', message: 'Unknown columns are ignored: Colour.' }]);
});

test('messages are in the language of the request', async () => {
  const brand = await useImportingBrand();
  const file = 'variant_name,gtin,x\nOil,6291041500214,\n';
  const spanish = await brand.upload(file, { language: 'es-MX,es;q=0.9,en;q=0.8' });
  expect(spanish.errors[0]?.message).toContain('El dígito de control (el último) debería ser 3, pero es 4.');
  expect(spanish.warnings[0]?.message).toBe('Las columnas desconocidas se ignoran: x.');
  const english = (await brand.get(`imports/${spanish.import_id}/`)).json();
  expect(english.errors[0].message).toContain('should be 3, but it is 4.');
  const refused = await brand.send('', { language: 'es' });
  expect(refused.json()).toMatchObject({ code: 'csv_rejected', detail: 'Archivo CSV vacío' });
});

test('a refused file creates no variants, and its receipt says why, in the language of the reader', async () => {
  const brand = await useImportingBrand();
  const refused = await brand.send('variant_name,gtin\nSalt,96385074\n"Pepper,73513537\n');
  expect(refused.statusCode).toBe(422);
  expect(refused.json()).toMatchObject({
    code: 'csv_rejected',
    detail: 'A quote (") that opens in row 3 is never closed. Close or remove it.',
  });
  expect(await storedVariants(brand)).toEqual([]);
  const receipt = async (language: string) => (await brand.get('imports/', language)).json().results[0];
  expect(await receipt('en')).toMatchObject({
    state: 'failed',
    failure: { code: 'open_quote', message: 'A quote (") that opens in row 3 is never closed. Close or remove it.' },
    total_rows: 0,
  });
  expect((await receipt('es')).failure.message).toContain('se abre en la fila 3');
});

test('a file with only invalid rows creates no variants', async () => {
  const brand = await useImportingBrand();
  expect(await brand.upload('variant_name,gtin\nSalt,1\n')).toMatchObject({ imported: 0, total_rows: 1 });
  expect(await storedVariants(brand)).toEqual([]);
});

test('truncated values in messages can be stored, even if the cut is inside a surrogate pair', async () => {
  const brand = await useImportingBrand();
  const long = `x${'𝄞'.repeat(60)}`;
  const digits = `6.1${'𝟔'.repeat(40)}E+12`;
  const result = await brand.upload(`variant_name,gtin,certificate_id,certification_name,${long}\nSalt,${digits},1,${long},\n`);
  expect(result.errors.map(({ code }) => code)).toEqual(['gtin_scientific', 'unknown_certification']);
  expect(result.warnings).toHaveLength(1);
});

test('viewers read receipts but do not import, and members of another brand see nothing', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload('variant_name,gtin\nSalt,1\n');
  const viewer = await createTestMember(brand.database.db, brand.brandId, 'viewer');
  const url = `/api/v1/brands/${brand.brandId}/imports/${import_id}/`;
  expect((await sendUpload(brand.app, brand.brandId, viewer, 'variant_name,gtin\nSalt,96385074\n')).statusCode).toBe(403);
  expect((await brand.app.inject({ url, headers: viewer.headers })).statusCode).toBe(200);

  const other = await addImportingBrand(brand);
  expect((await sendUpload(brand.app, brand.brandId, other.editor, 'x')).statusCode).toBe(404);
  for (const path of [url, `${url}rejected-rows/`]) {
    const foreign = await brand.app.inject({ url: path, headers: other.editor.headers });
    expect(foreign.json()).toMatchObject({ code: 'brand_not_found' });
    const moved = path.replace(`/brands/${brand.brandId}/`, `/brands/${other.brandId}/`);
    const wrong = await brand.app.inject({ url: moved, headers: other.editor.headers });
    expect(wrong.json()).toMatchObject({ code: 'import_not_found' });
  }
  expect((await other.get('imports/')).json().count).toBe(0);
});

// spec: §3 csv headers, §5 required columns, §7 csv headers
test('the columns of the template are listed', async () => {
  const brand = await useImportingBrand();
  const answer = await brand.app.inject({
    url: '/api/v1/variant-certifications/csv-headers/',
    headers: brand.editor.headers,
  });
  expect(answer.json()).toEqual({
    columns: [...HEADER.split(','), 'description', 'image_link', 'product_page_url', 'certificate_link'],
    required_columns: ['variant_name', 'gtin'],
    optional_columns: [
      'category',
      'publishing_channel',
      'certificate_id',
      'certification_name',
      'description',
      'image_link',
      'product_page_url',
      'certificate_link',
    ],
  });
});

test('deleting a brand deletes its imports and their rejected rows', { tags: 'empty-installation' }, async () => {
  const brand = await useImportingBrand();
  await brand.upload('variant_name,gtin\nSalt,1\nTea,73513537\n');
  await deleteBrand(brand.database.db, null, brand.brandId);
  const { rows } = await brand.pool.query(
    'select (select count(*) from imports) as imports, (select count(*) from import_rejected_rows) as rejected',
  );
  expect(rows).toEqual([{ imports: 0, rejected: 0 }]);
});

describe('description, image and product page', () => {
  const header = 'variant_name,gtin,description,image_link,product_page_url';
  const detailsOf = async ({ pool }: Awaited<ReturnType<typeof useImportingBrand>>) =>
    (await pool.query('select gtin, details, version from variants order by id')).rows;

  test('are stored, changed one by one, listed in the changes of the import, and restored by an undo', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    await brand.upload(`${header}\nSalt,73513537,"From the\nsea ",https://a.example/1.jpg,\n`);
    const first = { description: 'From the sea', image_link: 'https://a.example/1.jpg' };
    expect(await detailsOf(brand)).toEqual([{ gtin: '73513537', details: first, version: 1 }]);
    const changed = await brand.upload(`${header}\nSalt,73513537,,https://a.example/2.jpg,https://a.example/salt\n`);
    const second = { ...first, image_link: 'https://a.example/2.jpg', product_page_url: 'https://a.example/salt' };
    expect(await detailsOf(brand)).toEqual([{ gtin: '73513537', details: second, version: 2 }]);
    const { import_id } = changed;
    const list = await brand.get(`imports/${import_id}/changes/?kind=updated`);
    expect(list.json().results).toMatchObject([{ details: second, old_details: first, old_name: null }]);
    const again = await brand.upload(`${header}\nSalt,73513537,From the sea,,\n`);
    expect(again).toMatchObject({ variants_updated: 0, variants_unchanged: 1 });
    const url = `/api/v1/brands/${brand.brandId}/imports/${import_id}/undo/`;
    const undone = await brand.app.inject({ method: 'POST', url, headers: brand.editor.headers });
    expect(undone.json()).toMatchObject({ variants_updated: 1, kept_count: 0 });
    expect(await detailsOf(brand)).toEqual([{ gtin: '73513537', details: first, version: 1 }]);
  });

  test('are rejected if they differ for one GTIN or are not web addresses', async () => {
    const brand = await useImportingBrand();
    const answer = await brand.upload(
      `${header}\nSalt,73513537,One,,\nSalt,73513537,Two,,\nTea,96385074,,http://a.example/1.jpg,javascript:alert(1)\n`,
    );
    const codes = answer.errors.map(({ row, code, field }) => [row, code, field]);
    expect(codes).toEqual([
      [2, 'contradicting_details', 'description'],
      [3, 'contradicting_details', 'description'],
      [4, 'not_a_web_address', 'image_link'],
      [4, 'not_a_web_address', 'product_page_url'],
    ]);
  });
});

describe('the link of a certificate', () => {
  const header = 'variant_name,gtin,certification_name,certificate_id,certificate_link';
  const linksOf = async ({ pool }: Awaited<ReturnType<typeof useImportingBrand>>) =>
    (await pool.query('select external_certificate_id as id, link from certificates order by id')).rows;

  test('is stored, changed by a later file, and kept with a blank cell; the last row wins', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    await brand.upload(`${header}\nSalt,73513537,FSC,FSC-C000001,https://a.example/1\nTea,96385074,FSC,FSC-C000002,\n`);
    const first = [
      { id: 'FSC-C000001', link: 'https://a.example/1' },
      { id: 'FSC-C000002', link: '' },
    ];
    expect(await linksOf(brand)).toEqual(first);
    await brand.upload(`${header}\nSalt,73513537,FSC,FSC-C000001,\n`);
    expect(await linksOf(brand)).toEqual(first);
    const row = (gtin: string, link: string) => `Tea,${gtin},FSC,FSC-C000002,${link}\n`;
    const later = await brand.upload(`${header}\n${row('96385074', 'https://a.example/2')}${row('4006381333931', 'https://a.example/3')}`);
    expect(later).toMatchObject({ variants_created: 1, variants_unchanged: 1 });
    expect(await linksOf(brand)).toEqual([first[0], { id: 'FSC-C000002', link: 'https://a.example/3' }]);
  });

  test('when changed, sends published variants to the channel again, if the certificate is valid', {
    tags: 'empty-installation',
  }, async () => {
    const brand = await useImportingBrand();
    await brand.upload(`${header}\nSalt,73513537,FSC,FSC-C000001,\nTea,96385074,FSC,FSC-C000002,\n`);
    await brand.pool.query(`update variants set published = true`);
    await brand.pool.query(`insert into deliveries (brand_id, variant_id, state, sent_revision)
      select brand_id, id, 'live', 1 from variants`);
    await brand.pool.query(`update certificates set status = 'validated' where external_certificate_id = 'FSC-C000001'`);
    await brand.upload(`${header}\nSalt,73513537,FSC,FSC-C000001,https://a.example/1\nTea,96385074,FSC,FSC-C000002,https://a.example/2\n`);
    const { rows } = await brand.pool.query(
      'select v.name, d.revision > d.sent_revision as outdated from deliveries d join variants v on v.brand_id = d.brand_id and v.id = d.variant_id order by v.name',
    );
    expect(rows).toEqual([
      { name: 'Salt', outdated: true },
      { name: 'Tea', outdated: false },
    ]);
  });

  test.each([
    ['javascript:alert(1)', 'not_a_web_address'],
    ['http://a.example/1', 'not_a_web_address'],
    ['https://user:secret@a.example/', 'not_a_web_address'],
    ['https://localhost/', 'not_a_web_address'],
    [`https://a.example/${'x'.repeat(2_000)}`, 'too_long'],
    ['#REF!', 'spreadsheet_error'],
  ])('%s is refused', async (link, code) => {
    const brand = await useImportingBrand();
    const { errors } = await brand.upload(`${header}\nSalt,73513537,FSC,FSC-C000001,${link}\n`);
    expect(errors).toMatchObject([{ row: 2, code, field: 'certificate_link' }]);
  });

  test('without a certificate is refused', async () => {
    const brand = await useImportingBrand();
    const { errors } = await brand.upload(`${header}\nSalt,73513537,,,https://a.example/1\n`);
    expect(errors).toMatchObject([{ row: 2, code: 'certificate_link_alone', field: 'certificate_link' }]);
  });
});

test.each([
  ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR, a, b\n', 'This is a PNG image, not a CSV file.', 'Esto es una imagen PNG, no un archivo CSV.'],
  ['\xff\xd8\xff\xe0\0\x10JFIF, a, b\n', 'This is a JPEG image', 'Esto es una imagen JPEG'],
  ['GIF89a, a, b\n', 'This is a GIF image', 'Esto es una imagen GIF'],
  ['RIFF....WEBPVP8 , a, b\n', 'This is a WebP image', 'Esto es una imagen WebP'],
  ['%PDF-1.7\n1 0 obj << /Type /Catalog >>\nendobj\n', 'This is a PDF document, not a CSV file.', 'Esto es un documento PDF'],
  ['\xff\xfe\0\0n\0\0\0', 'This file is in UTF-32', 'Este archivo está en UTF-32'],
  ['\0\0\0n\0\0\0a\0\0\0m\0\0\0e', 'This file is in UTF-32', 'Este archivo está en UTF-32'],
])('%j that is named .csv is told what it is, in both languages', async (bytes, en, es) => {
  const { send } = await useImportingBrand();
  const content = Buffer.from(bytes, 'latin1');
  expect((await send(content)).json()).toMatchObject({ code: 'csv_rejected', detail: expect.stringContaining(en) });
  expect((await send(content, { language: 'es' })).json().detail).toContain(es);
});

test('a table of 600 columns of which eight are used is imported, as CSV and as a workbook, and its rows can be corrected', async () => {
  const used = [
    'variant_name',
    'gtin',
    'category',
    'certificate_id',
    'certification_name',
    'description',
    'image_link',
    'product_page_url',
  ];
  const values = ['Tea', '12', 'Drinks', 'FSC-C104882', 'FSC', 'Green', 'https://a.example/i.png', 'https://a.example/p'];
  const spread = (cells: readonly string[]) =>
    Array.from({ length: 600 }, (_, place) => (place % 75 === 74 ? (cells[Math.floor(place / 75)] ?? '') : `c${place}`));
  const rows = [spread(used), spread(values), spread(['Salt', '96385074', 'Food', '', '', '', '', ''])];
  const csv = rows.map((cells) => cells.join(',')).join('\n');
  for (const file of [csv, await workbook({ sheets: [{ name: 'Products', content: rows }] })]) {
    const brand = await useImportingBrand();
    const { imported, errors, import_id } = await brand.upload(file);
    expect([imported, errors]).toMatchObject([1, [{ row: 2, field: 'gtin', code: 'gtin_length' }]]);
    const place = 74 + 75;
    const corrected = await brand.app.inject({
      method: 'PATCH',
      url: `/api/v1/brands/${brand.brandId}/imports/${import_id}/corrections/2/`,
      headers: brand.editor.headers,
      payload: { place, from: '12', to: '4006381333931' },
    });
    expect(corrected.json()).toMatchObject({ counts: { ready: 1, wrong: 0 } });
    const last = await brand.app.inject({
      method: 'PATCH',
      url: `/api/v1/brands/${brand.brandId}/imports/${import_id}/corrections/2/`,
      headers: brand.editor.headers,
      payload: { place: 599, to: 'x' },
    });
    expect(last.json()).toMatchObject({ counts: { ready: 0, wrong: 1 } });
  }
});

test.each([
  ['FSC; GOTS', 'several_certifications', '"FSC; GOTS" names several certifications (FSC, GOTS).'],
  ['USDA Organic, EU Organic', 'several_certifications', '(USDA Organic, EU Organic)'],
  ['FSC & Rainforest Alliance', 'several_certifications', '(FSC, Rainforest Alliance)'],
  ['COSMOS', 'ambiguous_certification', '"COSMOS" could mean "COSMOS Organic" (Ecocert)'],
  ['Blue', 'ambiguous_certification', '"Blue" could mean "Blue Angel"'],
])('the certification "%s" is not called unsupported: %s', async (name, code, message) => {
  const brand = await useImportingBrand();
  const { errors } = await brand.upload(`${HEADER}\nTea,96385074,,,A,"${name}"\n`);
  expect(errors).toMatchObject([{ field: 'certification_name', code, message: expect.stringContaining(message) }]);
});

test.each([
  ['a web page', '<!DOCTYPE html>\n<html><body><table></table></body></html>\n'],
  ['JSON', '[\n  { "name": "Salt" }\n]\n'],
])('%s that is named .csv is refused as what it is, in both languages', async (_what, content) => {
  const { send } = await useImportingBrand();
  expect((await send(content)).json().detail).toMatch(/^This is a web page or another kind of text/);
  expect((await send(content, { language: 'es' })).json().detail).toMatch(/^Esto es una página web/);
});

test('an import and an undo that were accepted before the brand was made inactive change nothing', async () => {
  const brand = await useImportingBrand();
  const { import_id } = await brand.upload('variant_name,gtin\nTea,73513537\n');
  const whileInactive = async (send: () => Promise<LightMyRequestResponse>) => {
    const client = await brand.pool.connect();
    await client.query('begin');
    await client.query(`update brands set status = 'inactive' where id = $1`, [brand.brandId]);
    const waiting = send();
    await waitsForLock(brand);
    await client.query('commit');
    client.release();
    return waiting;
  };
  const answer = await whileInactive(() => brand.send('variant_name,gtin\nCoffee,73513537\n'));
  expect([answer.statusCode, answer.json().code]).toEqual([403, 'brand_inactive']);
  await brand.pool.query(`update brands set status = 'active'`);
  await whileInactive(() =>
    brand.app.inject({
      method: 'POST',
      url: `/api/v1/brands/${brand.brandId}/imports/${import_id}/undo/`,
      headers: brand.editor.headers,
    }),
  );
  const { results } = (await brand.get('imports/')).json();
  expect(results.map(({ state }: { state: string }) => state)).toEqual(['failed', 'failed', 'done']);
  expect(results[0].failure.message).toBe('The brand was made inactive in the meantime. Nothing was changed; please ask support.');
  expect(await storedVariants(brand)).toMatchObject([{ name: 'Tea' }]);
});
