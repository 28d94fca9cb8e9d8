import { runServer } from '@brand-portal/server/entry/start.ts';
import { embedded } from './stand-ins.ts';

/** What `npm start` runs: the server with stand-ins for services that are not configured. */
await runServer(embedded);
