import { VARIANT_ORDERINGS, type VariantListQuery } from '@brand-portal/contract/variants';
import fc from 'fast-check';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { createTestBrand } from '../../../test/people.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { type ModelVariant, modelPage } from './test-support/variant-model.ts';
import { indexNewVariants } from './variant-search.ts';
import { createListMemory, listVariants } from './variants.ts';

type Change =
  | { kind: 'insert'; variants: { name: string; digits: number; published: boolean }[] }
  | { kind: 'rename'; picks: number[]; name: string }
  | { kind: 'publish'; picks: number[]; published: boolean }
  | { kind: 'publish all' }
  | { kind: 'link' | 'unlink'; picks: number[]; certificate: number }
  | { kind: 'delete'; picks: number[] }
  | { kind: 'delete certificate'; certificate: number }
  | { kind: 'index' };

const syllable = fc.constantFrom(
  'a',
  'B',
  'é',
  'Ñ',
  'ø',
  'ß',
  'œ',
  ' ',
  '-',
  '%',
  '_',
  '\\',
  "'",
  '1',
  '06',
  '緑茶',
  'ol',
  'Öl',
);
const name = fc.array(syllable, { minLength: 1, maxLength: 8 }).map((parts) => `x${parts.join('')}`);
const picks = fc.array(fc.nat(), { maxLength: 5 });
const certificate = fc.nat({ max: 2 });

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      variants: fc.array(fc.record({ name, digits: fc.constantFrom(8, 12, 13, 14), published: fc.boolean() }), {
        minLength: 1,
        maxLength: 12,
      }),
    }),
  },
  fc.record({ kind: fc.constant('rename' as const), picks, name }),
  fc.record({ kind: fc.constant('publish' as const), picks, published: fc.boolean() }),
  fc.constant({ kind: 'publish all' as const }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('link' as const, 'unlink' as const), picks, certificate }),
  },
  fc.record({ kind: fc.constant('delete' as const), picks }),
  fc.record({ kind: fc.constant('delete certificate' as const), certificate }),
  fc.constant({ kind: 'index' as const }),
);

const query: fc.Arbitrary<VariantListQuery> = fc.record(
  {
    page: fc.integer({ min: 1, max: 6 }),
    page_size: fc.constantFrom(1, 3, 10, 100),
    search: fc.oneof(
      fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      fc.constantFrom('00', '0614-1410', '614 1410 00', 'x', 'X', ' '),
    ),
    has_certs: fc.boolean(),
    published: fc.boolean(),
    ordering: fc.constantFrom(...VARIANT_ORDERINGS),
  },
  { requiredKeys: [] },
);

/** The brand in the database, and beside it what it should have. */
class Brand {
  readonly variants = new Map<number, ModelVariant>();
  readonly certificates: (number | undefined)[] = [];
  #sequence = 0;
  readonly pool: pg.Pool;
  readonly id: number;

  constructor(pool: pg.Pool, id: number) {
    this.pool = pool;
    this.id = id;
  }

  pick(picks: number[]): ModelVariant[] {
    const all = [...this.variants.values()];
    return [...new Set(picks.map((pick) => all[pick % all.length]).filter((variant) => variant !== undefined))];
  }

