import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addVariants, expectDerived, underLock } from '../../../test/catalogue.ts';
import { openDatabase } from '../../db/database.ts';
import { reviewCertificate } from '../certificates/reviews.ts';
import { deleteCertificates } from '../writes/certificates.ts';
import { deleteVariants, theVariant } from '../writes/variants.ts';
import { deliverDue } from './delivery.ts';
import { QUICK, settle, silent, toGtin, useDelivery } from './test-support/delivery.ts';

const SEED = 20_260_101;
const VARIANTS = 30;
const CHANGES = 300;

/** The same numbers in every run (mulberry32), so that a failure can be looked into. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Brand = Awaited<ReturnType<typeof useDelivery>>;

const CHANGES_OF: readonly ((brand: Brand, id: number, random: (below: number) => number) => Promise<unknown>)[] = [
  ({ setPublished }, id) => setPublished(true, [id]),
  ({ setPublished }, id) => setPublished(true, [id]),
  ({ setPublished }, id) => setPublished(false, [id]),
  ({ rename }, id, random) => rename(`Name ${random(1_000_000)}`, [id]),
  judge,
  ({ db, brandId }, id) =>
    id % 5 === 0 ? underLock(db, brandId, (db) => deleteVariants(db, brandId, theVariant(id))) : Promise.resolve(),
  ({ db, brandId }, id) =>
    id % 7 === 0
      ? underLock(db, brandId, (db) => deleteCertificates(db, brandId, sql`external_certificate_id = ${codeOf(id)}`))
      : Promise.resolve(),
];

const codeOf = (id: number) => `FSC-C${String(id).padStart(6, '0')}`;

/** The operator changes their mind about the variant's certificate, where it has one. */
async function judge({ db, brandId, run }: Brand, id: number): Promise<void> {
  const [known] = await run('select status from certificates where external_certificate_id = $1', [codeOf(id)]);
  if (!known) return;
  const verdict = known.status === 'validated' ? 'rejected' : 'approved';
  await reviewCertificate(db, { brandId, certification: 'FSC', externalId: codeOf(id) }, { verdict, note: 'x' });
}

/** Workers that are killed without warning: their database is gone from one moment to the next, their calls may go on. */
function startMortalWorkers(url: string, channel: Parameters<typeof settle>[1], random: (below: number) => number) {
  let stopped = false;
  let killed = 0;
  const live = async () => {
    while (!stopped) {
      const database = openDatabase(url, () => {});
      const work = deliverDue({
        db: database.db,
        channel,
        logger: silent,
        settings: { ...QUICK, leaseMs: 1_000 },
      }).catch(() => undefined);
      const isKilled = await Promise.race([work.then(() => false), sleep(20 + random(500), true)]);
      if (isKilled) killed += 1;
      await database.close();
      await work;
    }
  };
  const lives = [live(), live()];
  return {
    killed: () => killed,
    stop: async () => {
      stopped = true;
      await Promise.all(lives);
    },
  };
}

test('whatever fails and whoever is killed, the channel ends up with exactly what is published', async () => {
  const brand = await useDelivery({ deadlineMs: 200, throttledPauseMs: 50 });
  const { database, db, pool, channel, turn, run, brandId, certify, products } = brand;
  const random = createRandom(SEED);
  const ids = await addVariants(
    db,
    brandId,
    Array.from({ length: VARIANTS }, (_, item) => ({ gtin: toGtin(item + 1), name: `Thing ${item}` })),
  );
  for (const id of ids.filter((id) => id % 2 === 0)) await certify(id, codeOf(id));

  // Some answers come after the deadline, and what they were about happens all the same.
  await turn({ late_ms: 400, fail_share: 0.15, throttle_share: 0.02, lose_share: 0.15 });
  const workers = startMortalWorkers(database.url, channel, random);
  for (let change = 0; change < CHANGES; change++) {
    await CHANGES_OF[random(CHANGES_OF.length)]?.(brand, ids[random(ids.length)] ?? 0, random);
    if (change % 25 === 0) await expectDerived(pool);
    await sleep(random(40));
  }
  // The hardest end: everything is being sent, some of it later than we know, and half of it is taken back.
  await brand.setPublished(true);
  await sleep(300);
  await brand.setPublished(
    false,
    ids.filter((id) => id % 3 > 0),
  );
  await settle(database, channel, { leaseMs: 1_000 });
  await workers.stop();
  // What came late has come.
  await sleep(500);
  expect(workers.killed()).toBeGreaterThan(20);
  await expectDerived(pool);

  const expected = await run(
    `select 'accounts/1000001/products/US:en:77:' || v.brand_id || '-' || v.id as name, v.name as title,
       array(select c.external_certificate_id from variant_certificates l join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
         where l.brand_id = v.brand_id and l.variant_id = v.id and c.status = 'validated') as codes
     from variants v where v.published order by 1`,
  );
  const held = (await products()).map(({ name, body }) => ({
    name,
    title: body.title,
    codes: body.certification.map(({ code }: { code: string }) => code),
  }));
  expect(expected.length).toBeGreaterThan(5);
  expect(held).toEqual(expected);
  expect(await run(`select state from deliveries where state <> 'live'`)).toEqual([]);

  const lastCalls = await run(
    `select distinct on (name) name, method from embedded.channel_emulator_calls
     where method in ('PUT', 'DELETE') and status in (200, 404) order by name, id desc`,
  );
  const published = new Set(expected.map(({ name }) => name));
  for (const { name, method } of lastCalls)
    expect({ name, method }).toEqual({ name, method: published.has(name) ? 'PUT' : 'DELETE' });
}, 120_000);
