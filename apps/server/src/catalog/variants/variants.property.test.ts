import { VARIANT_ORDERINGS, VARIANT_STATES, type VariantListQuery } from '@brand-portal/contract/variants';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addCertificate, addVariants, changeVariants, expectDerivedData, setPublished, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand } from '../../../test/people.ts';
import { runs } from '../../../test/property.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import type { Db } from '../../db/database.ts';
import type { Rows } from '../../db/fragments.ts';
import { deleteCertificates, insertLinks, type NewLink } from '../../writes/certificates.ts';
import { deleteVariants } from '../../writes/variants.ts';
import { MODEL_CERTIFICATES, type ModelVariant, modelPage } from './test-support/variant-model.ts';
import { createSamples, indexNewVariants, type Samples } from './variant-search.ts';
import { countVariantStates, listVariants } from './variants.ts';

type Change =
  | { kind: 'insert'; variants: { name: string; digits: number; published: boolean }[] }
  | { kind: 'rename'; picks: number[]; name: string }
  | { kind: 'publish'; picks: number[]; published: boolean }
  | { kind: 'publish all' }
  | { kind: 'link'; picks: number[]; certificate: number }
  | { kind: 'delete'; picks: number[] }
  | { kind: 'delete certificate'; certificate: number }
  | { kind: 'judge'; picks: number[]; state: 'sent' | 'live' | 'partly_live' | 'refused' }
  | { kind: 'validate'; certificate: number; status: 'validated' | 'pending' | 'invalid' }
  | { kind: 'index' }
  | { kind: 'broken off' };

const syllable = fc.constantFrom('a', 'B', 'é', 'Ñ', 'ø', 'ß', 'œ', ' ', '-', '%', '_', '\\', "'", '1', '06', '緑茶', 'ol', 'Öl');
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
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('link' as const), picks, certificate }) },
  fc.record({ kind: fc.constant('delete' as const), picks }),
  fc.record({ kind: fc.constant('delete certificate' as const), certificate }),
  fc.record({
    kind: fc.constant('judge' as const),
    picks,
    state: fc.constantFrom('sent', 'live', 'partly_live', 'refused'),
  }),
  fc.record({
    kind: fc.constant('validate' as const),
    certificate,
    status: fc.constantFrom('validated', 'pending', 'invalid'),
  }),
  fc.constant({ kind: 'index' as const }),
  fc.constant({ kind: 'broken off' as const }),
);

const query: fc.Arbitrary<VariantListQuery> = fc.record(
  {
    page: fc.integer({ min: 1, max: 6 }),
    page_size: fc.constantFrom(1, 3, 10, 100),
    search: fc.oneof(
      fc.array(syllable, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      fc.array(syllable, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('  ')),
      fc.constantFrom('00', '0614-1410', '614 1410 00', 'x', 'X', ' ', 'fsc', 'c0000', 'FAIR', 'öl 06', 'x_%', 'GOTS'),
    ),
    has_certs: fc.boolean(),
    published: fc.boolean(),
    ordering: fc.constantFrom(...VARIANT_ORDERINGS),
  },
  { requiredKeys: [] },
);

/** The brand in the database, and the model of its expected content. */
class Brand {
  readonly variants = new Map<number, ModelVariant>();
  readonly certificates: (number | undefined)[] = [];
  #sequence = 0;
  readonly db: Db;
  readonly id: number;

  constructor(db: Db, id: number) {
    this.db = db;
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
      // Every fifth GTIN is for use inside a company, which the channel would refuse.
      const company = this.#sequence % 5 === 0 ? '204141' : '614141';
      const gtin = digits === 8 ? `6${item.padStart(7, '0')}` : `${company}${item.padStart(6, '0')}`.padStart(digits, '0');
      return { ...variant, gtin };
    });
    const ids = await addVariants(this.db, this.id, rows);
    const stored = await this.db
      .selectFrom('variants')
      .select(['id', 'created_at', 'gtin', 'name', 'published'])
      .where('brand_id', '=', this.id)
      .where('id', 'in', ids)
      .execute();
    for (const { created_at, ...row } of stored) {
      this.variants.set(row.id, { ...row, createdAt: created_at, certificates: new Map() });
    }
  }

  async certificateId(number: number): Promise<number> {
    const known = this.certificates[number];
    if (known !== undefined) return known;
    const id = await addCertificate(this.db, this.id, MODEL_CERTIFICATES[number] ?? MODEL_CERTIFICATES[0]);
    this.certificates[number] = id;
    return id;
  }
}

