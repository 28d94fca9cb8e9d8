import { createServer } from 'node:net';
import { StartupError } from '../errors.ts';

/** Asked before anything is started, so that a second server ends at once and disturbs nothing. */
export async function checkPortIsFree({ host, port }: { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(`Port ${port} is already in use: stop the program that uses it, or set PORT to another.`);
  }
  if (error.code === 'EACCES') return new StartupError(`Port ${port} needs more rights than this user has: set PORT.`);
  return new StartupError(`The server cannot listen on ${host}, port ${port}: ${error.message}.`);
}
