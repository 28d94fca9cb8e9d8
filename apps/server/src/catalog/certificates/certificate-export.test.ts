import { expect, test } from 'vitest';
import { readParts } from '../../../test/workbooks.ts';
import { type ImportingBrand, useImportingBrand } from '../../imports/test-support/uploads.ts';

const FILE = [
  'variant_name,gtin,certification_name,certificate_id',
  'Soap,036000291452,FSC,FSC-C000010',
  'Soap,036000291452,Fairtrade,CU-10',
  'Towel,96385074,FSC,FSC-C000009',
  'Towel,96385074,Fairtrade,CU-9',
].join('\n');

async function useCertificates(): Promise<ImportingBrand> {
  const brand = await useImportingBrand();
  expect((await brand.upload(FILE)).errors).toEqual([]);
  return brand;
}

async function exportedIds(brand: ImportingBrand, query: string): Promise<string[]> {
  const { body } = await brand.get(`certificates/export/?format=csv&${query}`);
  const rows = body.split('\r\n').slice(1, -1);
  return rows.map((line) => line.split(',')[0] ?? '');
}

test('certificates are exported as CSV with the columns of the import first', async () => {
  const brand = await useCertificates();
  await brand.pool.query(
    `update certificates set status = 'validated', reason = 'listed:2027-01-31', expires_on = '2027-01-31', link = 'https://a.example/9'
     where brand_id = $1 and external_certificate_id = 'FSC-C000009'`,
    [brand.brandId],
  );
  await brand.upload('variant_name,gtin,certification_name,certificate_id\nBag,73513537,FSC,FSC-C000009\n');
  await brand.pool.query(
    `insert into deliveries (brand_id, variant_id, state) select brand_id, id, 'live' from variants where gtin = '96385074'`,
  );
  const { body, headers } = await brand.get('certificates/export/?format=csv&search=c000009');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="certificates.csv"',
  });
  expect(body).toBe(
    '\uFEFFcertificate_id,certification_name,certifying_body_name,certificate_status,certificate_reason,certificate_expires_on,certificate_link,variants,live_variants\r\n' +
      'FSC-C000009,FSC,Forest Stewardship Council,validated,The registry lists it as active until 2027-01-31.,2027-01-31,https://a.example/9,2,1\r\n',
  );
});

test('the reason of a certificate is exported in words, in the language of the member', async () => {
  const brand = await useCertificates();
  const cases = [
    ['pending', '', 'Not checked yet.', 'Sin comprobar.'],
    ['validated', 'listed', 'The registry lists it as active.', 'El registro lo incluye como activo.'],
    ['pending', 'no_registry', 'There is no registry of FSC', 'No hay un registro de FSC'],
    ['pending', 'no_registry:2026-02-01', 'Waiting since 2026-02-01: there is', 'En espera desde el 2026-02-01: no hay'],
    ['invalid', 'pattern', 'used by Forest Stewardship Council.', 'utilizado por Forest Stewardship Council.'],
    ['invalid', 'not_listed', 'The registry of FSC does not list it.', 'El registro de FSC no lo incluye.'],
    ['invalid', 'not_active', 'no longer active.', 'ya no está activo.'],
    ['invalid', 'expired:2026-01-31', 'It expired on 2026-01-31.', 'Venció el 2026-01-31.'],
    ['validated', 'approved:Seen: it', 'Approved by our team: Seen: it', 'Aprobado por nuestro equipo: Seen: it'],
    ['invalid', 'rejected:Of another', 'Rejected by our team: Of another', 'Rechazado por nuestro equipo: Of another'],
    // Of no known code.
    ['validated', '', 'validated,,', 'validated;;'],
  ] as const;
  for (const [status, reason, en, es] of cases) {
    await brand.pool.query(`update certificates set status = $1, reason = $2 where external_certificate_id = 'FSC-C000009'`, [
      status,
      reason,
    ]);
    const csv = async (language: string) => (await brand.get('certificates/export/?format=csv&search=c000009', language)).body;
    expect(await csv('en')).toContain(en);
    expect(await csv('es')).toContain(es);
  }
});

test('certificates are exported as a workbook, in the language of the member', async () => {
  const brand = await useCertificates();
  const { rawPayload, headers } = await brand.get('certificates/export/?format=xlsx', 'es');
  expect(headers['content-disposition']).toBe('attachment; filename="certificates.xlsx"');
  expect(headers['x-total-rows']).toBe('4');
  const parts = await readParts(rawPayload);
  expect(parts['xl/workbook.xml']).toContain('name="Certificados"');
  expect(parts['xl/worksheets/sheet1.xml']?.match(/<row /g)).toHaveLength(5);
});

test('an export of certificates has the search and the order of the list', async () => {
  const brand = await useCertificates();
  const listed = async (query: string) => {
    const { results } = (await brand.get(`certifications/?page=1&${query}`)).json();
    return results.map(({ certificate_id }: { certificate_id: string }) => certificate_id);
  };
  for (const column of ['certificate_id', 'certification_name', 'certifying_body_name', 'overall_status', 'expires_on'])
    for (const query of [`ordering=${column}`, `ordering=-${column}&search=CU`])
      expect(await exportedIds(brand, query), query).toEqual(await listed(query));
  expect(await exportedIds(brand, '')).toEqual(await listed(''));
  expect(await exportedIds(brand, 'search=c000010%20F%C3%93REST')).toEqual(['FSC-C000010']);
  expect(await exportedIds(brand, 'search=nothing')).toEqual([]);
  expect(await exportedIds(brand, 'status=invalid')).toEqual([]);
  expect(await exportedIds(brand, 'ordering=certificate_id')).toEqual(['CU-9', 'CU-10', 'FSC-C000009', 'FSC-C000010']);
  expect(await exportedIds(brand, 'ordering=-certificate_id&search=CU')).toEqual(['CU-10', 'CU-9']);
});

test('more certificates than a batch are exported once each, in order', async () => {
  const brand = await useImportingBrand();
  const ids = Array.from({ length: 2_100 }, (_, index) => `CU-${index + 1}`);
  await brand.upload('variant_name,gtin,certification_name,certificate_id\nSoap,96385074,Fairtrade,CU-1\n');
  await brand.pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
     select brand_id, certification_id, 'CU-' || n, 'CU-' || n, 'cu-' || n, id_sort_key('CU-' || n) from certificates, generate_series(2, 2100) n
     where brand_id = $1 and external_certificate_id = 'CU-1'`,
    [brand.brandId],
  );
  expect(await exportedIds(brand, 'ordering=certificate_id')).toEqual(ids);
  expect(await exportedIds(brand, 'ordering=-certificate_id')).toEqual(ids.toReversed());
  expect((await exportedIds(brand, '')).sort()).toEqual(ids.toSorted());
});

test('an order or a format that is not offered is refused', async () => {
  const brand = await useImportingBrand();
  expect((await brand.get('certificates/export/?format=csv&ordering=reason')).statusCode).toBe(400);
  expect((await brand.get('certificates/export/?format=ods')).statusCode).toBe(400);
});
