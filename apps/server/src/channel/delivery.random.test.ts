// @module-tag empty-installation
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARTNER_ACCOUNT } from '@brand-portal/embedded/channel-emulator/channel-emulator.ts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addCertificate, addVariants, changeVariants, expectDerivedData, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { createTestBrand } from '../../test/people.ts';
import { reviewCertificate } from '../catalog/certificates/reviews.ts';
import { openDatabase } from '../db/database.ts';
import { deleteCertificates } from '../writes/certificates.ts';
import { deleteVariants, variantWithId } from '../writes/variants.ts';
import { type Channel, ChannelRefused, type ChannelSession } from './channel.ts';
import { connectBrand } from './connections.ts';
import { encryptCredentials } from './credentials.ts';
import { deliverAll, deliverDue, QUICK, silent, toGtin, useDelivery } from './test-support/delivery.ts';

const SEED = 20_260_101;
const VARIANTS = 36;
const CHANGES = 360;

/** A seeded generator (mulberry32), so that a failure can be reproduced. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** The shared setup, and one brand of the test. */
interface Brand extends Awaited<ReturnType<typeof useDelivery>> {
  readonly brandId: number;
  readonly ids: readonly number[];
  /** Switches the brand to another account. */
  readonly move: () => Promise<void>;
}

const CHANGES_OF: readonly ((brand: Brand, id: number, random: (below: number) => number) => Promise<unknown>)[] = [
  ({ db, brandId }, id) => setPublished(db, brandId, true, [id]),
  ({ db, brandId }, id) => setPublished(db, brandId, true, [id]),
  ({ db, brandId }, id) => setPublished(db, brandId, false, [id]),
  ({ db, brandId }, id, random) => changeVariants(db, brandId, { name: `Name ${random(1_000_000)}` }, [id]),
  judge,
  ({ db, brandId }, id) =>
    id % 5 === 0 ? withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(id))) : Promise.resolve(),
  ({ db, brandId }, id) =>
    id % 7 === 0
      ? withBrandLock(db, brandId, (db) => deleteCertificates(db, brandId, sql`external_certificate_id = ${codeOf(id)}`))
      : Promise.resolve(),
  ({ move }, _id, random) => (random(4) === 0 ? move() : Promise.resolve()),
];

const codeOf = (id: number) => `FSC-C${String(id).padStart(6, '0')}`;

/** Reviews the variant's certificate again with a random result, if it has one. */
async function judge({ db, brandId, run }: Brand, id: number): Promise<void> {
  const [known] = await run('select status from certificates where brand_id = $1 and external_certificate_id = $2', [brandId, codeOf(id)]);
  if (!known) return;
  const verdict = known.status === 'validated' ? 'rejected' : 'approved';
  await reviewCertificate(db, { brandId, certification: 'FSC', externalId: codeOf(id) }, { verdict, note: 'x' });
}

/** Where the products of a brand may be: as a client of the partner's account, or in its own account. */
interface Place {
  readonly account: string;
  readonly client: string | null;
}
const placesOf = (n: number): readonly Place[] => [
  { account: PARTNER_ACCOUNT, client: `client${n}` },
  { account: `${2_000_001 + n}`, client: null },
];

/** Three brands: one starts as a client of the partner's account, two with their own accounts. All may switch. */
async function createBrands(delivery: Awaited<ReturnType<typeof useDelivery>>, encryptionKey: Buffer) {
  const { db, setSwitches, emulator } = delivery;
  const names = ['Acme', 'Bolt', 'Cedar'];
  await setSwitches({
    links: names.flatMap((brand, n) => placesOf(n).map(({ account, client }) => ({ account, client_id: client ?? '', brand }))),
  });
  const brands: (Brand & { place: () => Place })[] = [];
  for (const [n, name] of names.entries()) {
    const brandId = n === 0 ? delivery.brandId : await createTestBrand(db, name);
    let at = n === 0 ? 1 : 0;
    const place = () => placesOf(n)[at] as Place;
    const move = async () => {
      at = 1 - at;
      const { account, client } = place();
      const own = client === null;
      await connectBrand(db, brandId, {
        kind: own ? 'own' : 'partner',
        account: own ? account : null,
        client_id: client,
        countries: ['US'],
        language: 'en',
        registered_name: name,
        credentials: own ? encryptCredentials(encryptionKey, brandId, JSON.stringify(emulator.credentialsFor(account))) : null,
      });
    };
    await move();
    const ids = await addVariants(
      db,
      brandId,
      Array.from({ length: VARIANTS / 3 }, (_, item) => ({ gtin: toGtin(item + 1), name: `Thing ${item}` })),
    );
    for (const id of ids.filter((id) => id % 2 === 0)) await addCertificate(db, brandId, { code: codeOf(id) }, [id]);
    brands.push({ ...delivery, brandId, ids, move, place });
  }
  return brands;
}

