import {
  type BrandAnswer,
  type BrandListAnswer,
  getBrand,
  listBrands,
  listDeletedBrands,
  optInForTrial,
  restoreBrand,
} from '@brand-portal/contract/brands';
import type { Endpoint } from '@brand-portal/contract/endpoint';
import { acceptInvitation, declineInvitation, leaveBrand, listOwnInvitations } from '@brand-portal/contract/members';
import { fullName } from '@brand-portal/contract/people';
import { ROLES, roleIncludes } from '@brand-portal/contract/roles';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../lib/api-client.ts';
import { deniedReason } from '../../lib/api-error.ts';

/** From the whole to the part: what belongs to one brand hangs below its detail. */
export const brandKeys = {
  all: ['brands'] as const,
  list: () => [...brandKeys.all, 'list'] as const,
  invitations: () => [...brandKeys.all, 'invitations'] as const,
  deleted: () => [...brandKeys.all, 'deleted'] as const,
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

export type DeniedReason = (endpoint: Pick<Endpoint, 'access'>) => string | undefined;

/**
 * Why the member may not make a call, in the words of the refusal that it would get. Undefined where they may, and while their role is not known:
 * the server decides anyway.
 */
export function useDeniedReason(brandId: number): DeniedReason {
  const { t } = useTranslation();
  const { data: brand } = useBrand(brandId);
  return ({ access }) => {
    const role = ROLES.find((known) => known === brand?.role);
    const required = ROLES.find((known) => known === access);
    if (!role || !required || roleIncludes(role, required)) return undefined;
    return deniedReason({ role, required, ask: brand?.owner ? fullName(brand.owner) : undefined }, t);
  };
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

export function deletedBrandsQuery() {
  return queryOptions({
    queryKey: brandKeys.deleted(),
    queryFn: ({ signal }) => callApi(listDeletedBrands, { signal }),
  });
}

/** Whatever came of it, both lists are read again: another owner may have been faster. */
export function useRestoreBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(restoreBrand, { params: { brandId } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      // It may have been looked for before, and not found.
      void queryClient.resetQueries({ queryKey: brandKeys.detail(brandId) });
      return queryClient.invalidateQueries({ queryKey: brandKeys.deleted() });
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
