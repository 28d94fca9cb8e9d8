import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

const MAX_MESSAGE_BYTES = 1024 * 1024;

interface Received {
  readonly sender: string;
  readonly recipients: string[];
  readonly raw: Buffer;
}

interface RunningSmtp {
  readonly port: number;
  stop(): Promise<void>;
}

/** A mail server on a free port of the loopback interface. */
export async function startSmtp(deliver: (message: Received) => Promise<void>, onError: (error: Error) => void): Promise<RunningSmtp> {
  const server = new SMTPServer({
    banner: 'Brand Portal mailbox',
    // Only this machine connects, so neither encryption nor authentication is needed.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAX_MESSAGE_BYTES,
    rejectOversized: true,
    maxClients: 20,
    socketTimeout: 30_000,
    closeTimeout: 500,
    onData: (stream, session, done) => {
      receive(stream, session)
        .then((message) => (stream.sizeExceeded ? undefined : deliver(message)))
        .then(
          () => done(),
          // The sender gets an error and retries.
          (error: Error) => {
            onError(error);
            done(Object.assign(new Error('The message could not be stored'), { responseCode: 451 }));
          },
        );
    },
  });
  server.on('error', onError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    // A message that is too large is read to its end, as the protocol requires, and discarded.
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk as Buffer);
  }
  const { mailFrom, rcptTo } = session.envelope;
  return {
    sender: mailFrom ? mailFrom.address : '',
    recipients: rcptTo.map(({ address }) => address),
    raw: Buffer.concat(chunks),
  };
}
