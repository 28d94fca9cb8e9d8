import type { VariantPage } from '@brand-portal/contract/variants';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  addCertificate,
  addVariants,
  changeVariants,
  expectDerivedData,
  setPublished,
  WAITING_VARIANTS,
  withBrandLock,
} from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { deleteBrand } from '../../people/brands/brands.ts';
import { deleteCertificates } from '../../writes/certificates.ts';
import { deleteVariants } from '../../writes/variants.ts';
import { createSamples, indexNewVariants } from './variant-search.ts';
import { listVariants } from './variants.ts';

async function useBrand() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  const viewer = await createTestMember(db, brandId, 'viewer');
  const list = async (query: Record<string, string | number | boolean> = {}) => {
    const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const url = `/api/v1/brands/${brandId}/variants/?${new URLSearchParams(parameters)}`;
    return app.inject({ url, headers: viewer.headers });
  };
  const find = async (query: Parameters<typeof list>[0]) => {
    const { results, count } = (await list(query)).json() as VariantPage;
    return { names: results.map(({ name }) => name), count };
  };
  const add = async (gtin: string, name: string, published = false): Promise<number> => {
    const [id = 0] = await addVariants(db, brandId, [{ gtin, name, published }]);
    return id;
  };
  const certify = (variantId: number, certification: string, code: string, status: 'validated' | 'pending' | 'invalid' = 'pending') =>
    addCertificate(db, brandId, { code, certification, status }, [variantId]);
  return { app, db, pool, brandId, viewer, list, find, add, certify };
}

describe('the list of variants', () => {
  // spec: §3 variant, §3 certification badge, §7 variants, §9 default sort
  test('has the newest first, each with its certifications in a stable order', async () => {
    const { list, add, certify } = await useBrand();
    const oil = await add('614141000415', 'Olive oil', true);
    const salt = await add('00614141000422', 'Sea salt');
    await certify(oil, 'Fairtrade', 'FLO-2', 'validated');
    await certify(oil, 'EU Organic', 'ES-ECO-023', 'invalid');
    const answer = await list();
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      count: 2,
      filter_key: expect.any(String),
      results: [
        {
          ...{
            id: salt,
            gtin: '00614141000422',
            name: 'Sea salt',
            published: false,
            certifications: [],
            channel: null,
          },
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
        {
          id: oil,
          gtin: '614141000415',
          name: 'Olive oil',
          published: true,
          channel: { state: 'queued', reason: '' },
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          certifications: [
            {
              certification_name: 'EU Organic',
              certifying_body_name: 'European Commission control bodies',
              status: 'invalid',
              reason: '',
              external_certificate_id: 'ES-ECO-023',
            },
            {
              certification_name: 'Fairtrade',
              certifying_body_name: 'FLOCERT',
              status: 'validated',
              reason: '',
              external_certificate_id: 'FLO-2',
            },
          ],
        },
      ],
    });
  });

  test('has the channel’s reason of a refusal, but not the reason of a temporary failure', async () => {
    const { list, add, pool } = await useBrand();
    await add('614141000415', 'Olive oil', true);
    const channelAfter = async (state: string) => {
      await pool.query('update deliveries set state = $1, reason = $2', [state, 'Invalid GTIN']);
      return (await list()).json<VariantPage>().results[0]?.channel;
    };
    expect(await channelAfter('queued')).toEqual({ state: 'queued', reason: '' });
    expect(await channelAfter('refused')).toEqual({ state: 'refused', reason: 'Invalid GTIN' });
  });

  test('is empty for a brand without variants, and beyond its last page, with the true count', async () => {
    const { find, add } = await useBrand();
    expect(await find({})).toEqual({ names: [], count: 0 });
    expect(await find({ page: 3, search: 'x' })).toEqual({ names: [], count: 0 });
    await add('61414100', 'One');
    expect(await find({ page: 2 })).toEqual({ names: [], count: 1 });
    expect(await find({ page: 100_000_000, page_size: 100 })).toEqual({ names: [], count: 1 });
    expect(await find({ page: 2, search: 'one' })).toEqual({ names: [], count: 1 });
  });

  test('sorts by name without regard to case and accents, ties by age', async () => {
    const { find, add } = await useBrand();
    for (const [index, name] of ['zebra', 'Öl', 'apple', 'Oliven', 'Éclair', 'öl', '10 g', 'Zebra'].entries()) {
      await add(String(61414100 + index), name);
    }
    const names = ['10 g', 'apple', 'Éclair', 'Öl', 'öl', 'Oliven', 'zebra', 'Zebra'];
    expect((await find({ ordering: 'name' })).names).toEqual(names);
    expect((await find({ ordering: '-name' })).names).toEqual(names.toReversed());
    expect((await find({ ordering: 'name', page: 3, page_size: 3 })).names).toEqual(names.slice(6));
    expect((await find({ ordering: '-name', page: 2, page_size: 5 })).names).toEqual(names.toReversed().slice(5));
  });

  // spec: §3 other values refused
  test.each([
    ['page', '0'],
    ['page', 'x'],
    ['page_size', '101'],
    ['page_size', '0'],
    ['ordering', 'gtin'],
    ['has_certs', 'maybe'],
    ['published', '2'],
    ['search', 'x'.repeat(201)],
    ['search', 'nul\u0000'],
  ])('refuses %s=%s, naming it', async (name, value) => {
    const { list } = await useBrand();
    const answer = await list({ [name]: value });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { [name]: expect.any(String) } });
  });

  test('of another brand is a 404', async () => {
    const { app, db, viewer } = await useBrand();
    const otherId = await createTestBrand(db, 'Other');
    const answer = await app.inject({ url: `/api/v1/brands/${otherId}/variants/`, headers: viewer.headers });
    expect(answer.statusCode).toBe(404);
  });
});

