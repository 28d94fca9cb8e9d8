import type { ImportState } from '@brand-portal/contract/import';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../db/database.ts';
import type { Condition } from '../db/fragments.ts';
import type { Schema } from '../db/schema.ts';
import { notify } from '../db/statements.ts';
import type { ImportKey } from './staging.queries.ts';

interface Transition {
  readonly from: readonly ImportState[];
  readonly to: ImportState;
}

/**
 * All ways in which the state of an import changes, each with who causes it. `moveImport` is the only statement that changes it, and the
 * constraint `imports_transition_check` refuses any other pair.
 */
export const TRANSITIONS = {
  /** A server begins to work on it. */
  begin: { from: ['waiting'], to: 'running' },
  /** A server that stops, or that finds the brand busy, leaves it to the next one. */
  hand_over: { from: ['running'], to: 'waiting' },
  /** The server has applied it, in the same transaction. */
  finish: { from: ['running'], to: 'done' },
  /** The server has planned it, or it would do something else than its preview said: a member decides. */
  ask: { from: ['running'], to: 'checked' },
  /** The server cannot finish it. */
  fail: { from: ['waiting', 'running'], to: 'failed' },
  /** A member ends it, before anything is changed. */
  cancel: { from: ['waiting', 'running'], to: 'cancelled' },
  /** A member ends a check, makes a new one, or lets it expire. */
  discard: { from: ['waiting', 'running', 'checked'], to: 'discarded' },
  /** A member confirms it. */
  confirm: { from: ['checked'], to: 'waiting' },
  /** An undo has reverted it, in the same transaction. */
  undo: { from: ['done'], to: 'undone' },
} as const satisfies Record<string, Transition>;

type TransitionName = keyof typeof TRANSITIONS;

/** The notice of a change of an import's state. */
export const importNotice = ({ brandId, importId }: ImportKey) => `import ${brandId} ${importId}`;

export type ImportValues = UpdateObject<Schema, 'imports'>;

interface MoveOptions {
  /** Only of this attempt. */
  readonly attempt?: number | undefined;
  /** A further condition. */
  readonly where?: Condition;
  readonly set?: ImportValues;
}

/** Changes the state of an import. False if it is not in a state from which it can, or belongs to another attempt. Wakes those who wait. */
export async function moveImport(
  db: Db,
  key: ImportKey,
  name: TransitionName,
  { attempt, where = sql<boolean>`true`, set = {} }: MoveOptions = {},
): Promise<boolean> {
  const { from, to } = TRANSITIONS[name];
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set({ stage: null, ...set, former_state: sql`state`, state: to, heartbeat_at: sql`now()` })
    .where(sql<boolean>`brand_id = ${key.brandId} and id = ${key.importId}`)
    .where('state', 'in', from)
    .where(where)
    .where(attempt === undefined ? sql<boolean>`true` : sql<boolean>`attempt = ${attempt}`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await notify(db, importNotice(key));
  return numUpdatedRows > 0n;
}
