import { createHash } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
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

/**
 * Where the protocol library keeps its sessions, sign-ins under way, grants and tokens: one table for all of them. Most of their
 * ids let in whoever holds them, as a cookie, a link or a token. So none is stored: a record lies under the hash of its id, and a
 * copy of the table opens nothing, not even with the keys that sign the cookies.
 */
export function createAdapterFactory(db: Db): AdapterFactory {
  return (model) => createAdapter(db, model);
}

function createAdapter(db: Db, model: string): Adapter {
  const leeway = model === 'RefreshToken' ? REFRESH_REUSE_LEEWAY_SECONDS : 0;

  return {
    async upsert(id, payload, expiresIn) {
      await upsertRecord(db, { model, id: recordKey(id), payload: withoutIds(payload, id), expiresIn });
    },

    async find(id) {
      const record = await findRecord(db, model, recordKey(id), leeway);
      return record && withIds(record, id);
    },

    // Asked for whether a session goes on, never in order to change it: its id stays unknown.
    async findByUid(uid) {
      return (await findRecordByUid(db, model, uid))?.payload;
    },

    // Codes typed by people belong to the device flow, which is off.
    async findByUserCode() {
      return undefined;
    },

    async consume(id) {
      const first = await consumeRecord(db, model, recordKey(id), leeway);
      if (!first) throw new errors.InvalidGrant('it was used already');
    },

    async destroy(id) {
      await deleteRecord(db, model, recordKey(id));
    },

    async revokeByGrantId(grantId) {
      await deleteRecordsOfGrant(db, model, grantId);
    },
  };
}

/** Where a record lies. Ids are long and random: one round of SHA-256 hides them. */
export function recordKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** A sign-in under way also has its id at the end of the address to go on at, and the id of the session that was there before. */
function withoutIds(payload: AdapterPayload, id: string): AdapterPayload {
  const { jti: _jti, returnTo, session, ...rest } = payload;
  const { cookie: _cookie, ...sessionWithoutId } = session ?? {};
  return {
    ...rest,
    ...(returnTo && { returnTo: returnTo.slice(0, -id.length) }),
    ...(session && { session: sessionWithoutId as typeof session }),
  };
}

function withIds({ payload, consumed }: { payload: AdapterPayload; consumed: boolean }, id: string): AdapterPayload {
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(returnTo && { returnTo: returnTo + id }), ...(consumed && { consumed: true }) };
}