describe('searching', () => {
  test.each([
    ['o', 3],
    ['OL', 1],
    ['OLI', 1],
    ['creme', 1],
    ['CRÈME', 1],
    ['cre\u0300me', 1],
    ['100%', 1],
    ['0%', 1],
    ['_', 1],
    ['\\', 0],
    ["'", 1],
    ['  olive  ', 1],
    ['0614-1410 00415', 1],
    ['614141000415', 1],
    ['000614141000415', 1],
    ['00415', 1],
    ['6141–41', 1],
    ['9'.repeat(20), 0],
    ['   ', 3],
    ['-', 0],
  ])('for %j finds %i', async (search, count) => {
    const { find, add, db } = await useBrand();
    await add('614141000415', 'Olive oil');
    await add('12345670', "Crème 100% d'or");
    await add('4006381333931', 'under_score');
    await indexNewVariants(db);
    expect((await find({ search })).count).toBe(count);
  });

  test('finds bulk-imported variants before and after they are indexed', async () => {
    const { pool, db, brandId, find } = await useBrand();
    const many = Array.from({ length: 25_000 }, (_, n) => ({ gtin: String(61_000_001 + n), name: `Thing-${n + 1}` }));
    await addVariants(db, brandId, many);
    const search = { search: 'thing-1234', ordering: 'name', page_size: 3 };
    const expected = { names: ['Thing-1234', 'Thing-12340', 'Thing-12341'], count: 11 };
    expect(await find(search)).toEqual(expected);
    expect(await indexNewVariants(db)).toBe(25_000);
    expect(await indexNewVariants(db)).toBe(0);
    expect(await find(search)).toEqual(expected);
    await changeVariants(db, brandId, (name) => (name === 'Thing-12340' ? { name: 'Other' } : {}));
    for (const indexed of [1, 0]) {
      expect((await find(search)).count).toBe(10);
      expect((await find({ search: 'other' })).count).toBe(1);
      expect(await indexNewVariants(db)).toBe(indexed);
      await expectDerivedData(pool);
    }
  });

  test('finds the words of a name in any order, whatever is between them', async () => {
    const { db, brandId, add } = await useBrand();
    await add('61414100', 'Camiseta algodón rojo XL');
    await add('61414117', 'Camiseta azul XL');
    for (const searchChoice of [undefined, { smallBrand: -1, largeShare: 2 }, { smallBrand: 0, largeShare: -1 }]) {
      const count = async (search: string) => (await listVariants(db, brandId, { search }, { searchChoice })).count;
      expect(await count('camiseta rojo XL')).toBe(1);
      expect(await count('xl  ROJO\t algodon')).toBe(1);
      expect(await count('xl camiseta')).toBe(2);
      expect(await count('camiseta verde')).toBe(0);
      expect(await count('camiseta %')).toBe(0);
    }
  });

  test('finds variants that are renamed before they are indexed, and not deleted ones', async () => {
    const { pool, db, brandId, add } = await useBrand();
    const [tea, oil] = [await add('61414100', 'Green tea'), await add('61414117', 'Olive oil')];
    // Only large brands are searched by the index, so this one must be large.
    const count = async (search: string) =>
      (await listVariants(db, brandId, { search }, { searchChoice: { smallBrand: -1, largeShare: 2 } })).count;
    await changeVariants(db, brandId, { name: 'Black tea' }, [tea]);
    expect([await count('green'), await count('black'), await count('olive')]).toEqual([0, 1, 1]);
    await indexNewVariants(db);
    expect([await count('green'), await count('black'), await count('olive')]).toEqual([0, 1, 1]);
    await changeVariants(db, brandId, { name: 'White tea' }, [tea]);
    await changeVariants(db, brandId, { name: 'Red tea' }, [tea]);
    expect([await count('black'), await count('white'), await count('red tea')]).toEqual([0, 0, 1]);
    await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, sql`id in (${tea}, ${oil})`));
    expect([await count('red tea'), await count('olive')]).toEqual([0, 0]);
    expect(await indexNewVariants(db)).toBe(0);
    await expectDerivedData(pool);
  });

  test('is indexed by a job that can be stopped, can run concurrently, and processes all brands', async () => {
    const { pool, db, brandId } = await useBrand();
    const waiting = async () => (await pool.query(`select count(*) from (${WAITING_VARIANTS}) waiting`)).rows[0].count;
    const some = (count: number) => Array.from({ length: count }, (_, n) => ({ gtin: String(61_000_001 + n) }));
    await addVariants(db, brandId, some(4_500));
    await addVariants(db, await createTestBrand(db, 'Other'), some(10));
    expect(await indexNewVariants(db, { stopping: AbortSignal.abort() })).toBe(0);
    expect(await waiting()).toBe(4_510);
    const indexed = await Promise.all([indexNewVariants(db), indexNewVariants(db), indexNewVariants(db)]);
    expect(indexed.reduce((sum, count) => sum + count)).toBe(4_510);
    expect(await waiting()).toBe(0);
    expect((await pool.query(`select from due_work where kind = 'index_variants'`)).rows).toEqual([]);
    await expectDerivedData(pool);
  });

  test('samples a large brand once, and again when it has grown', async () => {
    const { db, brandId } = await useBrand();
    const samples = createSamples();
    const grow = (from: number, to: number) => {
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
      const variants = numbers.map((n) => ({ gtin: String(n).padStart(13, '0'), name: `Tea-${n}` }));
      return addVariants(db, brandId, variants);
    };
    const sampled = async () => {
      const searchChoice = { smallBrand: 0, largeShare: 1 };
      const { count } = await listVariants(db, brandId, { search: 'tea-1' }, { samples, searchChoice });
      return { count, of: samples.get(brandId)?.total };
    };
    await grow(1, 100);
    expect(await sampled()).toEqual({ count: 12, of: 100 });
    await grow(101, 105);
    expect(await sampled()).toEqual({ count: 17, of: 100 });
    await grow(106, 120);
    expect(await sampled()).toEqual({ count: 32, of: 120 });
  });
});

