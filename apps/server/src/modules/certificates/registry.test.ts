import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { type TestDatabase, useTestDatabase } from '../../../test/test-database.ts';
import { migrateJobs } from '../../jobs/worker.ts';
import { addCatalogueEntry, listCatalogue, listWholeCatalogue, retireFromCatalogue } from './catalogue.ts';
import { listRegistries, removeRegistry } from './registry.ts';
import { listReviews, reviewCertificate, withdrawReview } from './reviews.ts';
import { createTestCertificates, loadTestRegistry, readAudit } from './test-support/certificates.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await useTestDatabase();
  await migrateJobs(database.pool, pino({ level: 'silent' }));
});

async function readEntries() {
  const { rows } = await database.pool.query(
    'select id_key as id, active, expires_on::text as until from registry_certificates order by 1',
  );
  return rows;
}

describe('a registry', () => {
  test('is merged with what a second file has, or replaced by it', async () => {
    const { db } = database;
    await loadTestRegistry(db, 'FSC', [{ externalId: 'A', expiresOn: '2027-01-31' }, { externalId: 'B\\\t' }]);
    const second = [{ externalId: 'A', active: false }, { externalId: 'C' }];
    expect(await loadTestRegistry(db, 'FSC', second)).toMatchObject({ entries: 2, added: 1, changed: 1, removed: 0 });
    expect(await readEntries()).toEqual([
      { id: 'A', active: false, until: null },
      { id: 'B\\', active: true, until: null },
      { id: 'C', active: true, until: null },
    ]);
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'A' }]);
    expect(await loadTestRegistry(db, 'FSC', second, { replace: true })).toMatchObject({
      added: 0,
      changed: 0,
      removed: 1,
    });
    expect((await listRegistries(db)).map(({ certification_name, entries }) => [certification_name, entries])).toEqual([
      ['FSC', 2],
      ['GOTS', 1],
    ]);
    expect(await readAudit(database.pool, 'registry.loaded')).toHaveLength(4);
    await removeRegistry(db, 'FSC');
    expect(await readEntries()).toEqual([{ id: 'A', active: true, until: null }]);
    await expect(removeRegistry(db, 'FSC')).rejects.toThrow('There is no registry of FSC to remove.');
  });

  test('may name a certificate twice, but not in two ways; then nothing is loaded', async () => {
    const { db } = database;
    const twice = [{ externalId: 'A' }, { externalId: 'A' }];
    expect(await loadTestRegistry(db, 'FSC', twice)).toMatchObject({ entries: 2, added: 1 });
    for (const other of [{ active: false }, { expiresOn: '2027-01-31' }]) {
      await expect(loadTestRegistry(db, 'GOTS', [{ externalId: 'A' }, { externalId: 'A', ...other }])).rejects.toThrow(
        'Row 2 and row 3 of the file contradict each other about "A".',
      );
    }
    expect(await listRegistries(db)).toHaveLength(1);
  });

  test('of a certification that is not in the catalogue is refused', async () => {
    await expect(loadTestRegistry(database.db, 'Nonsense', [])).rejects.toThrow(
      'There is no certification "Nonsense": "catalogue list" shows those there are.',
    );
  });

  test('that two people load at once is whole', async () => {
    const lists = [0, 1].map((half) =>
      Array.from({ length: 2_000 }, (_, index) => ({ externalId: `${half}-${index}` })),
    );
    await Promise.all(lists.map((entries) => loadTestRegistry(database.db, 'FSC', entries)));
    expect(await readEntries()).toHaveLength(4_000);
  });
});

test('reviews that make no sense are refused in one sentence', async () => {
  const { db } = database;
  const brandId = await createTestBrand(db);
  await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
  const name = { brandId, certification: 'GOTS', externalId: 'CU-1' };
  const approve =
    (change: object, note = 'Seen', expiresOn?: string) =>
    async () =>
      reviewCertificate(db, { ...name, ...change }, { verdict: 'approved', note, expiresOn });
  await expect(approve({ externalId: 'CU-3' })).rejects.toThrow(`Brand ${brandId} has no certificate "CU-3" of GOTS.`);
  await expect(approve({ brandId: 999 })).rejects.toThrow('There is no such brand.');
  await expect(approve({}, ' ')).rejects.toThrow('The reason must have 1 to 400 characters.');
  await expect(approve({}, 'Seen', 'soon')).rejects.toThrow('"soon" is not a day such as 2027-01-31.');
  await expect(withdrawReview(db, name)).rejects.toThrow('Nobody has approved or rejected "CU-1".');
  await expect(listReviews(db, { brandId: 999, limit: 10 })).rejects.toThrow('There is no such brand.');
});

test('the catalogue takes new certifications, and brings retired ones back with what is new about them', async () => {
  const { db } = database;
  const demeter = { name: 'Demeter', bodyCode: 'DEM' };
  const add = (more: object) => async () => addCatalogueEntry(db, { ...demeter, ...more });
  await expect(add({})).rejects.toThrow('There is no certifying body "DEM" yet: give its name with --body-name.');
  await expect(add({ bodyName: 'D', idPattern: '(' })).rejects.toThrow('"(" is not a regular expression');
  await expect(add({ name: 'fsc' })).rejects.toThrow('"FSC" is in the catalogue already.');
  await expect(add({ name: ' ' })).rejects.toThrow('The name must have 1 to 200 characters.');
  await addCatalogueEntry(db, { ...demeter, bodyName: 'Demeter e.V.', idPattern: '^\\d{4}$' });
  await retireFromCatalogue(db, 'demeter');
  await expect(retireFromCatalogue(db, 'Demeter')).rejects.toThrow('"Demeter" is retired already.');
  expect((await listCatalogue(db)).map(({ name }) => name)).not.toContain('Demeter');
  await addCatalogueEntry(db, { ...demeter, name: 'DEMETER', schemeCode: 'DEM_CODE' });
  expect((await listWholeCatalogue(db)).find(({ name }) => name === 'Demeter')).toMatchObject({
    body_name: 'Demeter e.V.',
    scheme_code: 'DEM_CODE',
    id_pattern: null,
    is_retired: false,
  });
  expect(await readAudit(database.pool, 'catalogue.added')).toHaveLength(2);
});
