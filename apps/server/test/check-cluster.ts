import { listWorkers } from './databases.ts';

/** For `npm run test:distributed`: prints why it cannot start. */
const refuse = (sentence: string) => {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
};

const url = process.env.DATABASE_URL;
const workers = url ? await listWorkers(url).catch((error: Error) => error) : [];
if (workers instanceof Error) refuse(`The database that DATABASE_URL names cannot be reached: ${workers.message}.`);
else if (workers.length === 0) {
  refuse('Set DATABASE_URL to the coordinator of a Citus cluster with at least one worker (docs/OPERATIONS.md).');
}