describe('stored data for the list', () => {
  test('is deleted with the brand', { tags: 'empty-installation' }, async () => {
    const { db, pool, brandId, add, certify } = await useBrand();
    await certify(await add('61414100', 'Oil'), 'FSC', 'FSC-C000001');
    await deleteBrand(db, null, brandId);
    for (const table of ['variants', 'certificates', 'variant_certificates', 'variant_counts', 'variant_search_waiting']) {
      const { rows } = await pool.query(`select count(*)::int as left_over from ${table}`);
      expect({ table, ...rows[0] }).toEqual({ table, left_over: 0 });
    }
  });

  test('has exact counts during concurrent writes, in few rows, and after a rollback', {
    tags: 'empty-installation',
  }, async () => {
    const { db, pool, brandId, add, find } = await useBrand();
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(await add(String(61414100 + n), `Thing ${n}`));
    const flip = async (id: number) => {
      for (let n = 0; n < 5; n++) await setPublished(db, brandId, n % 2 === 0, [id]);
      await setPublished(db, brandId, id % 2 === 0, [id]);
    };
    await Promise.all(ids.map(flip));
    expect((await find({ published: true })).count).toBe(ids.filter((id) => id % 2 === 0).length);
    const { rows } = await pool.query('select count(*)::int as kept from variant_counts');
    expect(rows[0].kept).toBe(1);
    const rolledBack = withBrandLock(db, brandId, async (db) => {
      await deleteVariants(db, brandId);
      throw new Error('rolled back');
    });
    await expect(rolledBack).rejects.toThrow('rolled back');
    expect((await find({})).count).toBe(20);
    await expectDerivedData(pool);
  });

  test('has the right certified flag even if the last link is removed while the next one is added', async () => {
    const { db, pool, brandId, add, certify, find } = await useBrand();
    const id = await add('61414100', 'Oil');
    await certify(id, 'FSC', 'A');
    const [removed, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const removing = withBrandLock(db, brandId, async (db) => {
      await deleteCertificates(db, brandId, sql`external_certificate_id = 'A'`);
      removed.resolve();
      await gate.promise;
    });
    await removed.promise;
    const adding = certify(id, 'FSC', 'B');
    gate.resolve();
    await Promise.all([removing, adding]);
    await expectDerivedData(pool);
    expect((await find({ has_certs: true })).count).toBe(1);
    expect((await find({ has_certs: false })).count).toBe(0);
  });

  test('has one variant per GTIN and brand, with any number of leading zeros', async () => {
    const { add } = await useBrand();
    await add('614141000415', 'Oil');
    await expect(add('0614141000415', 'Oil')).rejects.toThrow(/duplicate key .* "variants_gtin_key/);
    await expect(add('6141410', 'Oil')).rejects.toThrow(/check constraint "variants_gtin_check/);
  });

  test('has search keys that are short enough for the indexes, for every character', async () => {
    const { pool } = await useBrand();
    const { rows } = await pool.query(
      `select max(octet_length(search_key(chr(n)))) as longest from generate_series(1, 200000) n where n not between 55296 and 57343`,
    );
    // 200 characters of a name, times this, stay below the 2,704 bytes that an index entry may have.
    expect(rows[0].longest).toBeLessThanOrEqual(12);
  });
});

test('the catalogue has the certifications that the product supports', async () => {
  const { pool } = await useBrand();
  const { rows } = await pool.query(
    `select c.name, b.code, c.id_pattern from certifications c join certifying_bodies b on b.id = c.certifying_body_id order by c.id`,
  );
  expect(rows).toHaveLength(34);
  expect(rows[0]).toEqual({ name: 'USDA Organic', code: 'USDA-AMS', id_pattern: '^\\d{5,10}$' });
  for (const { id_pattern } of rows) if (id_pattern) expect(() => new RegExp(id_pattern, 'u')).not.toThrow();
});

test('a list filtered by certificate has its variants only, also with a search, and so do its counts', async () => {
  const { app, brandId, viewer, find, add, certify } = await useBrand();
  const oil = await add('614141000415', 'Olive oil', true);
  await add('00614141000422', 'Sea salt');
  const certificate = await certify(oil, 'Fairtrade', 'FLO-2', 'validated');
  expect(await find({ certificate })).toEqual({ names: ['Olive oil'], count: 1 });
  expect(await find({ certificate, search: 'salt' })).toEqual({ names: [], count: 0 });
  expect(await find({ certificate, published: false })).toEqual({ names: [], count: 0 });
  expect(await find({ certificate: certificate + 1 })).toEqual({ names: [], count: 0 });
  const url = `/api/v1/brands/${brandId}/variants/states/?certificate=${certificate}`;
  expect((await app.inject({ url, headers: viewer.headers })).json()).toMatchObject({
    on_its_way: 1,
    queued: 1,
    sent: 0,
    unpublished: 0,
  });
});
