import { type CreateApiKey, createApiKey, listApiKeys, type NewApiKey, revokeApiKey } from '@brand-portal/contract/api-keys';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';

export function apiKeysQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'api-keys'],
    queryFn: ({ signal }) => callApi(listApiKeys, { params: { brandId }, signal }),
  });
}

/** The secret is only in this answer. It is not cached: only the dialog keeps it. */
export function useCreateApiKey(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (body: CreateApiKey): Promise<NewApiKey | undefined> => callApi(createApiKey, { params: { brandId }, body }),
    gcTime: 0,
    // Also after a failure: if only the answer was lost, the list shows the key, to be revoked.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: apiKeysQuery(brandId).queryKey }),
  });
}

export function useRevokeApiKey(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (keyId: number) => callApi(revokeApiKey, { params: { brandId, keyId } }),
    // Also after a failure: somebody else may have revoked it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(brandId).queryKey }),
  });
}
