import { refusalOfStatus } from '@brand-portal/contract/brand-status';
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
import { acceptInvitation, declineInvitation, type KeysOfMember, leaveBrand, listOwnInvitations } from '@brand-portal/contract/members';
import { fullName } from '@brand-portal/contract/people';
import { ROLES, roleIncludes } from '@brand-portal/contract/roles';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callApi } from '../../lib/api-client.ts';
import { deniedReason, statusMessage } from '../../lib/api-error.ts';
import { readRuntimeConfig } from '../../lib/runtime-config.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';

/** Hierarchical: everything of one brand is below its detail key, so that one call can invalidate all of it. */
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

export function brandQuery(brandId: number) {
  return queryOptions({
    queryKey: brandKeys.detail(brandId),
    queryFn: ({ signal }): Promise<BrandAnswer> => callApi(getBrand, { params: { brandId }, signal }),
  });
}

/** One brand; until it is loaded, or if that fails, the entry of the brand list. */
export function useBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useQuery({
    ...brandQuery(brandId),
    initialData: () => queryClient.getQueryData(brandListQuery().queryKey)?.results.find(({ id }) => id === brandId),
    // The entry of the list is always considered stale, so the brand itself is fetched.
    initialDataUpdatedAt: 0,
  });
}

/** For a write that failed: somebody else may have changed the brand, or only the answer was lost. */
export function useRefreshBrand(brandId: number) {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
}

/** `body`: as far as the answer depends on it. */
export type DeniedReason = (
  endpoint: Pick<Endpoint, 'access'> & Partial<Pick<Endpoint, 'method' | 'inInactive' | 'publishes'>>,
  body?: object,
) => string | undefined;

/**
 * Why the member may not make a call, by their role or the brand's status, with the text of the server's refusal.
 * Undefined if they may, and while the brand is not known: the server decides anyway.
 */
export function useDeniedReason(brandId: number): DeniedReason {
  const { t } = useTranslation();
  const { data: brand } = useBrand(brandId);
  return ({ access, method = 'POST', ...of }, body) => {
    const role = ROLES.find((known) => known === brand?.role);
    const required = ROLES.find((known) => known === access);
    if (role && required && !roleIncludes(role, required))
      return deniedReason({ role, required, ask: brand?.owner ? fullName(brand.owner) : undefined }, t);
    const refusal = brand && refusalOfStatus({ method, ...of }, brand.status, body);
    return refusal && statusMessage(refusal, readRuntimeConfig().support_email, t);
  };
}

/** `onDone` also runs after the component that started it is unmounted. */
export function useOptInForTrial(brandId: number, onDone: () => void) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => callApi(optInForTrial, { params: { brandId } }),
    onSuccess: () => {
      // Updates the cache at once; the invalidations below refetch the rest.
      queryClient.setQueryData(brandQuery(brandId).queryKey, (brand) => brand && { ...brand, opted_in_for_trial: true });
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
      onDone();
    },
  });
}

export function ownInvitationsQuery() {
  return queryOptions({
    queryKey: brandKeys.invitations(),
    queryFn: ({ signal }) => callApi(listOwnInvitations, { signal }),
  });
}

/** Refetches invitations and brands also after a failure: the invitation may have been withdrawn, or answered in another tab. */
export function useAnswerInvitation(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (answer: 'accept' | 'decline') =>
      callApi(answer === 'accept' ? acceptInvitation : declineInvitation, { params: { brandId } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      // A cached 404 from before the membership must go.
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

/** Refetches both lists also after a failure: another owner may have restored it first. */
export function useRestoreBrand(brandId: number) {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: () => callApi(restoreBrand, { params: { brandId } }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
      // A cached 404 from before the restore must go.
      void queryClient.resetQueries({ queryKey: brandKeys.detail(brandId) });
      return queryClient.invalidateQueries({ queryKey: brandKeys.deleted() });
    },
  });
}

export function useLeaveBrand(brandId: number) {
  const queryClient = useQueryClient();
  const refreshList = () => queryClient.invalidateQueries({ queryKey: brandKeys.list() });
  const mutation = useSingleMutation({
    mutationFn: (keys: KeysOfMember) => callApi(leaveBrand, { params: { brandId }, query: { keys } }),
    onSuccess: refreshList,
    // Perhaps only the answer was lost.
    onError: () => void refreshList(),
  });
  /** Drops the brand's cached data, after its pages are closed. */
  const forget = () => queryClient.removeQueries({ queryKey: brandKeys.detail(brandId) });
  return { ...mutation, forget };
}
