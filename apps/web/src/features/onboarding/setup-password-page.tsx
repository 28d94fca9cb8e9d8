import type { VerificationStatus } from '@brand-portal/contract/onboarding';
import { ACCOUNT_CREATED, PAGES } from '@brand-portal/contract/pages';
import { KeyRound, MailWarning } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { Invitation, pageWithToken } from './invitation.tsx';
import { InvalidToken } from './onboarding-errors.tsx';
import { isInvalidToken, type NewAccount, useSetupPassword } from './onboarding-queries.ts';
import { OnboardingScreen } from './onboarding-screen.tsx';
import { SetupPasswordForm } from './setup-password-form.tsx';

export function SetupPasswordPage() {
  return <Invitation shape="form">{(token, status) => <SetupPassword token={token} status={status} />}</Invitation>;
}

function SetupPassword({ token, status }: { token: string; status: VerificationStatus }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { mutate, isPending, isSuccess, error } = useSetupPassword(token);
  const setUp = (account: NewAccount) =>
    mutate(account, {
      onSuccess: () => void navigate(ACCOUNT_CREATED, { replace: true, state: { email: status.member.email } }),
    });

  if (isInvalidToken(error)) return <InvalidToken />;
  if (!status.verified) return <VerifyFirst token={token} />;
  return (
    <OnboardingScreen icon={KeyRound} title={t('onboarding.setup.title')} isWide>
      <p className="mt-1 text-pretty text-text-secondary">{t('onboarding.setup.description')}</p>
      {/* Busy until the sign-in page is shown: its code may have to be loaded first. */}
      <SetupPasswordForm member={status.member} isBusy={isPending || isSuccess} failure={error} onSubmit={setUp} />
    </OnboardingScreen>
  );
}

function VerifyFirst({ token }: { token: string }) {
  const { t } = useTranslation();
  return (
    <OnboardingScreen icon={MailWarning} title={t('onboarding.unverified.title')}>
      <p role="alert" className="mt-1 text-pretty text-text-secondary">
        {t('onboarding.unverified.description')}
      </p>
      <Button asChild variant="primary" className="mt-6 w-full">
        <Link to={pageWithToken(PAGES.verifyEmail, token)} replace>
          {t('onboarding.unverified.action')}
        </Link>
      </Button>
    </OnboardingScreen>
  );
}
