import * as endpoints from '@brand-portal/contract/account';
import { updateNotifications } from '@brand-portal/contract/members';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';
import { useAuthStore } from '../auth/auth-store.ts';
import { brandKeys } from '../brands/brands-queries.ts';

const accountKeys = {
  account: ['account'],
  sessions: ['account', 'sessions'],
  notices: ['account', 'notices'],
} as const;

export function accountQuery() {
  return queryOptions({
    queryKey: accountKeys.account,
    queryFn: ({ signal }) => callApi(endpoints.getAccount, { signal }),
  });
}

/** Sessions start and end on other devices: never served from the cache alone. */
export function sessionsQuery() {
  return queryOptions({
    queryKey: accountKeys.sessions,
    queryFn: ({ signal }) => callApi(endpoints.listSessions, { signal }),
    staleTime: 0,
  });
}

export function noticesQuery() {
  return queryOptions({
    queryKey: accountKeys.notices,
    queryFn: ({ signal }) => callApi(endpoints.listNotices, { signal }),
    // Changes with every brand that is joined, left, deleted or restored.
    staleTime: 0,
  });
}

/** The sidebar shows the new name at once. */
export function useUpdateAccount() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    // One after the other: of two languages chosen quickly, the last one is stored.
    scope: { id: 'account' },
    mutationFn: (body: endpoints.UpdateAccount) => callApi(endpoints.updateAccount, { body }),
    onSuccess: (account) => {
      if (!account) return queryClient.invalidateQueries({ queryKey: accountKeys.account, exact: true });
      queryClient.setQueryData(accountQuery().queryKey, account);
      const { user, setUser } = useAuthStore.getState();
      if (user) setUser({ ...user, first_name: account.first_name, last_name: account.last_name });
    },
  });
}

/** Ends one session, or all but this one. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: (sessionId: number | 'others') =>
      sessionId === 'others' ? callApi(endpoints.endOtherSessions) : callApi(endpoints.endSession, { params: { sessionId } }),
    // Also after a failure: the session may have ended by itself.
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
}

export function useUpdateNotice(brandId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    // One after the other: of two changes made quickly, the last one is stored.
    scope: { id: `notifications-${brandId}` },
    mutationFn: (certificate_mails: boolean) => callApi(updateNotifications, { params: { brandId }, body: { certificate_mails } }),
    // Also after a failure: perhaps only the answer was lost.
    onSettled: () => {
      // The brand's settings show the same value.
      void queryClient.invalidateQueries({ queryKey: [...brandKeys.detail(brandId), 'notifications'] });
      return queryClient.invalidateQueries({ queryKey: accountKeys.notices });
    },
  });
}

export function useMailPasswordLink() {
  return useSingleMutation({ mutationFn: () => callApi(endpoints.mailPasswordLink) });
}

export function useDeleteAccount() {
  return useSingleMutation({ mutationFn: (email: string) => callApi(endpoints.deleteAccount, { body: { email } }) });
}
