// @module-tag empty-installation
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addCertificate, addVariants, changeVariants, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { freePort } from '../../test/free-port.ts';
import { createTestUser } from '../../test/people.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { setForTransaction } from '../db/statements.ts';
import { deleteBrand, setBrandStatus } from '../people/brands/brands.ts';
import { claimDeliveries } from '../writes/deliveries.ts';
import { deleteVariants } from '../writes/variants.ts';
import { ChannelRefused, type ChannelSession } from './channel.ts';
import { connectBrand, disconnectBrand, getConnection, sweepConnections } from './connections.ts';
import { decryptCredentials, encryptCredentials } from './credentials.ts';
import { listClaimedDeliveries } from './deliveries.queries.ts';
import { retryDeliveries } from './operator.ts';
import { connect, nameOf, PLACE, toGtin, useDelivery } from './test-support/delivery.ts';

describe('a published variant', () => {
  test('is sent with its validated certificates, and is live when the channel says so', async () => {
    // Long enough that a slow machine does not check the verdict at once.
    const { add, certify, deliver, deliverAll, deliveries, products, brandId } = await useDelivery({
      firstCheckMs: 2_000,
    });
    const id = await add('Olive oil', { gtin: '4006381333931' });
    await certify(id, 'FSC-C000001', 'validated', '2099-12-31');
    await certify(id, 'FSC-C000002', 'pending');
    await certify(id, 'FSC-C000003', 'invalid');
    await certify(id, 'FSC-C000004', 'validated', '2020-01-01');
    expect(await deliveries()).toMatchObject([{ variant_id: id, state: 'queued' }]);
    await deliver();
    expect(await deliveries()).toMatchObject([{ state: 'sent', sent_at: expect.any(Date), judged_at: null }]);
    expect(await products()).toEqual([
      {
        name: nameOf(brandId, id),
        body: {
          targetClientId: '77',
          gtin: ['4006381333931'],
          title: 'Olive oil',
          brand: 'Acme',
          productType: ['Food'],
          intendedCountry: ['US'],
          certification: [{ name: 'FSC', authority: 'Forest Stewardship Council', code: 'FSC-C000001', validUntil: '2099-12-31' }],
        },
      },
    ]);
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'live', reason: '', judged_at: expect.any(Date) }]);
  });

  test('waits while the brand is inactive, keeps what Google has, and is sent once the brand is active again', async () => {
    const { add, db, brandId, rename, setPublished, deliver, deliverAll, deliveries, products, run } = await useDelivery();
    const staff = await createTestUser(db);
    const salt = await add('Salt');
    const tea = await add('Tea');
    await deliverAll();
    const before = await products();
    await setBrandStatus(db, staff.id, brandId, 'inactive');
    await rename('Sea salt', [salt]);
    await setPublished(false, [tea]);
    expect(await deliver()).toBe(0);
    expect(await products()).toEqual(before);
    // The recommended alarm does not ring for it.
    expect(await run(`select from due_work where kind = 'deliver'`)).toEqual([]);
    await setBrandStatus(db, staff.id, brandId, 'active');
    await deliverAll();
    expect((await products()).map(({ body }) => body.title)).toEqual(['Sea salt']);
    expect(await deliveries()).toMatchObject([{ variant_id: salt, state: 'live' }]);
  });

  test('with very many certificates is sent with the first of them, at least one of each certification', async () => {
    const { add, certify, db, brandId, deliverAll, deliveries, products } = await useDelivery();
    const id = await add('Paper');
    for (let i = 0; i < 51; i += 1) await certify(id, `FSC-C${100_000 + i}`);
    await addCertificate(db, brandId, { code: 'CU-1', status: 'validated', certification: 'GOTS' }, [id]);
    await deliverAll();
    expect(await deliveries()).toMatchObject([{ state: 'live' }]);
    const { certification } = (await products())[0].body;
    expect(certification).toHaveLength(50);
    expect(certification[0].code).toBe('FSC-C100000');
    expect(certification.at(-1)).toMatchObject({ name: 'GOTS', code: 'CU-1' });
  });

  test('without certificates is sent with an empty list', async () => {
    const { add, deliverAll, products } = await useDelivery();
    await add('Sea salt');
    await deliverAll();
    expect((await products())[0].body.certification).toEqual([]);
  });

  // At any hour, one of the two zones has another date than UTC.
  test.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
    'is sent with the certificates that are valid on the date of the brand, also with the database in %s',
    async (timezone) => {
      const { add, certify, db, brandId } = await useDelivery();
      const id = await add('Olive oil');
      await certify(id, 'FSC-C000001', 'validated', '2027-02-01');
      await certify(id, 'FSC-C000002', 'validated', '2027-01-31');
      const claimId = randomUUID();
      const [delivery] = await inTransaction(db, async (db) => {
        await setForTransaction(db, { timezone });
        await claimDeliveries(db, { brandId, claimId, limit: 2, leaseMs: 1_000, place: PLACE });
        return listClaimedDeliveries(db, { brandId, claimId, today: '2027-02-01' });
      });
      expect(delivery?.product?.certifications.map(({ code }) => code)).toEqual(['FSC-C000001']);
    },
  );

  test('is refused with the issue that the channel names', async () => {
    const { add, deliverAll, deliveries, setSwitches } = await useDelivery();
    const issue = { type: 'GTIN', title: 'Unknown GTIN', description: 'GS1 has no record of it.' };
    await setSwitches({ refusals: [{ gtin: '4006381333931', ...issue }] });
    await add('Olive oil', { gtin: '4006381333931' });
    await add('Sea salt', { gtin: '61414100' });
    await deliverAll();
    expect(await deliveries()).toMatchObject([
      { state: 'refused', reason: 'Unknown GTIN: GS1 has no record of it.' },
      { state: 'refused', reason: expect.stringContaining('Invalid GTIN') },
    ]);
  });

  test('that changes is sent again, under the same name at the channel', async () => {
    const { add, certify, deliverAll, products, db, rename, reject, brandId, calls, setSwitches } = await useDelivery();
    const id = await add('Olive oil');
    await certify(id, 'FSC-C000001');
    await deliverAll();
    await rename('Best olive oil');
    await connect(db, setSwitches, brandId, { name: 'Acme Foods' });
    await deliverAll();
    expect(await products()).toMatchObject([
      { name: nameOf(brandId, id), body: { title: 'Best olive oil', brand: 'Acme Foods', certification: [{}] } },
    ]);
    await reject('FSC-C000001');
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { certification: [] } }]);
    expect((await calls()).filter(({ method }) => method === 'PUT')).toHaveLength(3);
  });

  test('that changes during a call is sent again after it', async () => {
    const { add, deliver, deliverAll, products, rename, setSwitches, deliveries } = await useDelivery();
    await add('Before');
    await setSwitches({ late_ms: 400 });
    const underWay = deliver();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await rename('After');
    await underWay;
    await setSwitches({ late_ms: 0 });
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { title: 'After' } }]);
    expect(await deliveries()).toMatchObject([{ state: 'live' }]);
  });

  test('that the channel has lost is sent again', async () => {
    const { add, deliverAll, products, run, makeDue } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await run('delete from embedded.channel_emulator_resources');
    await makeDue();
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });

  // spec: §1 go-live date, §9 go-live date
  test('is not sent before the go-live date', async () => {
    const { add, deliver, deliveries, calls } = await useDelivery();
    await add('Olive oil');
    const goLive = Date.UTC(2026, 0, 1);
    expect(await deliver({}, () => new Date(goLive - 1))).toBe(0);
    expect(await calls()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'queued' }]);
    expect(await deliver({}, () => new Date(goLive))).toBeGreaterThan(0);
  });
});

