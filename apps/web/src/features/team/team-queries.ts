import { type KeysOfMember, removeMember, resendInvitation, updateMember } from '@brand-portal/contract/members';
import type { Role } from '@brand-portal/contract/roles';
import { createInvitationLink, type InvitePeople, invitePeople, listTeam, type TeamMember } from '@brand-portal/contract/team';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { refreshAfter } from '../../lib/refresh-after.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { brandKeys } from '../brands/brands-queries.ts';
import { type TeamView, toTeamQuery } from './team-view.ts';

export interface TeamList {
  results: TeamMember[];
  count: number;
  view: TeamView;
}

export function teamQuery(brandId: number, view: TeamView) {
  const query = toTeamQuery(view);
  return queryOptions({
    queryKey: [...brandKeys.detail(brandId), 'team', query],
    // Includes the view it answers: the list may be shown while another view is loading.
    queryFn: async ({ signal }): Promise<TeamList> => ({
      ...(await callApi(listTeam, { params: { brandId }, query, signal })),
      view,
    }),
    placeholderData: keepPreviousData,
    // Other members change the team too.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      // Polls until the mail is sent: only then the expiry of its link is known.
      refreshAfter(state, ({ results }) => results.some((member) => member.state === 'invited' && member.expires_at === null)),
  });
}

/** Refetches members, counts and the user's own role, also after a failure. */
function useRefreshTeam(brandId: number) {
  const queryClient = useQueryClient();
  return () => {
    void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
    void queryClient.invalidateQueries({ queryKey: brandKeys.detail(brandId) });
  };
}

export function useInvitePeople(brandId: number) {
  return useSingleMutation({
    mutationFn: (body: InvitePeople) => callApi(invitePeople, { params: { brandId }, body }),
    onSettled: useRefreshTeam(brandId),
  });
}

export function useChangeRole(brandId: number) {
  return useSingleMutation({
    mutationFn: ({ memberId, role, keys }: { memberId: number; role: Role; keys: KeysOfMember }) =>
      callApi(updateMember, { params: { brandId, memberId }, query: { keys }, body: { role } }),
    onSettled: useRefreshTeam(brandId),
  });
}

/** Also cancels an invitation. Whoever is gone already is removed: perhaps only the answer of the last try was lost. */
export function useRemoveMember(brandId: number) {
  return useSingleMutation({
    mutationFn: ({ memberId, keys }: { memberId: number; keys: KeysOfMember }) =>
      callApi(removeMember, { params: { brandId, memberId }, query: { keys } }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== 'user_not_found') throw error;
      }),
    onSettled: useRefreshTeam(brandId),
  });
}

export function useResendInvitation(brandId: number) {
  return useMutation({
    mutationFn: (memberId: number) => callApi(resendInvitation, { params: { brandId, memberId } }),
    onSettled: useRefreshTeam(brandId),
  });
}

export function useInvitationLink(brandId: number) {
  return useSingleMutation({
    mutationFn: (memberId: number) => callApi(createInvitationLink, { params: { brandId, memberId } }),
    onSettled: useRefreshTeam(brandId),
  });
}