async function apply(brand: Brand, change: Change): Promise<void> {
  const { db, id } = brand;
  if (change.kind === 'insert') return brand.insert(change.variants);
  if (change.kind === 'publish all') {
    await setPublished(db, id, true);
    for (const variant of brand.variants.values()) variant.published = true;
    return;
  }
  if (change.kind === 'index') {
    await indexNewVariants(db);
    return;
  }
  if (change.kind === 'broken off') return abortWrite(brand);
  if (change.kind === 'validate') {
    const certificateId = await brand.certificateId(change.certificate);
    await sql`update certificates set status = ${change.status} where brand_id = ${id} and id = ${certificateId}`.execute(db);
    return;
  }
  if (change.kind === 'delete certificate') {
    const certificateId = brand.certificates[change.certificate];
    if (certificateId === undefined) return;
    await withBrandLock(db, id, (db) => deleteCertificates(db, id, sql`id = ${certificateId}`));
    brand.certificates[change.certificate] = undefined;
    for (const variant of brand.variants.values()) variant.certificates.delete(certificateId);
    return;
  }
  const chosen = brand.pick(change.picks);
  const ids = chosen.map((variant) => variant.id);
  switch (change.kind) {
    case 'rename':
      await changeVariants(db, id, { name: change.name }, ids);
      for (const variant of chosen) variant.name = change.name;
      return;
    case 'publish':
      await setPublished(db, id, change.published, ids);
      for (const variant of chosen) variant.published = change.published;
      return;
    case 'judge':
      await sql`update deliveries set state = ${change.state}
        where brand_id = ${id} and wanted = 'present' and variant_id = any (${ids}::bigint[])`.execute(db);
      return;
    case 'delete':
      await withBrandLock(db, id, (db) => deleteVariants(db, id, sql`id = any (${ids}::bigint[])`));
      for (const variant of chosen) brand.variants.delete(variant.id);
      return;
    case 'link': {
      const certificateId = await brand.certificateId(change.certificate);
      const without = chosen.filter(({ certificates }) => !certificates.has(certificateId)).map(({ id }) => id);
      const links: Rows<NewLink> = sql`select ${id}::bigint, unnest(${without}::bigint[]), ${certificateId}::bigint`;
      await withBrandLock(db, id, (db) => insertLinks(db, id, links));
      for (const variant of chosen) variant.certificates.set(certificateId, change.certificate);
    }
  }
}

