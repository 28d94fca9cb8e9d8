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
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { SHORT_FRESHNESS_MS } from '../../lib/query-client.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';

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

/** Why published variants wait. Undefined: they are sent, or nothing is known of the connection. */
export function whyWaiting(state: ConnectionState | undefined): Exclude<ConnectionState, 'connected'> | undefined {
  return state === 'connected' ? undefined : state;
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
