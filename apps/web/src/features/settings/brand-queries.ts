import {
  type BrandDetail,
  deleteBrand,
  getBrandContents,
  type UpdateBrand,
  updateBrand,
} from '@brand-portal/contract/brands';
import { getNotifications, type Notifications, updateNotifications } from '@brand-portal/contract/members';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';

/** The editable fields. */
export type BrandFields = Pick<BrandDetail, 'name' | 'description' | 'website' | 'logo'>;

export function useUpdateBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (changes: UpdateBrand) => callApi(updateBrand, { params: { brandId }, body: changes }),
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
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      void queryClient.invalidateQueries({ queryKey: brandKeys.deleted() });
    },
  });
  /** Drops the brand's cached data, after its pages are closed. */
  const forget = () => queryClient.removeQueries({ queryKey: brandKeys.detail(brandId) });
  return { ...mutation, forget };
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
    mutationFn: (body: Notifications) => callApi(updateNotifications, { params: { brandId }, body }),
    onSuccess: (answer, body) => queryClient.setQueryData(notificationsQuery(brandId).queryKey, answer ?? body),
  });
}
