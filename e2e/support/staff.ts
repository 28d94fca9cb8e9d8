import { databaseUrl, withConnection } from './probe.ts';
import type { ServerProcess } from './server.ts';

/** Makes a member platform staff during `work`. With SQL: the operator's command takes longer than some journeys. */
export async function asStaff(server: ServerProcess, email: string, work: () => Promise<void>): Promise<void> {
  const set = (isStaff: boolean) =>
    withConnection(databaseUrl(server.dataDir), (client) =>
      client.query('update users set is_staff = $1 where email = $2', [isStaff, email]),
    );
  await set(true);
  try {
    await work();
  } finally {
    await set(false);
  }
}
