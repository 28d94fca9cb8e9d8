import type { VerificationStatus } from '@brand-portal/contract/onboarding';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { LoadingInvitation } from './loading-invitation.tsx';
import { InvalidToken, VerificationError } from './onboarding-errors.tsx';
import { isInvalidToken, verificationStatusQuery } from './onboarding-queries.ts';

interface InvitationProps {
  /** Of what is shown in the end. */
  shape: 'details' | 'form';
  children: (token: string, status: VerificationStatus) => ReactNode;
}

/** The invitation that the address names, once the server knows it; until then, or otherwise, what there is to say. */
export function Invitation({ shape, children }: InvitationProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const token = searchParams.get('token')?.trim();
  return (
    <>
      {/* The address is as good as a key: it goes to nobody, not even into our own server's logs. */}
      <meta name="referrer" content="no-referrer" />
      {token ? (
        <CheckedInvitation key={token} token={token} shape={shape}>
          {children}
        </CheckedInvitation>
      ) : (
        <VerificationError message={t('onboarding.no_token')} hint={t('onboarding.no_token_hint')} />
      )}
    </>
  );
}

function CheckedInvitation({ token, shape, children }: InvitationProps & { token: string }) {
  const { t } = useTranslation();
  const { data: status, error, refetch } = useQuery(verificationStatusQuery(token));

  if (isInvalidToken(error)) return <InvalidToken />;
  // Before the error: one that was read and could not be read again is still good to go on with.
  if (status) return children(token, status);
  if (!error) return <LoadingInvitation shape={shape} />;
  return (
    <VerificationError
      message={t('onboarding.check_failed')}
      hint={errorMessage(error, t)}
      onRetry={() => void refetch()}
    />
  );
}

/** Where a page of the onboarding is for the holder of this token. */
export function pageWithToken(page: string, token: string): string {
  return `${page}?${new URLSearchParams({ token })}`;
}
