import { createChannelEmulator, PARTNER_ACCOUNT } from '@brand-portal/embedded/channel-emulator/channel-emulator.ts';
import fastify from 'fastify';
import type pg from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';

import { addCertificate, addVariants, changeVariants, setPublished } from '../../../test/catalogue.ts';
import { freePort } from '../../../test/free-port.ts';
import { createTestBrand } from '../../../test/people.ts';
import { type TestDatabase, useTestDatabase } from '../../../test/test-database.ts';
import { reviewCertificate } from '../../catalog/certificates/reviews.ts';
import { checkDigit } from '../../catalog/fields/gtin.ts';
import type { Db } from '../../db/database.ts';
import { useErrorHandler } from '../../http/error-handler.ts';
import type { Channel } from '../channel.ts';
import { connectBrand } from '../connections.ts';
import { createDeliveries, DELIVERY_SETTINGS, type DeliveryDependencies, type DeliverySettings } from '../delivery.ts';
import { createGoogleChannel, type GoogleChannelOptions } from '../google-channel.ts';

export const silent = pino({ level: 'silent' });

/** The production settings with shorter delays. */
export const QUICK: DeliverySettings = {
  ...DELIVERY_SETTINGS,
  leaseMs: 1_500,
  backoffMs: 20,
  maxBackoffMs: 200,
};

/** The emulator on a real port, with the real client. */
export async function useEmulator(database: TestDatabase, options: Partial<GoogleChannelOptions> = {}) {
  const serverUrl = `http://127.0.0.1:${await freePort()}`;
  const emulator = await createChannelEmulator({ db: database.db, serverUrl });
  const app = fastify();
  useErrorHandler(app);
  await emulator.register(app);
  await app.listen({ port: Number(new URL(serverUrl).port), host: '127.0.0.1' });
  onTestFinished(async () => {
    app.server.closeAllConnections();
    await app.close();
  });
  const setSwitches = async (switches: object) => {
    const url = `${emulator.apiUrl}/switches`;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(switches) });
    if (!answer.ok) throw new Error(await answer.text());
  };
  await setSwitches({ processing_ms: 0, keep_calls: true });
  const channel = createGoogleChannel({
    apiUrl: emulator.apiUrl,
    account: emulator.account,
    credentials: emulator.credentials,
    firstCheckMs: 10,
    deadlineMs: 500,
    callsPer100Seconds: 100_000_000,
    ...options,
  });
  return { emulator, channel, setSwitches };
}

/** A brand, the emulator, and helpers for both. */
export async function useDelivery(options: Partial<GoogleChannelOptions> = {}) {
  const database = await useTestDatabase();
  const { db, pool } = database;
  const { channel, setSwitches, emulator } = await useEmulator(database, options);
  const brandId = await createTestBrand(db, 'Acme');
  await connect(db, setSwitches, brandId);
  const run = async (statement: string, values: unknown[] = []) => (await pool.query(statement, values)).rows;
  return {
    db,
    pool,
    database,
    channel,
    emulator,
    setSwitches,
    brandId,
    run,
    deliver: (settings: Partial<DeliverySettings> = {}, now?: () => Date) => deliver(db, channel, settings, now),
    deliverAll: (settings: Partial<DeliverySettings> = {}) => deliverAll(database, channel, settings),
    add: async (name: string, { published = true, gtin = toGtin(nextItem()) } = {}): Promise<number> => {
      const [id = 0] = await addVariants(db, brandId, [{ gtin, name, category: 'Food', published }]);
      return id;
    },
    certify: (
      variantId: number,
      code: string,
      status: 'validated' | 'pending' | 'invalid' = 'validated',
      expiresOn: string | null = null,
    ): Promise<number> => addCertificate(db, brandId, { code, status, expiresOn }, [variantId]),
    /** The operator rejects the certificate. */
    reject: (code: string) =>
      reviewCertificate(db, { brandId, certification: 'FSC', externalId: code }, { verdict: 'rejected', note: 'No' }),
    rename: (name: string, ids?: readonly number[]) => changeVariants(db, brandId, { name }, ids),
    setPublished: (published: boolean, ids?: readonly number[]) => setPublished(db, brandId, published, ids),
    /** Makes all deliveries due now. */
    makeDue: () => makeDue(pool),
    deliveries: () => run('select variant_id, state, reason, attempts, sent_at, judged_at from deliveries order by variant_id'),
    products: () => run('select name, body from embedded.channel_emulator_resources order by name'),
    calls: () => run('select method, name, status from embedded.channel_emulator_calls order by id'),
  };
}

/** Connects the brand as a client of the installation's account, which the emulator knows. */
export async function connect(
  db: Db,
  setSwitches: (switches: object) => Promise<void>,
  brandId: number,
  { countries = ['US'], client_id = '77', name = 'Acme' } = {},
): Promise<void> {
  await setSwitches({ links: [{ account: PARTNER_ACCOUNT, client_id, brand: name }] });
  const settings = { kind: 'partner', account: null, language: 'en', credentials: null } as const;
  await connectBrand(db, brandId, { ...settings, client_id, countries, registered_name: name });
}

async function makeDue(pool: pg.Pool): Promise<void> {
  await pool.query(`
    update deliveries set next_attempt_at = now();
    insert into due_work (brand_id, kind, due_at) select distinct brand_id, 'deliver', now() from deliveries
      on conflict (brand_id, kind) do update set due_at = excluded.due_at`);
}

/** Delivers what is due now, and returns the number of calls. */
export async function deliverDue(deps: DeliveryDependencies): Promise<number> {
  const deliveries = createDeliveries(deps);
  await deliveries.start();
  return deliveries.idle();
}

export function deliver(db: Db, channel: Channel, settings: Partial<DeliverySettings> = {}, now?: () => Date) {
  return deliverDue({ db, channel, logger: silent, settings: { ...QUICK, ...settings }, now });
}

/** Delivers until nothing is pending. */
export async function deliverAll(
  { db, pool }: Pick<TestDatabase, 'db' | 'pool'>,
  channel: Channel,
  settings: Partial<DeliverySettings> = {},
): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until) {
    await deliver(db, channel, settings);
    const { rows } = await pool.query(
      `select from deliveries where state in ('sent', 'removing') or (state = 'queued' or sent_revision is null) and next_attempt_at is not null limit 1`,
    );
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('Deliveries are still pending after 30 seconds');
}

let items = 0;
function nextItem(): number {
  items += 1;
  return items;
}

export function toGtin(item: number): string {
  const digits = `614141${String(item).padStart(6, '0')}`;
  return `${digits}${checkDigit(`0${digits}`)}`;
}

export const manyPublished = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ gtin: toGtin(1_000 + n), name: `Thing ${n}`, published: true }));

export const nameOf = (brandId: number, variantId: number) => `accounts/1000001/products/US:en:77:${brandId}-${variantId}`;
export const PLACE = { connectionId: 1, resourcePrefix: '' };
