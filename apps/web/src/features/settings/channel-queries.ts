import type { BrandStatus } from '@brand-portal/contract/brand-status';
import {
  type ChannelConnection,
  type ChannelFeed,
  type ConnectionState,
  createChannelFeed,
  getChannelConnection,
  getChannelFeed,
  type NewChannelFeed,
  revokeChannelFeed,
} from '@brand-portal/contract/channel';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { SHORT_FRESHNESS_MS } from '../../lib/query-client.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys, useBrand } from '../brands/brands-queries.ts';

const channelKeys = {
  connection: (brandId: number) => [...brandKeys.detail(brandId), 'channel'] as const,
  feed: (brandId: number) => [...brandKeys.detail(brandId), 'channel', 'feed'] as const,
};

export function connectionQuery(brandId: number) {
  return queryOptions({
    queryKey: channelKeys.connection(brandId),
    queryFn: ({ signal }): Promise<ChannelConnection> => callApi(getChannelConnection, { params: { brandId }, signal }),
    // The operator and Google change it as well, and the list beside it shows at once what was sent then.
    staleTime: SHORT_FRESHNESS_MS,
    refetchInterval: ({ state }) => refreshAfter(state, (connection) => connection.state !== 'connected'),
  });
}

export type Waiting = 'inactive' | Exclude<ConnectionState, 'connected'>;

/**
 * Why published variants wait. Undefined: they are sent, or nothing is known of the brand and its connection. What a brand has published
 * is sent while it is pending, too.
 */
export function whyWaiting(status: BrandStatus | undefined, connection: ConnectionState | undefined): Waiting | undefined {
  if (status === 'inactive') return 'inactive';
  return connection === 'connected' ? undefined : connection;
}

export function useWhyWaiting(brandId: number, enabled = true): Waiting | undefined {
  const { data: brand } = useBrand(brandId);
  const { data: connection } = useQuery({ ...connectionQuery(brandId), enabled, retry: false });
  return whyWaiting(brand?.status, connection?.state);
}

export function feedQuery(brandId: number) {
  return queryOptions({
    queryKey: channelKeys.feed(brandId),
    queryFn: ({ signal }): Promise<ChannelFeed> => callApi(getChannelFeed, { params: { brandId }, signal }),
  });
}

/** The feed's URLs are only in this answer. They are not cached: only the page keeps them. */
export function useCreateFeed(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (): Promise<NewChannelFeed | undefined> => callApi(createChannelFeed, { params: { brandId } }),
    gcTime: 0,
    // Also after a failure: perhaps only the answer was lost.
    onSettled: () => queryClient.invalidateQueries({ queryKey: channelKeys.feed(brandId) }),
  });
}

export function useRevokeFeed(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => callApi(revokeChannelFeed, { params: { brandId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: channelKeys.feed(brandId) }),
  });
}
