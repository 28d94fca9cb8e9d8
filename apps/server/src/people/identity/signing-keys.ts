import { randomBytes, randomUUID } from 'node:crypto';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import {
  deleteReplacedSigningKeys,
  deleteSigningKeys,
  insertFirstSigningKey,
  insertSigningKey,
  listSigningKeys,
  type NewSigningKey,
  type SigningKeyRow,
} from './signing-keys.queries.ts';

const REREAD_AFTER_MS = 60_000;
/** Longer than the reload interval, so that every process knows a key before it is used to sign. */
const ACTIVE_AFTER_MS = 2 * REREAD_AFTER_MS;
const KEEP_OLD_KEYS_MS = 24 * 60 * 60 * 1000;

export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKeyRow>;
  find(id: string): Promise<SigningKeyRow | undefined>;
}

/** The keys of the database, reloaded every minute, so that every server follows a rotation. */
export function createSigningKeys(db: Db): SigningKeys {
  let keys: SigningKeyRow[] = [];
  // A monotonic clock: setting the system time back must not delay a reload.
  let readAt = 0;

  async function read(): Promise<SigningKeyRow[]> {
    if (keys.length > 0 && performance.now() - readAt < REREAD_AFTER_MS) return keys;
    keys = await listSigningKeys(db);
    if (keys.length === 0) {
      await insertFirstSigningKey(db, newKey());
      keys = await listSigningKeys(db);
    }
    readAt = performance.now();
    return keys;
  }

  return {
    current: async () => {
      const known = await read();
      const key = known.find(({ is_active }) => is_active) ?? known.at(-1);
      if (!key) throw new Error('There is no signing key');
      return key;
    },
    find: async (id) => (await read()).find((key) => key.id === id),
  };
}

/** A new key starts to sign soon. Nobody is signed out: tokens of the old key stay valid until they expire. */
export function rotateSigningKey(db: Db): Promise<void> {
  return inTransaction(db, async (db) => {
    await insertSigningKey(db, newKey(), ACTIVE_AFTER_MS);
    await deleteReplacedSigningKeys(db, KEEP_OLD_KEYS_MS);
    await audit(db, { brandId: null, userId: null, action: 'keys.rotated' });
  });
}

/** For a stolen key: deletes all keys. Servers then create a new one and reject everything that the old ones signed. */
export function revokeSigningKeys(db: Db): Promise<void> {
  return inTransaction(db, async (db) => {
    await deleteSigningKeys(db);
    await audit(db, { brandId: null, userId: null, action: 'keys.revoked' });
  });
}

function newKey(): NewSigningKey {
  return { id: randomUUID(), secret: randomBytes(32) };
}
