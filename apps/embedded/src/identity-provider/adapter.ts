import { createHash } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { consumeRecord, deleteRecords, findRecord, upsertRecord } from './adapter.queries.ts';

/**
 * How long a replaced refresh token still works. Tabs of one browser may refresh with the same token at the same time. Without this, the
 * slower ones would look like a stolen token and sign the user out everywhere. Auth0's rotation has the same overlap.
 */
const REFRESH_REUSE_LEEWAY_SECONDS = 30;

/**
 * The storage of the protocol library: sessions, unfinished sign-ins, grants and tokens, in one table. Most of their ids are credentials (a
 * cookie, a link or a token), so ids are not stored: the key of a record is the hash of its id. A stolen copy of the table gives no access,
 * not even together with the keys that sign the cookies.
 */
export function createAdapterFactory(db: Db): AdapterFactory {
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      await upsertRecord(db, { model, id: recordKey(id), payload: withoutIds(payload, id), expiresIn });
    },

    async find(id) {
      const record = await findRecord(db, model, 'id', recordKey(id));
      return record && withIds(record, id);
    },

    // Used only to check whether a session exists, never to change it, so its id is not needed.
    async findByUid(uid) {
      return (await findRecord(db, model, 'uid', uid))?.payload;
    },

    // User codes belong to the device flow, which is off.
    async findByUserCode() {
      return undefined;
    },

    async consume(id) {
      const leeway = model === 'RefreshToken' ? REFRESH_REUSE_LEEWAY_SECONDS : 0;
      const first = await consumeRecord(db, model, recordKey(id), leeway);
      if (!first) throw new errors.InvalidGrant('it was used already');
    },

    destroy: (id) => deleteRecords(db, model, 'id', recordKey(id)),
    revokeByGrantId: (grantId) => deleteRecords(db, model, 'grant_id', grantId),
  });
}

/** The key of a record. Ids are long and random, so one round of SHA-256 is enough. */
function recordKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** An unfinished sign-in also contains its id at the end of its return URL, and the id of the previous session. */
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
