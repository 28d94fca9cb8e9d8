import type { Db } from '../db/database.ts';
import { type Channel, type ChannelSession, ChannelUnavailable } from './channel.ts';
import { type Connection, listConnections, updateRefusal } from './connections.queries.ts';
import { usableConnection } from './connections.ts';
import type { Delivery } from './deliveries.queries.ts';

/** The connections of a brand to the channel. */
export interface BrandRoute {
  readonly brandId: number;
  readonly channel: Channel;
  /** The connection that products are sent through now. Undefined: none. */
  readonly current: Connection | undefined;
  /** Opens the connection that the resource was sent through. */
  open(connectionId: number): Promise<{ connection: Connection; session: ChannelSession }>;
}

export async function findRoute(db: Db, channel: Channel, brandId: number): Promise<BrandRoute> {
  const connections = await listConnections(db, brandId);
  const sessions = new Map<number, Promise<ChannelSession>>();
  const open = async (id: number) => {
    const connection = connections.find((known) => known.id === id);
    if (!connection) throw new Error(`Brand ${brandId} has no connection ${id}.`);
    const session = sessions.get(id) ?? channel.open(connection);
    sessions.set(id, session);
    return { connection, session: await session };
  };
  return { brandId, channel, current: usableConnection(connections), open };
}

interface Attempt {
  readonly delivery: Pick<Delivery, 'connection_id'>;
  readonly outcome: { readonly kind: string };
  readonly error?: unknown;
}

/** Stores whether Google accepts products through the connection. Members and the operator see its message until it does. */
export async function storeRefusal(db: Db, { brand_id, id, refusal }: Connection, attempts: readonly Attempt[]): Promise<void> {
  // Failures while withdrawing from a former connection say nothing about this one.
  const own = attempts.filter(({ delivery }) => delivery.connection_id === id);
  const refusals = own.flatMap(({ error }) => (error instanceof ChannelUnavailable && error.isConnectionError ? [error] : []));
  const isAccepted = own.some(({ outcome }) => outcome.kind === 'sent' || outcome.kind === 'judged');
  const message = refusals[0]?.message ?? (isAccepted ? '' : refusal);
  if (message !== refusal) await updateRefusal(db, brand_id, id, message);
}
