import { type BrandDetail, deleteBrand, getBrandContents, type UpdateBrand, updateBrand } from '@brand-portal/contract/brands';
import { getNotifications, type Notifications, updateNotifications } from '@brand-portal/contract/members';
import { listQuotas, type Quota } from '@brand-portal/contract/quotas';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { noticesQuery } from '../account/account-queries.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** The editable fields. */
export type BrandFields = Pick<BrandDetail, 'name' | 'description' | 'website' | 'logo'>;
export const BRAND_FIELDS = ['name', 'description', 'website', 'logo'] as const;

/** The current values, if the error says that somebody else has changed the brand. */
export function readTheirs(error: unknown) {
  if (!(error instanceof ApiError) || error.code !== 'brand_changed') return undefined;
  const { name = '', description = '', website = '', logo = '', version } = error.context;
  return { values: { name, description, website, logo }, version: Number(version) };
}

/** The fields that both changed, to different values. */
export function bothChanged(changes: Partial<BrandFields>, base: BrandFields, theirs: BrandFields) {
  return BRAND_FIELDS.filter((field) => changes[field] !== undefined && theirs[field] !== base[field] && theirs[field] !== changes[field]);
}

interface BrandUpdate {
  changes: UpdateBrand;
  /** The values that the edit started from. */
  base: BrandFields;
}

/** If somebody else has changed other fields only, saves again on top of theirs. */
async function saveBrand(brandId: number, { changes, base }: BrandUpdate) {
  const save = (body: UpdateBrand) => callApi(updateBrand, { params: { brandId }, body });
  try {
    return await save(changes);
  } catch (error) {
    const theirs = readTheirs(error);
    if (!theirs || bothChanged(changes, base, theirs.values).length > 0) throw error;
    return save({ ...changes, version: theirs.version });
  }
}

export function useUpdateBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (update: BrandUpdate) => saveBrand(brandId, update),
    onSuccess: (brand) => {
      // The answer does not contain the member's role.
      if (brand) {
        queryClient.setQueryData(brandKeys.detail(brandId), (known?: BrandDetail) => ({ ...known, ...brand }));
      } else {
        void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId), exact: true });
      }
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
    },
    // Somebody else may have changed it.
    onError: () => queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId), exact: true }),
  });
}

/** What is deleted with the brand. */
export function brandContentsQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'contents'],
    queryFn: ({ signal }) => callApi(getBrandContents, { params: { brandId }, signal }),
    staleTime: 0,
  });
}

export function useDeleteBrand(brandId: number) {
  const queryClient = useQueryClient();
  const mutation = useSingleMutation({
    mutationFn: () => callApi(deleteBrand, { params: { brandId } }),
    // Also after a failure: perhaps only the answer was lost.
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      void queryClient.invalidateQueries({ queryKey: brandKeys.deleted() });
    },
  });
  /** Drops the brand's cached data, after its pages are closed. */
  const forget = () => queryClient.removeQueries({ queryKey: brandKeys.detail(brandId) });
  return { ...mutation, forget };
}

export function quotasQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'quotas'],
    queryFn: ({ signal }): Promise<{ results: Quota[] }> => callApi(listQuotas, { params: { brandId }, signal }),
    staleTime: 0,
  });
}

export function notificationsQuery(brandId: number) {
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'notifications'],
    queryFn: ({ signal }): Promise<Notifications> => callApi(getNotifications, { params: { brandId }, signal }),
  });
}

export function useUpdateNotifications(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    // One after the other: of two changes made quickly, the last one is stored.
    scope: { id: `notifications-${brandId}` },
    mutationFn: (body: Notifications) => callApi(updateNotifications, { params: { brandId }, body }),
    onSuccess: (answer, body) => {
      // The account's page shows the same value.
      void queryClient.invalidateQueries(noticesQuery());
      queryClient.setQueryData(notificationsQuery(brandId).queryKey, answer ?? body);
    },
    // Perhaps only the answer was lost.
    onError: () => queryClient.invalidateQueries(notificationsQuery(brandId)),
  });
}
