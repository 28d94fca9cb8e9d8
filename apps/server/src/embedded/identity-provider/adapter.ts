import { createHash } from 'node:crypto';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '../../db/database.ts';
import {
  consumeRecord,
  deleteRecord,
  deleteRecordsOfGrant,
  findRecord,
  findRecordByUid,
  upsertRecord,
} from './adapter.queries.ts';

/**
 * How long a refresh token that was just replaced still works. Tabs of one browser refresh together with the same
 * token; without this the slower ones would look like thieves and sign the person out everywhere. Auth0's rotation
 * has the same overlap.
 */
const REFRESH_REUSE_LEEWAY_SECONDS = 30;

/** Whoever holds the id of one of these is let in, so only its hash is kept: a copy of the table opens nothing. */
const BEARER_MODELS = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

/** Where the protocol library keeps its sessions, grants and tokens: one table for all of them. */
export function createAdapterFactory(db: Db): AdapterFactory {
  return (model) => createAdapter(db, model);
}

function createAdapter(db: Db, model: string): Adapter {
  const leeway = model === 'RefreshToken' ? REFRESH_REUSE_LEEWAY_SECONDS : 0;
  const isBearer = BEARER_MODELS.has(model);
  const keyOf = (id: string) => (isBearer ? createHash('sha256').update(id).digest('base64url') : id);

  return {
    async upsert(id, payload, expiresIn) {
      await upsertRecord(db, {
        model,
        id: keyOf(id),
        payload: isBearer ? { ...payload, jti: undefined } : payload,
        expiresIn,
      });
    },

    async find(id) {
      // A form may name any client, also one that PostgreSQL cannot spell.
      if (id.includes('\0')) return undefined;
      const record = await findRecord(db, model, keyOf(id), leeway);
      return record && toPayload(record, isBearer ? id : undefined);
    },

    async findByUid(uid) {
      const record = await findRecordByUid(db, model, uid);
      return record && toPayload(record);
    },

    // Codes typed by people belong to the device flow, which is off.
    async findByUserCode() {
      return undefined;
    },

    async consume(id) {
      const first = await consumeRecord(db, model, keyOf(id), leeway);
      if (!first) throw new errors.InvalidGrant('it was used already');
    },

    async destroy(id) {
      await deleteRecord(db, model, keyOf(id));
    },

    async revokeByGrantId(grantId) {
      await deleteRecordsOfGrant(db, model, grantId);
    },
  };
}

function toPayload(record: { payload: AdapterPayload; consumed: boolean }, jti?: string): AdapterPayload {
  return { ...record.payload, ...(jti && { jti }), ...(record.consumed && { consumed: true }) };
}
