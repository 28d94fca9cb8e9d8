import { expect, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { createListMemory, listVariants } from './variants.ts';

/** Two variants, one of them published and with two certificates; `change` runs with the brand, that variant and a certificate. */
async function useList() {
  const { db, pool } = await useTestDatabase();
  const brandId = await createTestBrand(db);
  await pool.query(
    `insert into variants (brand_id, gtin, name, published) values ($1, '614141000415', 'Olive oil', true), ($1, '00614141000422', 'Sea salt', false)`,
    [brandId],
  );
  await pool.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id) select $1, id, 'C-' || id from certifications where id <= 3`,
    [brandId],
  );
  await pool.query(
    `insert into variant_certificates select $1, v.id, c.id from variants v, certificates c
     where v.brand_id = $1 and v.published and c.brand_id = $1 and c.certification_id <= 2`,
    [brandId],
  );
  const memory = createListMemory();
  return {
    list: () => listVariants(db, brandId, {}, { memory }),
    listAnew: () => listVariants(db, brandId, {}),
    change: (text: string) => pool.query(text.replaceAll('$brand', String(brandId))),
  };
}

const OIL = `(select id from variants where brand_id = $brand and name = 'Olive oil')`;
const CERTIFICATE = (number: number) =>
  `(select id from certificates where brand_id = $brand and certification_id = ${number})`;

test('a list that nothing was changed in is answered with what was answered before', async () => {
  const { list, change } = await useList();
  const before = await list();
  expect(await list()).toBe(before);
  for (const text of [
    `update brands set logo = 'https://example.com/logo.png'`,
    `update channel_deliveries set claimed_until = now(), resource = 'r', attempts = 1 where brand_id = $brand`,
    `update channel_deliveries set state = state, reason = reason where brand_id = $brand`,
  ]) {
    await change(text);
    expect(await list()).toBe(before);
  }
});

test.each([
  ['a new variant', `insert into variants (brand_id, gtin, name) values ($brand, '61414100', 'New')`],
  ['a variant that is gone', `delete from variants where id = ${OIL}`],
  ['another name', `update variants set name = 'Oil' where id = ${OIL}`],
  ['another GTIN', `update variants set gtin = '614141000439' where id = ${OIL}`],
  ['publishing', `update variants set published = true where brand_id = $brand`],
  ['a further certificate', `insert into variant_certificates values ($brand, ${OIL}, ${CERTIFICATE(3)})`],
  ['one certificate less', `delete from variant_certificates where certificate_id = ${CERTIFICATE(1)}`],
  ['a certificate that is deleted', `delete from certificates where id = ${CERTIFICATE(1)}`],
  ['a verdict', `update certificates set status = 'validated' where id = ${CERTIFICATE(1)}`],
  ['a reason', `update certificates set reason = 'expired' where id = ${CERTIFICATE(1)}`],
  ['the channel’s verdict', `update channel_deliveries set state = 'live' where brand_id = $brand`],
  ['the channel’s reason', `update channel_deliveries set state = 'refused', reason = 'No' where brand_id = $brand`],
  ['a delivery that is done away with', `delete from channel_deliveries where brand_id = $brand`],
  ['another name in the catalogue', `update certifications set name = 'Renamed' where id = 1`],
  ['another name of a certifying body', `update certifying_bodies set name = 'Renamed'`],
])('%s is in the next answer', async (_, text) => {
  const { list, listAnew, change } = await useList();
  const before = await list();
  await change(text);
  const after = await list();
  expect(after.results).not.toEqual(before.results);
  expect(after).toEqual(await listAnew());
});

test('what is not committed, or rolled back, is in no answer', async () => {
  const { list, change } = await useList();
  const before = await list();
  await change(`begin; update variants set name = 'Oil' where id = ${OIL}; rollback`);
  expect((await list()).results).toEqual(before.results);
});

test('so many changes that the counts are folded are all seen', async () => {
  const { list, listAnew, change } = await useList();
  for (let number = 1; number <= 70; number++) {
    await change(`update variants set name = 'Oil ${number}' where brand_id = $brand and published`);
    expect(await list()).toEqual(await listAnew());
  }
});