  async insert(added: { name: string; digits: number; published: boolean }[]): Promise<void> {
    const rows = added.map(({ digits, ...variant }) => {
      this.#sequence += 1;
      const item = String(this.#sequence);
      const gtin = digits === 8 ? `6${item.padStart(7, '0')}` : `614141${item.padStart(6, '0')}`.padStart(digits, '0');
      return { ...variant, gtin };
    });
    const result = await this.pool.query(
      `insert into variants (brand_id, name, gtin, published)
       select $1, x.name, x.gtin, x.published from json_to_recordset($2) as x (name text, gtin text, published boolean)
       returning id, created_at, gtin, name, published`,
      [this.id, JSON.stringify(rows)],
    );
    for (const { created_at, ...row } of result.rows) {
      this.variants.set(row.id, { ...row, createdAt: created_at, certificates: new Set() });
    }
  }

  async certificateId(number: number): Promise<number> {
    const known = this.certificates[number];
    if (known !== undefined) return known;
    const { rows } = await this.pool.query(
      'insert into certificates (brand_id, certification_id, external_certificate_id) values ($1, 1, $2) returning id',
      [this.id, `C-${number}`],
    );
    this.certificates[number] = rows[0].id;
    return rows[0].id;
  }
}

async function apply(brand: Brand, change: Change): Promise<void> {
  const { pool, id } = brand;
  if (change.kind === 'insert') return brand.insert(change.variants);
  if (change.kind === 'publish all') {
    await pool.query('update variants set published = true where brand_id = $1 and not published', [id]);
    for (const variant of brand.variants.values()) variant.published = true;
    return;
  }
  if (change.kind === 'index') return;
  if (change.kind === 'delete certificate') {
    const certificateId = brand.certificates[change.certificate];
    if (certificateId === undefined) return;
    await pool.query('delete from certificates where brand_id = $1 and id = $2', [id, certificateId]);
    brand.certificates[change.certificate] = undefined;
    for (const variant of brand.variants.values()) variant.certificates.delete(certificateId);
    return;
  }
  const chosen = brand.pick(change.picks);
  const ids = chosen.map((variant) => variant.id);
  switch (change.kind) {
    case 'rename':
      await pool.query('update variants set name = $3 where brand_id = $1 and id = any($2)', [id, ids, change.name]);
      for (const variant of chosen) variant.name = change.name;
      return;
    case 'publish':
      await pool.query('update variants set published = $3 where brand_id = $1 and id = any($2)', [
        ...[id, ids],
        change.published,
      ]);
      for (const variant of chosen) variant.published = change.published;
      return;
    case 'delete':
      await pool.query('delete from variants where brand_id = $1 and id = any($2)', [id, ids]);
      for (const variant of chosen) brand.variants.delete(variant.id);
      return;
    case 'link': {
      const certificateId = await brand.certificateId(change.certificate);
      await pool.query('insert into variant_certificates select $1, unnest($2::bigint[]), $3 on conflict do nothing', [
        id,
        ids,
        certificateId,
      ]);
      for (const variant of chosen) variant.certificates.add(certificateId);
      return;
    }
    case 'unlink': {
      const certificateId = brand.certificates[change.certificate] ?? 0;
      await pool.query(
        'delete from variant_certificates where brand_id = $1 and variant_id = any($2) and certificate_id = $3',
        [id, ids, certificateId],
      );
      for (const variant of chosen) variant.certificates.delete(certificateId);
    }
  }
}

const WAYS_OF_SEARCHING = {
  chosen: undefined,
  'by grams': { smallBrand: -1, largeShare: 2 },
  'by reading': { smallBrand: 0, largeShare: -1 },
};

test('whatever happened to the variants, every list of them is what a plain model says', async () => {
  const { db, pool } = await useTestDatabase();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), change), { minLength: 1, maxLength: 25 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      async (changes, queries) => {
        const brands = [
          new Brand(pool, await createTestBrand(db)),
          new Brand(pool, await createTestBrand(db)),
        ] as const;
        // Remembered all along, so that a change that nobody counted would show as an answer of before.
        const memory = createListMemory();
        for (const [first, change] of changes) {
          if (change.kind === 'index') await indexNewVariants(db);
          await apply(brands[first ? 0 : 1], change);
          for (const brand of brands) await listVariants(db, brand.id, {}, { memory });
        }
        for (const query of queries) {
          for (const brand of brands) {
            const expected = modelPage(brand.variants.values(), query);
            for (const [way, searchChoice] of Object.entries(WAYS_OF_SEARCHING)) {
              const { results, count } = await listVariants(db, brand.id, query, { searchChoice, memory });
              expect({ way, ids: results.map(({ id }) => id), count }).toEqual({ way, ...expected });
            }
          }
        }
      },
    ),
    { numRuns: 30, endOnFailure: false },
  );
}, 120_000);