describe('a sent product is withdrawn', () => {
  test.each<[string, (db: Db, brandId: number) => Promise<unknown>]>([
    ['when its variant is unpublished', (db, brandId) => setPublished(db, brandId, false)],
    ['when its variant is deleted', (db, brandId) => withBrandLock(db, brandId, (db) => deleteVariants(db, brandId))],
    ['when its brand is deleted', (db, brandId) => deleteBrand(db, null, brandId)],
  ])('%s', async (_name, change) => {
    const { add, deliverAll, products, deliveries, db, brandId, calls } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await change(db, brandId);
    expect(await deliveries()).toMatchObject([{ state: 'removing' }]);
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toEqual([]);
    expect((await calls()).at(-1)).toMatchObject({ method: 'DELETE', status: 200 });
  });

  test('and a delivery that was not sent is deleted at once', async () => {
    const { add, deliveries, setPublished } = await useDelivery();
    await add('Olive oil');
    await setPublished(false);
    expect(await deliveries()).toEqual([]);
  });

  test('and exists in the end if it is published again meanwhile', async () => {
    const { add, deliver, deliverAll, products, setPublished, setSwitches } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await setPublished(false);
    await setSwitches({ late_ms: 400 });
    const underWay = deliver();
    await new Promise((resolve) => setTimeout(resolve, 30));
    await setPublished(true);
    await underWay;
    await setSwitches({ late_ms: 0 });
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });

  test('from its old place after the brand was connected again', async () => {
    const { add, db, brandId, setSwitches, deliverAll, products, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await connect(db, setSwitches, brandId, { countries: ['DE', 'AT'], client_id: '88' });
    await deliverAll();
    const name = expect.stringContaining('/products/DE:en:88:');
    expect(await products()).toMatchObject([{ name, body: { targetClientId: '88', intendedCountry: ['DE', 'AT'] } }]);
    expect(await run('select count(*)::int from channel_connections')).toEqual([{ count: 2 }]);
    await run(`update due_work set due_at = now() where kind = 'end_connections'`);
    await sweepConnections(db);
    expect(await run('select client_id from channel_connections')).toEqual([{ client_id: '88' }]);
    expect(await run(`select from due_work where kind = 'end_connections'`)).toEqual([]);
  });

  test('when the brand is disconnected, and is done if it is unpublished at that moment', async () => {
    const { add, db, brandId, channel, deliverAll, deliver, deliveries, products } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await disconnectBrand(db, brandId);
    const { open } = channel;
    channel.open = async (connection) => {
      const session = await open(connection);
      const withdraw: ChannelSession['withdraw'] = async (resource) => {
        await session.withdraw(resource);
        await setPublished(db, brandId, false);
      };
      return { ...session, withdraw };
    };
    await deliver();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toEqual([]);
  });

  test('when the brand is disconnected, and queued until it is connected again', async () => {
    const { add, db, brandId, setSwitches, deliver, deliverAll, products, deliveries, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await disconnectBrand(db, brandId);
    await deliver();
    expect(await products()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: 'queued' }]);
    expect(await run(`select from due_work where kind = 'deliver'`)).toEqual([]);
    await connect(db, setSwitches, brandId);
    await deliverAll();
    expect(await products()).toHaveLength(1);
  });
});

