import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { Db } from '../src/db/database.ts';
import { SOURCES } from '../src/entry/tasks.ts';
import { type ActionKind, type ActionRequest, acceptAction } from '../src/imports/actions.ts';
import { runNextImport } from '../src/imports/import-job.ts';
import { findImportRecord } from '../src/imports/imports.queries.ts';
import { readConfig } from '../src/lib/config.ts';
import { AppError } from '../src/lib/errors.ts';

const SILENT = { follow: () => () => {}, close: async () => {} };

/** Carries out an action on variants as its job does, and returns its outcome. */
export async function act(
  db: Db,
  { brandId, userId }: { readonly brandId: number; readonly userId: number },
  kind: ActionKind,
  request?: ActionRequest,
) {
  const key = await acceptAction(db, { brandId, userId, language: 'en' }, kind, request);
  const { quotas } = readConfig({});
  const deps = { db, quotas, notices: SILENT, sources: SOURCES, logger: pino({ level: 'silent' }) };
  for (;;) {
    const record = await findImportRecord(db, key);
    if (record?.state === 'done') return record.outcome;
    if (record?.failure?.code === 'refused') throw new AppError(record.failure.params.code, record.failure.params.detail);
    // The worker of the test's server may take it at the same time.
    if (record?.state === 'waiting') await runNextImport(deps, brandId, 'act').catch(unlessTakenOver);
    else if (record?.state === 'running') await sleep(10);
    else throw new Error(`The action is ${record?.state}`);
  }
}

function unlessTakenOver(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('taken over'))) throw error;
}
