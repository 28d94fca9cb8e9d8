import {
  getVerificationStatus,
  type SetupPassword,
  setupPassword,
  type VerificationStatus,
  verifyEmail,
} from '@brand-portal/contract/onboarding';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useSingleMutation } from '../../lib/use-single-mutation.ts';

/** Tokens, passwords and personal data are not cached after the page is closed. */
const gcTime = 0;

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
  return useSingleMutation({
    mutationFn: () => callApi(verifyEmail, { body: { token } }),
    gcTime,
    onSuccess: (answer) => {
      // The link was handed over by a person, not mailed: the server has now sent a mail, and the flow continues from
      // there.
      if (answer?.mailed) return;
      // If the refetch of the status fails, the user can still continue.
      queryClient.setQueryData<VerificationStatus>(queryKey, (status) => status && { ...status, verified: true });
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

export type NewAccount = Omit<SetupPassword, 'token'>;

export function useSetupPassword(token: string) {
  const queryClient = useQueryClient();
  const { queryKey } = verificationStatusQuery(token);
  return useSingleMutation({
    mutationFn: (account: NewAccount) => callApi(setupPassword, { body: { token, ...account } }),
    gcTime,
    onError: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'email_not_verified') return;
      // Both pages share this status: this one redirects to the other, which offers to verify.
      queryClient.setQueryData<VerificationStatus>(queryKey, (status) => status && { ...status, verified: false });
    },
  });
}

/** A malformed token, such as one of a thousand characters, fails the contract's validation. */
export function isInvalidToken(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'invitation_invalid' || (error.code === 'validation_failed' && 'token' in error.fields);
}
