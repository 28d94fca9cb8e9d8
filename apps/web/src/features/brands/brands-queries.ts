import {
  type BrandAnswer,
  type BrandListAnswer,
  getBrand,
  listBrands,
  optInForTrial,
} from '@brand-portal/contract/brands';
import { acceptInvitation, declineInvitation, leaveBrand, listOwnInvitations } from '@brand-portal/contract/members';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';

/** From the whole to the part: what belongs to one brand hangs below its detail. */
export const brandKeys = {
  all: ['brands'] as const,
  list: () => [...brandKeys.all, 'list'] as const,
  invitations: () => [...brandKeys.all, 'invitations'] as const,
  detail: (brandId: number) => [...brandKeys.all, 'detail', brandId] as const,
};

export function brandListQuery() {
  return queryOptions({
    queryKey: brandKeys.list(),
    queryFn: ({ signal }): Promise<BrandListAnswer> => callApi(listBrands, { signal }),
  });
}

function brandQuery(brandId: number) {
  return queryOptions({
    queryKey: brandKeys.detail(brandId),
    queryFn: ({ signal }): Promise<BrandAnswer> => callApi(getBrand, { params: { brandId }, signal }),
  });
}

/** One brand; until it is here, and should it never come, as the list has it. */
export function useBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useQuery({
    ...brandQuery(brandId),
    initialData: () => queryClient.getQueryData(brandListQuery().queryKey)?.results.find(({ id }) => id === brandId),
    // However fresh the list is, the brand itself is asked for.
    initialDataUpdatedAt: 0,
  });
}

export function useOptInForTrial(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(optInForTrial, { params: { brandId } }),
    onSuccess: () => {
      // Shown at once, while the calls below make sure of the rest.
      queryClient.setQueryData(
        brandQuery(brandId).queryKey,
        (brand) => brand && { ...brand, opted_in_for_trial: true },
      );
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
    },
  });
}

export function ownInvitationsQuery() {
  return queryOptions({
    queryKey: brandKeys.invitations(),
    queryFn: ({ signal }) => callApi(listOwnInvitations, { signal }),
  });
}

/** Whatever came of it, invitations and brands are read again: it may have been withdrawn, or answered in another tab. */
export function useAnswerInvitation(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answer: 'accept' | 'decline') =>
      callApi(answer === 'accept' ? acceptInvitation : declineInvitation, { params: { brandId } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      // It may have been looked for before, and not found.
      void queryClient.resetQueries({ queryKey: brandKeys.detail(brandId) });
      return queryClient.invalidateQueries({ queryKey: brandKeys.invitations() });
    },
  });
}

export function useLeaveBrand(brandId: number) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: () => callApi(leaveBrand, { params: { brandId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: brandKeys.list() }),
  });
  /** Nothing of the brand is kept, once its pages are left. */
  const forget = () => queryClient.removeQueries({ queryKey: brandKeys.detail(brandId) });
  return { ...mutation, forget };
}
