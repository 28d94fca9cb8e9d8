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
  /** The shape of the loaded content, for its placeholder. */
  shape: 'details' | 'form';
  children: (token: string, status: VerificationStatus) => ReactNode;
}

/** Loads the invitation in the URL, and renders the children with it; until then a placeholder or an error. */
export function Invitation({ shape, children }: InvitationProps) {
  const { t } = useTranslation();
  const [searchParams] = useSearchParams();
  const token = searchParams.get('token')?.trim();
  return (
    <>
      {/* The URL contains a secret token: it must not be sent to anybody as referrer, nor end up in our server's logs. */}
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
  // Before the error: after a failed refetch, the cached status is still good enough.
  if (status) return children(token, status);
  if (!error) return <LoadingInvitation shape={shape} />;
  return <VerificationError message={t('onboarding.check_failed')} hint={errorMessage(error, t)} onRetry={() => void refetch()} />;
}

/** The URL of an onboarding page with this token. */
export function pageWithToken(page: string, token: string): string {
  return `${page}?${new URLSearchParams({ token })}`;
}
