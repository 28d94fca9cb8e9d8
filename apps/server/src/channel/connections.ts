import type { ChannelConnection } from '@brand-portal/contract/channel';
import { audit } from '../audit/audit.ts';
import type { Db } from '../db/database.ts';
import { invalidFields } from '../lib/errors.ts';
import { type BrandState, inAnyBrand, inBrand, JOB_WAIT, OPERATOR_WAIT } from '../writes/brand-lock.ts';
import { setNextExpiry } from '../writes/certificates.ts';
import { endConnection, forgetConnection, outdateAllDeliveries, SWEEP_SECONDS } from '../writes/deliveries.ts';
import { type BrandByBrand, setDueWork, workBrandByBrand } from '../writes/due-work.ts';
import {
  type Connection,
  type ConnectionSettings,
  deleteEmptyConnections,
  insertConnection,
  listConnections,
} from './connections.queries.ts';

/** The connection to send products through. Undefined if there is none that Google accepts products from. */
export function usableConnection(connections: readonly Connection[]): Connection | undefined {
  return connections.find(({ ended, kind, client_id }) => !ended && (kind === 'own' || client_id !== null));
}

/** The prefix of product ids at Google, which recommends the client id for data partners. The ids of the brand and the variant follow. */
export function productIdPrefix(connection: Pick<Connection, 'client_id'> | undefined): string {
  return connection?.client_id ? `${connection.client_id}:` : '';
}

/** For members: the connection without its secrets. */
export async function getConnection(db: Db, brandId: number): Promise<ChannelConnection> {
  const current = (await listConnections(db, brandId)).find(({ ended }) => !ended);
  if (!current) {
    const nothing = {
      kind: null,
      account: null,
      client_id: null,
      countries: [],
      language: null,
      registered_name: null,
    };
    return { state: 'not_connected', ...nothing, refusal: '' };
  }
  const { kind, account, client_id, countries, language, registered_name, refusal } = current;
  const state = usableConnection([current]) ? (refusal === '' ? 'connected' : 'refused') : 'waiting';
  return { state, kind, account, client_id, countries: [...countries], language, registered_name, refusal };
}

/** Replaces the previous connection. Products are withdrawn there first; published variants are sent through the new one. */
export function connectBrand(db: Db, brandId: number, settings: ConnectionSettings): Promise<void> {
  checkSettings(settings);
  const connect = async (db: Db) => {
    await endConnection(db, brandId);
    await insertConnection(db, brandId, settings);
    await outdateAllDeliveries(db, brandId);
    // The countries determine when the next certificate expires.
    await setNextExpiry(db, brandId);
    const { credentials: _, ...details } = settings;
    await audit(db, { brandId, userId: null, action: 'channel.connected', details });
  };
  return inBrand(db, brandId, connect, OPERATOR_WAIT);
}

/** Products are withdrawn from the channel; published variants wait for a new connection. */
export function disconnectBrand(db: Db, brandId: number): Promise<boolean> {
  const disconnect = async (db: Db) => {
    const hadConnection = await endConnection(db, brandId);
    if (!hadConnection) return false;
    await outdateAllDeliveries(db, brandId);
    await setNextExpiry(db, brandId);
    await audit(db, { brandId, userId: null, action: 'channel.disconnected', details: {} });
    return true;
  };
  return inBrand(db, brandId, disconnect, OPERATOR_WAIT);
}

/**
 * For a client id that only a stand-in knows: what was sent under it is not withdrawn, because the account that is configured now never got
 * it. Returns whether there was such a connection.
 */
export function forgetClient(db: Db, brandId: number, client: Pick<Connection, 'client_id' | 'registered_name'>): Promise<boolean> {
  const forget = async (db: Db, state: BrandState) => {
    const forgotten = (await listConnections(db, brandId)).filter(
      ({ client_id, registered_name }) => client_id === client.client_id && registered_name === client.registered_name,
    );
    for (const { id } of forgotten) await forgetConnection(db, brandId, id);
    if (state !== 'missing' && forgotten.some(({ ended }) => !ended)) {
      await setNextExpiry(db, brandId);
      await audit(db, { brandId, userId: null, action: 'channel.disconnected', details: {} });
    }
    return forgotten.length > 0;
  };
  // Also for a deleted brand, whose products may still wait to be withdrawn.
  return inAnyBrand(db, brandId, forget, OPERATOR_WAIT);
}

/** Deletes former connections after all products are withdrawn. */
export async function sweepConnections(db: Db, options?: BrandByBrand): Promise<void> {
  const sweep = async (db: Db, brandId: number) => {
    const left = await deleteEmptyConnections(db, brandId);
    const next = left > 0 ? new Date(Date.now() + SWEEP_SECONDS * 1000) : undefined;
    await setDueWork(db, brandId, 'end_connections', next);
    return left;
  };
  const step = (brandId: number) => inAnyBrand(db, brandId, (db) => sweep(db, brandId), JOB_WAIT);
  await workBrandByBrand(db, 'end_connections', step, options);
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const isCountry = (code: string) => /^[A-Z]{2}$/.test(code) && COUNTRIES.of(code) !== undefined;
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const isLanguage = (code: string) => /^[a-z]{2}$/.test(code) && LANGUAGES.of(code) !== undefined;

const MAX_COUNTRIES = 50;

function checkSettings({ countries, language, client_id, account, registered_name }: ConnectionSettings): void {
  const unknown = countries.filter((code) => !isCountry(code));
  if (countries.length === 0 || unknown.length > 0) {
    throw invalidFields({ countries: `must be country codes such as DE, but has ${unknown.join(', ') || 'none'}` });
  }
  if (countries.length > MAX_COUNTRIES) throw invalidFields({ countries: `must be at most ${MAX_COUNTRIES}` });
  if (registered_name.trim() === '' || registered_name.length > 200) {
    throw invalidFields({ registered_name: 'must have 1 to 200 characters' });
  }
  if (new Set(countries).size < countries.length) throw invalidFields({ countries: 'must not name a country twice' });
  if (!isLanguage(language)) throw invalidFields({ language: 'must be a language code such as de' });
  if (client_id !== null && !/^[A-Za-z0-9_-]{1,20}$/.test(client_id)) {
    throw invalidFields({ client_id: 'must be the client id of the link, up to 20 letters and digits' });
  }
  if (account !== null && !/^\d{1,20}$/.test(account)) {
    throw invalidFields({ account: 'must be the number of a Manufacturer Center account' });
  }
}
