import type { Quotas } from '@brand-portal/contract/quotas';
import type { Db } from '../db/database.ts';
import type { Wait } from '../db/turns.ts';
import type { Attempt, ImportProgress, ImportRecord } from './imports.queries.ts';

/** How long an import waits for its brand's lock before it leaves its slot to the import of another brand. */
export const LOCK_WAIT: Wait = { waitMs: 1_000 };

/** An import that a server is working on. */
export interface ImportRun extends Attempt {
  readonly record: ImportRecord;
  readonly userId: number | null;
  /** Aborted when the import is cancelled, when another server has taken it over, and when this server stops. */
  readonly signal: AbortSignal;
  readonly progress: ImportProgress;
  readonly quotas: Quotas;
}

/** How a kind of import is carried out. Every step may be repeated by another server, until `apply` has committed. */
export interface Source {
  /** Stages its rows and stores what is known of them (`storeStaged`), in one transaction. */
  stage?(db: Db, run: ImportRun): Promise<void>;
  /** Changes the brand and ends the import with `finishImport`, in one transaction; or asks the member first. */
  apply(db: Db, run: ImportRun): Promise<void>;
}
