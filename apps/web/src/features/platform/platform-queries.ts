import { type CreateBrand, createBrand } from '@brand-portal/contract/brands';
import type { Language } from '@brand-portal/contract/constants';
import {
  addBrandOwner,
  deleteJob,
  listFailedDeliveries,
  listFailedImports,
  listJobs,
  listPlatformBrands,
  listPlatformRegistries,
  type PlatformBrandQuery,
  retryFailedDelivery,
  retryJob,
  rollBackPlatformRegistry,
  updatePlatformBrand,
} from '@brand-portal/contract/platform';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { isRefusal } from '../../lib/retry.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';

const platformKey = ['platform'] as const;

// Other staff and jobs change these lists: never fresh, so each visit refetches.
export const platformBrandsQuery = (query: PlatformBrandQuery & { page: number; page_size: number }) =>
  queryOptions({
    queryKey: [...platformKey, 'brands', query],
    // Includes the view it answers: the list may be shown while another one is loading.
    queryFn: async ({ signal }) => ({
      ...(await callApi(listPlatformBrands, { query, signal })),
      view: { page: query.page, pageSize: query.page_size, search: query.search },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Jobs change these while they are looked at. */
const POLLED = {
  staleTime: 0,
  refetchInterval: ({ state: { error } }: { state: { error: Error | null } }) => (isRefusal(error) ? false : 10_000),
} as const;

export const failedDeliveriesQuery = () =>
  queryOptions({
    queryKey: [...platformKey, 'deliveries'],
    queryFn: ({ signal }) => callApi(listFailedDeliveries, { signal }),
    ...POLLED,
  });

/** The server translates the reasons: the language is part of the key. */
export const failedImportsQuery = (language: Language) =>
  queryOptions({
    queryKey: [...platformKey, 'imports', language],
    queryFn: ({ signal }) => callApi(listFailedImports, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const registriesQuery = () =>
  queryOptions({
    queryKey: [...platformKey, 'registries'],
    queryFn: ({ signal }) => callApi(listPlatformRegistries, { signal }),
    staleTime: 0,
  });

/**
 * The server checks all certificates of the registry for it, which is slow: fetched once per dialog, and not
 * invalidated with the lists.
 */
export const rollBackPreviewQuery = (certification: string) =>
  queryOptions({
    queryKey: ['platform-rollback', certification],
    queryFn: ({ signal }) => callApi(rollBackPlatformRegistry, { body: { certification, preview: true }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const jobsQuery = () =>
  queryOptions({
    queryKey: [...platformKey, 'jobs'],
    queryFn: ({ signal }) => callApi(listJobs, { signal }),
    ...POLLED,
  });

/** Called even if the row that started it has disappeared from the list meanwhile. */
interface Result {
  onSuccess: () => void;
  onError: (error: unknown) => void;
}

/** Refetches the lists also after a failure: somebody else may have been faster. */
function usePlatformMutation<Input>(mutationFn: (input: Input) => Promise<unknown>, result?: Result) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn,
    ...result,
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      return queryClient.invalidateQueries({ queryKey: platformKey });
    },
  });
}

export const useCreateBrand = () => usePlatformMutation((body: CreateBrand) => callApi(createBrand, { body }));

export const useBrandStatus = () =>
  usePlatformMutation(({ brandId, status }: { brandId: number; status: CreateBrand['status'] & string }) =>
    callApi(updatePlatformBrand, { params: { brandId }, body: { status } }),
  );

export const useAddOwner = () =>
  usePlatformMutation(({ brandId, email }: { brandId: number; email: string }) =>
    callApi(addBrandOwner, { params: { brandId }, body: { email } }),
  );

export const useRetryDelivery = (result: Result) =>
  usePlatformMutation((body: { brand_id: number; variant_id: number }) => callApi(retryFailedDelivery, { body }), result);

export const useRollBack = (result: Result) =>
  usePlatformMutation((certification: string) => callApi(rollBackPlatformRegistry, { body: { certification, preview: false } }), result);

export const useRetryJob = (id: string, result: Result) =>
  usePlatformMutation(() => callApi(retryJob, { params: { jobId: Number(id) } }), result);

export const useDeleteJob = (id: string, result: Result) =>
  usePlatformMutation(() => callApi(deleteJob, { params: { jobId: Number(id) } }), result);
