import {
  getVerificationStatus,
  type SetupPassword,
  setupPassword,
  type VerificationStatus,
  verifyEmail,
} from '@brand-portal/contract/onboarding';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';

/** Tokens, passwords and other people's data are gone from memory with the page that needed them. */
const gcTime = 0;

const VERIFY = ['onboarding', 'verify'];
const SET_UP = ['onboarding', 'set-up'];

export function verificationStatusQuery(token: string) {
  return queryOptions({
    queryKey: ['onboarding', 'status', token],
    queryFn: ({ signal }) => callApi(getVerificationStatus, { query: { token }, signal }),
    gcTime,
  });
}

export function useVerifyEmail(token: string) {
  const queryClient = useQueryClient();
  const { queryKey } = verificationStatusQuery(token);
  const { mutate, ...mutation } = useMutation({
    mutationKey: VERIFY,
    mutationFn: () => callApi(verifyEmail, { body: { token } }),
    gcTime,
    onSuccess: (answer) => {
      // By a link that was handed over: the mail goes on from here.
      if (answer?.mailed) return;
      // Should reading the status again fail, the member goes on all the same.
      queryClient.setQueryData<VerificationStatus>(queryKey, (status) => status && { ...status, verified: true });
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  // `isPending` arrives a moment after the click, too late for the second half of a double click.
  const verify = () => {
    if (queryClient.isMutating({ mutationKey: VERIFY }) === 0) mutate();
  };
  return { ...mutation, verify };
}

export type NewAccount = Omit<SetupPassword, 'token'>;

export function useSetupPassword(token: string, onDone: () => void) {
  const queryClient = useQueryClient();
  const { queryKey } = verificationStatusQuery(token);
  const { mutate, ...mutation } = useMutation({
    mutationKey: SET_UP,
    mutationFn: (account: NewAccount) => callApi(setupPassword, { body: { token, ...account } }),
    gcTime,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'email_not_verified') return;
      // Both pages then know it: this one leads to the other, the other offers to verify.
      queryClient.setQueryData<VerificationStatus>(queryKey, (status) => status && { ...status, verified: false });
    },
  });
  const setUp = (account: NewAccount) => {
    const isSent = mutation.isSuccess || queryClient.isMutating({ mutationKey: SET_UP }) > 0;
    if (!isSent) mutate(account, { onSuccess: onDone });
  };
  return { ...mutation, setUp };
}

/** A token that cannot be one, such as one of a thousand characters, fails the contract's validation. */
export function isInvalidToken(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'invitation_invalid' || (error.code === 'validation_failed' && 'token' in error.fields);
}