describe('a change that the channel rejects', () => {
  /** A certified product that is live, and a channel that rejects its next version. */
  async function useRejection() {
    const delivery = await useDelivery();
    const { channel, add, certify, deliverAll } = delivery;
    const id = await add('Olive oil');
    await certify(id, 'FSC-C000001');
    await deliverAll();
    const rejected = new Set(['Bad oil']);
    const { open } = channel;
    channel.open = async (connection) => {
      const session = await open(connection);
      const send: ChannelSession['send'] = async (resource, product) => {
        if (rejected.has(product.title)) throw new ChannelRefused('Invalid title');
        await session.send(resource, product);
      };
      return { ...session, send };
    };
    const rows = () => delivery.run('select state, reason, resource, next_attempt_at from deliveries');
    return { ...delivery, rows, accept: () => rejected.clear() };
  }
  const REFUSED = { state: 'refused', reason: 'Invalid title', resource: null, next_attempt_at: null };

  test.each<[string, (db: Db, brandId: number) => Promise<unknown>]>([
    ['a later change', (db, brandId) => changeVariants(db, brandId, { name: 'Good oil' })],
    ['a retry of the operator', (db, brandId) => retryDeliveries(db, { brandId })],
    [
      'a new publish',
      async (db, brandId) => {
        await setPublished(db, brandId, false);
        await setPublished(db, brandId, true);
      },
    ],
  ])('withdraws the version before it, and %s sends the product again', async (_name, change) => {
    const { rename, deliverAll, products, rows, accept, db, brandId, deliveries } = await useRejection();
    await rename('Bad oil');
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await rows()).toEqual([REFUSED]);
    accept();
    await change(db, brandId);
    await deliverAll();
    expect(await products()).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ state: 'live', reason: '' }]);
  });

  test('withdraws it also if the channel fails at first', async () => {
    const { rename, deliver, deliverAll, products, rows, setSwitches, makeDue } = await useRejection();
    await setSwitches({ fail_share: 1 });
    await rename('Bad oil');
    await deliver({ backoffMs: 60_000, maxBackoffMs: 600_000 });
    expect(await products()).toHaveLength(1);
    expect(await rows()).toMatchObject([{ ...REFUSED, resource: expect.any(String), next_attempt_at: expect.any(Date) }]);
    await setSwitches({ fail_share: 0 });
    await makeDue();
    await deliverAll();
    expect(await products()).toEqual([]);
    expect(await rows()).toEqual([REFUSED]);
  });

  test('withdraws a version whose answer was lost', async () => {
    const { rename, deliverAll, products, run } = await useRejection();
    await run('update deliveries set sent_revision = null');
    await rename('Bad oil');
    await deliverAll();
    expect(await products()).toEqual([]);
  });
});