/** The channel refuses some products when they are sent. */
const isRejected = (title: string) => title.endsWith('7');

function rejectSome(channel: Channel): Channel {
  return {
    ...channel,
    open: async (connection) => {
      const session = await channel.open(connection);
      const send: ChannelSession['send'] = async (resource, product) => {
        if (isRejected(product.title)) throw new ChannelRefused('Invalid title');
        await session.send(resource, product);
      };
      return { ...session, send };
    },
  };
}

/** Workers that are killed without warning: their database connection is cut, but their calls may continue. */
function startKillableWorkers(url: string, channel: Parameters<typeof deliverAll>[1], random: (below: number) => number) {
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

test('after random failures and kills, each account has exactly what its brand has published and the channel accepts, and never had products of another brand', async () => {
  const encryptionKey = randomBytes(32);
  const delivery = await useDelivery({ deadlineMs: 200, throttledPauseMs: 50, encryptionKey });
  const { database, db, pool, setSwitches, run, products } = delivery;
  const channel = rejectSome(delivery.channel);
  const random = createRandom(SEED);
  const brands = await createBrands(delivery, encryptionKey);
  const setAll = async (published: boolean, isChosen: (id: number) => boolean) => {
    for (const { brandId, ids } of brands) await setPublished(db, brandId, published, ids.filter(isChosen));
  };

  // Some responses come after the deadline, but the calls take effect.
  await setSwitches({ late_ms: 400, fail_share: 0.15, throttle_share: 0.02, lose_share: 0.15 });
  const workers = startKillableWorkers(database.url, channel, random);
  for (let change = 0; change < CHANGES; change++) {
    const brand = brands[random(brands.length)] as Brand;
    await CHANGES_OF[random(CHANGES_OF.length)]?.(brand, brand.ids[random(brand.ids.length)] ?? 0, random);
    if (change % 25 === 0) await expectDerivedData(pool);
    await sleep(random(40));
  }
  // The worst case to end with: everything is being sent, some calls take effect late, some is rejected, and half is unpublished.
  await setAll(true, () => true);
  await sleep(300);
  for (const { brandId, ids } of brands)
    await changeVariants(
      db,
      brandId,
      { name: 'Rejected 7' },
      ids.filter((id) => id % 6 === 0),
    );
  await setAll(false, (id) => id % 2 > 0);
  await deliverAll(database, channel, { leaseMs: 1_000 });
  await workers.stop();
  // Late calls have taken effect by now.
  await sleep(500);
  expect(workers.killed()).toBeGreaterThan(20);
  await expectDerivedData(pool);

  const published = await run(
    `select v.brand_id, v.id, v.name as title,
       array(select c.external_certificate_id from variant_certificates l join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
         where l.brand_id = v.brand_id and l.variant_id = v.id and c.status = 'validated') as codes
     from variants v where v.published order by v.brand_id, v.id`,
  );
  const prefixOf = ({ account, client }: Place) => `accounts/${account}/products/US:en:${client ? `${client}:` : ''}`;
  const rejected = published.filter(({ title }) => isRejected(title));
  const expected = published
    .filter(({ title }) => !isRejected(title))
    .map(({ brand_id, id, title, codes }) => {
      const place = brands.find(({ brandId }) => brandId === brand_id)?.place();
      return { name: `${place && prefixOf(place)}${brand_id}-${id}`, title, codes };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const held = (await products())
    .map(({ name, body }) => ({
      name,
      title: body.title,
      codes: body.certification.map(({ code }: { code: string }) => code),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  expect(expected.length).toBeGreaterThan(5);
  expect(rejected.length).toBeGreaterThan(0);
  expect(held).toEqual(expected);
  const refused = await run(`select state, reason, variant_id as id from deliveries where state <> 'live' order by brand_id, variant_id`);
  expect(refused).toEqual(rejected.map(({ id }) => ({ state: 'refused', reason: 'Invalid title', id })));

  const lastCalls = await run(
    `select distinct on (name) name, method from embedded.channel_emulator_calls
     where method in ('PUT', 'DELETE') and status in (200, 404) order by name, id desc`,
  );
  const isHeld = new Set(expected.map(({ name }) => name));
  for (const { name, method } of lastCalls) expect({ name, method }).toEqual({ name, method: isHeld.has(name) ? 'PUT' : 'DELETE' });

  // Every PUT went to an account of its own brand.
  const calls = await run(`select distinct name from embedded.channel_emulator_calls where method = 'PUT'`);
  const allowed = brands.flatMap(({ brandId }, n) => placesOf(n).map((place) => `${prefixOf(place)}${brandId}-`));
  expect(calls.filter(({ name }) => !allowed.some((prefix) => name.startsWith(prefix)))).toEqual([]);
}, 120_000);
