import { runServer } from './start.ts';

/** The server alone, where everything is configured. `npm start` runs apps/embedded/src/main.ts, which brings what is not. */
await runServer();