/** A writer that is killed before it commits. */
async function abortWrite({ db, id, certificates }: Brand): Promise<void> {
  const killed = withBrandLock(db, id, async (db) => {
    await setPublished(db, id, true);
    await addVariants(db, id, [{ gtin: '99999999', name: 'Never there', published: true }]);
    await changeVariants(db, id, { name: 'Never so' });
    await deleteCertificates(db, id, sql`id = ${certificates.find((id) => id !== undefined) ?? 0}`);
    await deleteVariants(db, id, sql`id % 2 = 0`);
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
}

/** Computes the states from scratch, in the simplest way. */
async function statesByHand(db: Db, brandId: number, ids: readonly number[]): Promise<Record<string, number[]>> {
  const { rows } = await sql<{ id: number; states: string[] }>`
    select v.id, array_remove(array[
      case when d.state = 'live' then 'live' end,
      case when d.state = 'queued' or d.state = 'sent' then 'on_its_way' end,
      case when d.state in ('queued', 'sent') then d.state end,
      case when d.state = 'refused' or d.state = 'partly_live' then 'refused' end,
      case when length(v.gtin) > 8 and v.gtin ~ '^0*2' then 'blocked' end,
      case when d.state is null then 'unpublished' end,
      case when exists (select from certificates c, variant_certificates l where c.brand_id = ${brandId} and l.brand_id = ${brandId}
        and l.variant_id = v.id and l.certificate_id = c.id and c.status = 'invalid') then 'certificate_problems' end], null) as states
    from variants v left join deliveries d on d.brand_id = ${brandId} and d.variant_id = v.id and d.wanted = 'present'
    where v.brand_id = ${brandId} and v.id = any (${ids}::bigint[])
  `.execute(db);
  return Object.fromEntries(
    VARIANT_STATES.map((state) => [
      state,
      rows
        .filter(({ states }) => states.includes(state))
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    ]),
  );
}

const SEARCH_STRATEGIES = {
  chosen: undefined,
  'by grams': { smallBrand: -1, largeShare: 2 },
  'by reading': { smallBrand: 0, largeShare: -1 },
};

const STATE_STRATEGIES = [
  { fewInState: 1_000 },
  { fewInState: -1 },
  { fewInState: -1, manyCompared: -1 },
  ...['by grams', 'by reading'].flatMap((way) =>
    [-1, 1_000].map((fewHits) => ({
      searchChoice: { ...SEARCH_STRATEGIES[way as 'by grams' | 'by reading'], fewHits },
    })),
  ),
];

/** Compares the counts of the strip and the lists behind them with simple SQL, for the same search and filters. */
async function expectStates(brand: Brand, lists: Db, query: VariantListQuery, samples: Samples): Promise<void> {
  const { search, has_certs, published } = query;
  const filter = {
    ...(search === undefined ? {} : { search }),
    ...(has_certs === undefined ? {} : { has_certs }),
    ...(published === undefined ? {} : { published }),
  };
  const { ids } = modelPage(brand.variants.values(), { ...filter, page_size: 10_000 });
  const expected = await statesByHand(brand.db, brand.id, ids);
  const counts = Object.fromEntries(Object.entries(expected).map(([state, ids]) => [state, ids.length]));
  for (const [way, searchChoice] of Object.entries(SEARCH_STRATEGIES)) {
    const counted = await countVariantStates(lists, brand.id, filter, { searchChoice, samples });
    expect({ way, filter, ...counted }).toEqual({ way, filter, ...counts });
  }
  for (const state of VARIANT_STATES) {
    const list = await listVariants(lists, brand.id, { ...filter, state, page_size: 10_000 });
    expect([state, list.count]).toEqual([state, counts[state]]);
    expect([state, list.results.map(({ id }) => id).sort((a, b) => a - b)]).toEqual([state, expected[state]]);
    const { ordering = '-created_at', page = 1 } = query;
    const sorted = modelPage(
      (expected[state] ?? []).map((id) => brand.variants.get(id)).filter((variant) => variant !== undefined),
      { ordering, page, page_size: 3 },
    );
    for (const way of STATE_STRATEGIES) {
      const request = { ...filter, state, ordering, page, page_size: 3 };
      const { results, count } = await listVariants(lists, brand.id, request, { ...way, samples });
      expect({ way, state, ids: results.map(({ id }) => id), count }).toEqual({ way, state, ...sorted });
    }
  }
}

test('after random writes, every list of variants equals a simple model', async () => {
  const { db, lists, pool } = await useTestDatabase();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), change), { minLength: 1, maxLength: 25 }),
      fc.array(query, { minLength: 10, maxLength: 20 }),
      async (changes, queries) => {
        const brands = [new Brand(db, await createTestBrand(db)), new Brand(db, await createTestBrand(db))] as const;
        const samples = createSamples();
        for (const [index, [first, change]] of changes.entries()) {
          await apply(brands[first ? 0 : 1], change);
          if (index % 8 === 7) await expectDerivedData(pool);
        }
        await expectDerivedData(pool);
        for (const brand of brands) {
          for (const query of queries.slice(0, 2)) await expectStates(brand, lists, query, samples);
        }
        for (const query of queries) {
          for (const brand of brands) {
            const expected = modelPage(brand.variants.values(), query);
            for (const [way, searchChoice] of Object.entries(SEARCH_STRATEGIES)) {
              const { results, count } = await listVariants(lists, brand.id, query, { searchChoice, samples });
              expect({ way, ids: results.map(({ id }) => id), count }).toEqual({ way, ...expected });
            }
          }
        }
      },
    ),
    { ...runs(8, 44), endOnFailure: true },
  );
}, 600_000);
