import { runServer } from './start.ts';

/** The server without stand-ins: everything must be configured. `npm start` runs apps/embedded/src/main.ts, which adds the rest. */
await runServer();
