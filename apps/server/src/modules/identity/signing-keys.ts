import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import {
  deleteSigningKeysReplacedBefore,
  insertFirstSigningKey,
  insertSigningKey,
  listSigningKeys,
  type NewSigningKey,
  type SigningKeyRow,
} from './signing-keys.queries.ts';

const REREAD_AFTER_MS = 60_000;
/** Longer than any process goes without rereading, so that all know a key before the first token is signed with it. */
const ACTIVE_AFTER_MS = 2 * REREAD_AFTER_MS;
const KEEP_REPLACED_MS = 24 * 60 * 60 * 1000;

export interface SigningKeys {
  /** The key that signs now. */
  current(): Promise<SigningKeyRow>;
  find(id: string): Promise<SigningKeyRow | undefined>;
}

/** The keys of the database, reread each minute, so that every server process follows a rotation by itself. */
export function createSigningKeys(db: Db): SigningKeys {
  let keys: SigningKeyRow[] = [];
  let readAt = 0;

  async function read(): Promise<SigningKeyRow[]> {
    if (keys.length > 0 && Date.now() - readAt < REREAD_AFTER_MS) return keys;
    keys = await listSigningKeys(db);
    if (keys.length === 0) {
      await insertFirstSigningKey(db, newKey(new Date()));
      keys = await listSigningKeys(db);
    }
    readAt = Date.now();
    return keys;
  }

  return {
    current: async () => {
      const known = await read();
      const now = new Date();
      const key = known.find(({ active_from }) => active_from <= now) ?? known.at(-1);
      if (!key) throw new Error('There is no signing key');
      return key;
    },
    find: async (id) => (await read()).find((key) => key.id === id),
  };
}

/** Signs with a new key from soon on. Nobody is signed out: what the old key signed is valid until it expires. */
export async function rotateSigningKey(db: Db): Promise<void> {
  await insertSigningKey(db, newKey(new Date(Date.now() + ACTIVE_AFTER_MS)));
  await deleteSigningKeysReplacedBefore(db, new Date(Date.now() - KEEP_REPLACED_MS));
}

function newKey(activeFrom: Date): NewSigningKey {
  return { id: randomUUID(), secret: randomBytes(32), active_from: activeFrom };
}
