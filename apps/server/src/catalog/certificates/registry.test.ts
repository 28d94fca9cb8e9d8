// @module-tag empty-installation
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { type TestDatabase, useTestDatabase } from '../../../test/test-database.ts';
import { inTransaction } from '../../db/database.ts';
import { migrateJobs } from '../../queue/worker.ts';
import { queueValidation } from '../../writes/certificates.ts';
import { addCatalogueEntry, listCatalogue, listWholeCatalogue, retireFromCatalogue } from './catalogue.ts';
import { listRegistries, removeRegistry, rollBackRegistry } from './registry.ts';
import { listReviews, reviewCertificate, withdrawReview } from './reviews.ts';
import { createTestCertificates, loadTestRegistry, readAudit, readStatuses } from './test-support/certificates.ts';
import { validateCertificates } from './validation.ts';

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
  test('is merged with a second file, or replaced by it', async () => {
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

  test('may list a certificate twice, but is refused if the two entries contradict each other', async () => {
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

  test('that is loaded twice concurrently has the entries of both files', async () => {
    const lists = [0, 1].map((half) => Array.from({ length: 2_000 }, (_, index) => ({ externalId: `${half}-${index}` })));
    await Promise.all(lists.map((entries) => loadTestRegistry(database.db, 'FSC', entries)));
    expect(await readEntries()).toHaveLength(4_000);
  });
});

test('invalid reviews are refused with a message', async () => {
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
  await expect(approve({}, 'Seen', '2020-01-31')).rejects.toThrow(
    'The last day, 2020-01-31, has passed, so the certificate would be invalid immediately.',
  );
  await expect(withdrawReview(db, name)).rejects.toThrow('Nobody has approved or rejected "CU-1".');
  await expect(listReviews(db, { brandId: 999, limit: 10 })).rejects.toThrow('There is no such brand.');
});

test('the catalogue accepts new certifications, and restores a retired one with its new details', async () => {
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

describe('a newer registry', () => {
  const FIRST = [{ externalId: 'A' }, { externalId: 'B' }, { externalId: 'C', expiresOn: '2999-01-31' }];
  const SECOND = [{ externalId: 'A', active: false }, { externalId: 'C', expiresOn: '2999-12-31' }, { externalId: 'D' }];

  /** Three brands: one with all four certificates, one with the first, one with none. */
  async function useBrands() {
    const { db, pool } = database;
    const brands = [await createTestBrand(db), await createTestBrand(db, 'Other'), await createTestBrand(db, 'Third')];
    await createTestCertificates(db, brands[0] ?? 0, 'GOTS', ['A', 'B', 'C', 'D']);
    await createTestCertificates(db, brands[1] ?? 0, 'GOTS', ['A']);
    const validate = async () => {
      for (const brandId of brands) await validateCertificates(db, brandId);
    };
    const everything = async () => {
      const tables = ['registries', 'registry_certificates', 'registry_previous', 'certificates', 'audit_log', 'due_work'];
      const rows = await Promise.all(tables.map((table) => pool.query(`select t::text as row from ${table} t order by 1`)));
      return rows.map((answer) => answer.rows);
    };
    const preview = (entries: readonly { externalId: string; active?: boolean; expiresOn?: string }[]) =>
      loadTestRegistry(db, 'GOTS', entries, { replace: true, isPreview: true });
    return { db, brands, validate, everything, preview };
  }

  test('has a preview of what would change in how many brands, which changes nothing', async () => {
    const { db, validate, everything, preview } = await useBrands();
    await loadTestRegistry(db, 'GOTS', FIRST);
    await validate();
    const before = await everything();
    expect(await preview(SECOND)).toMatchObject({
      entries: 3,
      added: 1,
      changed: 2,
      removed: 1,
      brands: 0,
      effects: [
        { from: 'validated', to: 'invalid', certificates: 3, brands: 2 },
        { from: 'invalid', to: 'validated', certificates: 1, brands: 1 },
      ],
    });
    expect(await everything()).toEqual(before);
    expect((await preview(FIRST)).effects).toEqual([]);
  });

  test('does not wait for an import that has queued a validation', async () => {
    const { db, brands } = await useBrands();
    await inTransaction(db, async (importing) => {
      await queueValidation(importing, brands[0] ?? 0);
      expect(await loadTestRegistry(db, 'GOTS', FIRST)).toMatchObject({ brands: 2 });
    });
  });

  test('changes what its preview showed', async () => {
    const { db, brands, validate, preview } = await useBrands();
    await loadTestRegistry(db, 'GOTS', FIRST);
    await validate();
    const { effects } = await preview(SECOND);
    await loadTestRegistry(db, 'GOTS', SECOND, { replace: true });
    let changes = 0;
    for (const brandId of brands) changes += await validateCertificates(db, brandId);
    expect(changes).toBe(effects.reduce((sum, { certificates }) => sum + certificates, 0));
  });

  test('is rolled back to exactly the entries before it', async () => {
    const { db, validate } = await useBrands();
    await loadTestRegistry(db, 'GOTS', FIRST);
    const entries = await readEntries();
    const loaded_at = (await listRegistries(db))[0]?.loaded_at;
    await validate();
    await loadTestRegistry(db, 'GOTS', SECOND, { replace: true });
    await validate();
    expect(await readEntries()).not.toEqual(entries);
    const preview = await rollBackRegistry(db, 'GOTS', { isPreview: true });
    expect(preview.effects).toMatchObject([
      { from: 'invalid', to: 'validated', certificates: 3, brands: 2 },
      { from: 'validated', to: 'invalid', certificates: 1, brands: 1 },
    ]);
    expect(await readEntries()).not.toEqual(entries);
    expect(await rollBackRegistry(db, 'GOTS')).toMatchObject({ certification: 'GOTS', loadedAt: loaded_at, brands: 2 });
    expect(await readEntries()).toEqual(entries);
    expect((await listRegistries(db))[0]?.loaded_at).toEqual(loaded_at);
    await expect(rollBackRegistry(db, 'GOTS')).rejects.toThrow('There is no load of GOTS to roll back.');
    expect(await readAudit(database.pool, 'registry.rolled_back')).toEqual([{ brand_id: 0, certification: 'GOTS' }]);
  });

  test('that is the first is rolled back to none, and its certificates are pending again', async () => {
    const { db, brands, validate } = await useBrands();
    await loadTestRegistry(db, 'GOTS', FIRST);
    await validate();
    expect(await rollBackRegistry(db, 'GOTS')).toMatchObject({ loadedAt: null });
    expect(await listRegistries(db)).toEqual([]);
    expect(await readEntries()).toEqual([]);
    await validate();
    expect(Object.values(await readStatuses(db, brands[0] ?? 0))).toSatisfy((all: string[]) =>
      all.every((status) => status.startsWith('pending no_registry:')),
    );
  });

  test('that only adds entries is rolled back as well, and nothing can be rolled back after a removal', async () => {
    const { db } = database;
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'A' }]);
    await loadTestRegistry(db, 'GOTS', [{ externalId: 'B' }]);
    await rollBackRegistry(db, 'GOTS');
    expect(await readEntries()).toEqual([{ id: 'A', active: true, until: null }]);
    await removeRegistry(db, 'GOTS');
    await expect(rollBackRegistry(db, 'GOTS')).rejects.toThrow('There is no load of GOTS to roll back.');
  });

  test('that contradicts itself is refused by its preview too', async () => {
    const twice = [{ externalId: 'A' }, { externalId: 'A', active: false }];
    await expect(loadTestRegistry(database.db, 'GOTS', twice, { isPreview: true })).rejects.toThrow('contradict');
  });
});
