import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

interface Address {
  host: string;
  port: number;
}

/** A TCP proxy that can break, delay and restore the connections between two processes. */
export class TcpProxy {
  readonly port: number;
  /** Added latency in milliseconds, in each direction. */
  delay = 0;
  #server: Server;
  #targets: readonly Address[];
  #connections = new Set<Socket>();
  #isCut = false;
  #turn = 0;

  private constructor(server: Server, targets: readonly Address[], port: number) {
    this.#server = server;
    this.#targets = targets;
    this.port = port;
    server.on('connection', (socket) => void this.#join(socket));
  }

  /** Several targets are used in turn; unreachable ones are skipped. */
  static start(...targets: Address[]): Promise<TcpProxy> {
    const server = createServer();
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(new TcpProxy(server, targets, typeof address === 'object' && address ? address.port : 0));
      });
    });
  }

  /** Breaks all connections, and new ones too, until `restore`. */
  cut(): void {
    this.#isCut = true;
    this.breakConnections();
  }

  restore(): void {
    this.#isCut = false;
  }

  breakConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #join(near: Socket): Promise<void> {
    near.on('error', () => {});
    const far = this.#isCut ? undefined : await this.#reach();
    // It may have been cut while connecting.
    if (!far || near.destroyed || this.#isCut) {
      near.destroy();
      far?.destroy();
      return;
    }
    this.#pass(near, far);
    this.#pass(far, near);
  }

  async #reach(): Promise<Socket | undefined> {
    this.#turn = (this.#turn + 1) % this.#targets.length;
    for (const target of [...this.#targets.slice(this.#turn), ...this.#targets.slice(0, this.#turn)]) {
      const socket = await open(target);
      if (socket) return socket;
    }
    return undefined;
  }

  #pass(from: Socket, to: Socket): void {
    this.#connections.add(from);
    from.on('error', () => {});
    from.on('close', () => {
      this.#connections.delete(from);
      to.destroy();
    });
    from.on('end', () => to.end());
    let sent = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      if (this.delay === 0) {
        to.write(chunk);
        return;
      }
      // In order: later chunks must not overtake.
      sent = sent.then(() => wait(this.delay)).then(() => void to.write(chunk));
    });
  }
}

function open({ host, port }: Address): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
