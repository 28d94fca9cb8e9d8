import { runServer } from '@brand-portal/server/start.ts';
import { embedded } from './stand-ins.ts';

/** The server with a stand-in for whatever is not configured: what `npm start` runs. */
await runServer(embedded);
