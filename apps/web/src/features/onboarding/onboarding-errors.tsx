import { PAGES } from '@brand-portal/contract/pages';
import { RotateCw, TriangleAlert, Unlink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { OnboardingScreen } from './onboarding-screen.tsx';

interface VerificationErrorProps {
  message: string;
  /** The reason, or what to do. */
  hint: string;
  onRetry?: () => void;
}

export function VerificationError({ message, hint, onRetry }: VerificationErrorProps) {
  const { t } = useTranslation();
  return (
    <OnboardingScreen icon={TriangleAlert} tone="error" title={t('onboarding.error_title')}>
      <Message text={message} hint={hint} />
      <div className="mt-6 flex flex-col gap-2 sm:flex-row">
        {onRetry && (
          <Button variant="primary" onClick={onRetry} icon={<RotateCw className="size-4" />}>
            {t('ui.retry')}
          </Button>
        )}
        <GoToLogin />
      </div>
    </OnboardingScreen>
  );
}

export function InvalidToken() {
  const { t } = useTranslation();
  return (
    <OnboardingScreen icon={Unlink} tone="error" title={t('onboarding.invalid_title')}>
      <Message text={t('errors.invitation_invalid')} hint={t('onboarding.invalid_hint')} />
      <div className="mt-6 flex flex-col sm:flex-row">
        <GoToLogin />
      </div>
    </OnboardingScreen>
  );
}

/** Announced when it appears; the title is read when it gets the focus. */
function Message({ text, hint }: { text: string; hint: string }) {
  return (
    <div role="alert" className="mt-1">
      <p className="text-pretty">{text}</p>
      <p className="mt-2 text-pretty text-text-secondary">{hint}</p>
    </div>
  );
}

function GoToLogin() {
  const { t } = useTranslation();
  return (
    <Button asChild>
      <Link to={PAGES.login}>{t('onboarding.go_to_login')}</Link>
    </Button>
  );
}