describe('a connection', () => {
  test('that Google does not know is shown as refused with Google’s message, until it knows it', async () => {
    const { add, db, brandId, setSwitches, deliver, makeDue, deliverAll } = await useDelivery();
    const unknown = { kind: 'partner', account: null, client_id: '99', credentials: null } as const;
    await connectBrand(db, brandId, { ...unknown, countries: ['US'], language: 'en', registered_name: 'Acme' });
    await add('Olive oil');
    await deliver({ backoffMs: 60_000, maxBackoffMs: 60_000 });
    const refusal = 'The account is not linked with the client 99.';
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'refused', refusal });
    await setSwitches({ links: [{ account: '1000001', client_id: '99', brand: 'Acme' }] });
    await makeDue();
    await deliverAll();
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
  });

  test('whose key Google refuses is shown as refused, until the key is accepted; one without an answer is not', async () => {
    const encryptionKey = randomBytes(32);
    const delivery = await useDelivery({ encryptionKey });
    const { add, db, brandId, setSwitches, deliver, deliverAll, deliveries, makeDue, emulator, run } = delivery;
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const key = emulator.credentialsFor('2000002');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const token_uri = `http://127.0.0.1:${await freePort()}/token`;
    const encrypt = (file: object) => encryptCredentials(encryptionKey, brandId, JSON.stringify(file));
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials: encrypt({ ...key, token_uri }) });
    const use = async (file: object) => {
      await run('update channel_connections set credentials = $1 where kind = $2', [encrypt(file), 'own']);
      await makeDue();
    };
    await add('Olive oil');
    await deliver();
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
    await use({ ...key, private_key });
    await deliver();
    const refusal = expect.stringContaining('signature verification failed');
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'refused', refusal });
    expect(await deliveries()).toMatchObject([{ state: 'queued', attempts: 0 }]);
    await use(key);
    await deliverAll();
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
  });

  test('whose key is refused without a message is shown as refused, too', async () => {
    const encryptionKey = randomBytes(32);
    const { add, db, brandId, deliver, emulator } = await useDelivery({ encryptionKey });
    const proxy = createServer((_request, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
    onTestFinished(() => void proxy.close());
    await once(proxy, 'listening');
    const token_uri = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/token`;
    const file = JSON.stringify({ ...emulator.credentialsFor('2000002'), token_uri });
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    const credentials = encryptCredentials(encryptionKey, brandId, file);
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials });
    await add('Olive oil');
    await deliver();
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'refused', refusal: 'Google answered 403.' });
  });

  test('of an own account uses its own credentials, which are encrypted, and reaches no other account', async () => {
    const encryptionKey = randomBytes(32);
    const { add, db, brandId, setSwitches, deliverAll, products, emulator, run } = await useDelivery({ encryptionKey });
    await add('Olive oil');
    await deliverAll();
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const key = JSON.stringify(emulator.credentialsFor('2000002'));
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    const credentials = encryptCredentials(encryptionKey, brandId, key);
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials });
    await deliverAll();
    expect(await products()).toMatchObject([{ name: expect.stringMatching(/^accounts\/2000002\//) }]);
    const [stored] = await run(`select encode(credentials, 'escape') as text from channel_connections where kind = 'own'`);
    expect(stored.text).not.toContain('PRIVATE KEY');
    expect(await run(`select from audit_log where details::text like '%PRIVATE%'`)).toEqual([]);
    // Neither another brand id nor another key decrypts them.
    expect(() => decryptCredentials(encryptionKey, brandId + 1, credentials)).toThrow('CHANNEL_ENCRYPTION_KEY');
    expect(() => decryptCredentials(randomBytes(32), brandId, credentials)).toThrow('CHANNEL_ENCRYPTION_KEY');
  });

  test('is not refused because the previous one is no longer reachable', async () => {
    const encryptionKey = randomBytes(32);
    const { add, db, brandId, setSwitches, deliverAll, deliver, emulator, run } = await useDelivery({ encryptionKey });
    const keyOf = (account: string) => encryptCredentials(encryptionKey, brandId, JSON.stringify(emulator.credentialsFor(account)));
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    await connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials: keyOf('2000002') });
    await add('Olive oil');
    await deliverAll();
    await run('update channel_connections set credentials = $1 where kind = $2', [keyOf('2000003'), 'own']);
    await connect(db, setSwitches, brandId);
    await deliver({ backoffMs: 60_000, maxBackoffMs: 60_000 });
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'connected', refusal: '' });
  });

  test('that is replaced while the token is fetched sends nothing more, and the new one sends everything', async () => {
    const { add, db, brandId, channel, setSwitches, deliverAll, products, run } = await useDelivery();
    await add('Olive oil');
    const { open } = channel;
    let opened = 0;
    channel.open = async (connection) => {
      opened += 1;
      if (opened === 1) await connect(db, setSwitches, brandId, { countries: ['US', 'CA'], name: 'Acme Foods' });
      return open(connection);
    };
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { brand: 'Acme Foods', intendedCountry: ['US', 'CA'] } }]);
    const [current] = await run('select id from channel_connections where ended_at is null');
    expect(await run('select connection_id as id, countries from deliveries')).toEqual([
      { id: current?.id, countries: { US: 'approved', CA: 'approved' } },
    ]);
  });

  test('that a product was not sent through sends it again instead of checking it', async () => {
    const { add, db, brandId, setSwitches, deliverAll, makeDue, products, run } = await useDelivery();
    await add('Olive oil');
    await deliverAll();
    await connect(db, setSwitches, brandId, { countries: ['US', 'CA'], name: 'Acme Foods' });
    await run('update deliveries set sent_revision = revision');
    await makeDue();
    await deliverAll();
    expect(await products()).toMatchObject([{ body: { brand: 'Acme Foods', intendedCountry: ['US', 'CA'] } }]);
  });

  test('with new credentials of the same account withdraws with these, not with the previous ones', async () => {
    const encryptionKey = randomBytes(32);
    const delivery = await useDelivery({ encryptionKey });
    const { add, db, brandId, setSwitches, deliverAll, emulator, setPublished, products, run } = delivery;
    const keyOf = (account: string) => encryptCredentials(encryptionKey, brandId, JSON.stringify(emulator.credentialsFor(account)));
    await setSwitches({ links: [{ account: '2000002', client_id: '', brand: 'Acme' }] });
    const own = { kind: 'own', account: '2000002', client_id: null, countries: ['US'], language: 'en' } as const;
    const connectOwn = () => connectBrand(db, brandId, { ...own, registered_name: 'Acme', credentials: keyOf('2000002') });
    await connectOwn();
    await add('Olive oil');
    await deliverAll();
    // The previous key is no longer accepted.
    await run('update channel_connections set credentials = $1 where kind = $2', [keyOf('2000003'), 'own']);
    await connectOwn();
    await setPublished(false);
    await deliverAll();
    expect(await products()).toEqual([]);
  });

  test('that waits for its link sends nothing', async () => {
    const { add, db, brandId, deliver, products } = await useDelivery();
    const waiting = { kind: 'partner', account: null, client_id: null, credentials: null } as const;
    await connectBrand(db, brandId, { ...waiting, countries: ['US'], language: 'en', registered_name: 'Acme' });
    await add('Olive oil');
    expect(await deliver()).toBe(0);
    expect(await products()).toEqual([]);
    expect(await getConnection(db, brandId)).toMatchObject({ state: 'waiting' });
  });
});

test('the imported description, image and page are sent, with Google’s names of certifications', async () => {
  const { db, brandId, deliverAll, products, rename } = await useDelivery();
  const details = {
    description: 'Cold pressed',
    image_link: 'https://a.example/1.jpg',
    product_page_url: 'https://a.example/',
  };
  const [id = 0] = await addVariants(db, brandId, [{ gtin: toGtin(5), name: 'Lamp', details, published: true }]);
  await addCertificate(db, brandId, { code: '123456', certification: 'EPREL', status: 'validated' }, [id]);
  await deliverAll();
  const sent = {
    description: 'Cold pressed',
    imageLink: { imageUrl: details.image_link },
    productPageUrl: 'https://a.example/',
  };
  const certification = [{ name: 'EPREL', authority: 'EC', code: '123456' }];
  expect(await products()).toMatchObject([{ body: { ...sent, certification } }]);
  // A PUT replaces all attributes, so a change of one must send all.
  await rename('Bright lamp');
  await deliverAll();
  expect(await products()).toMatchObject([{ body: { ...sent, title: 'Bright lamp', certification } }]);
});
