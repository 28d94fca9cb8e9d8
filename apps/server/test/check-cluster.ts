import { listWorkers } from './databases.ts';

/** For `npm run test:distributed`: tells in one sentence why it cannot begin. */
const url = process.env.DATABASE_URL;
const workers = url ? await listWorkers(url).catch((error: Error) => error) : [];
if (workers instanceof Error) {
  console.error(`The database that DATABASE_URL names cannot be reached: ${workers.message}.`);
  process.exitCode = 1;
} else if (workers.length === 0) {
  console.error(
    'Set DATABASE_URL to the coordinator of a Citus cluster with at least one worker (docs/OPERATIONS.md).',
  );
  process.exitCode = 1;
}
