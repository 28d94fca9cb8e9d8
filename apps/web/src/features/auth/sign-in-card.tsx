import { LogIn } from 'lucide-react';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { SignInFailure } from './auth-store.ts';

interface SignInButtonProps {
  isSigningIn?: boolean;
  onSignIn?: () => void;
  buttonRef?: RefObject<HTMLButtonElement | null>;
}

interface SignInCardProps extends SignInButtonProps {
  failure?: SignInFailure | null;
}

/** The markup of the sign-in page, shared by the app and the prerendered HTML. */
export function SignInCard({ failure, ...button }: SignInCardProps) {
  const { t } = useTranslation();
  return (
    <Card className="w-full max-w-sm p-6">
      <img src="/favicon.svg" alt="" width={40} height={40} className="mb-5 size-10" />
      <h1 className="text-balance font-semibold text-title">{t('auth.sign_in.title')}</h1>
      <p className="mt-1 text-balance text-text-secondary">{t('auth.sign_in.subtitle')}</p>
      {failure && (
        <Alert tone="error" className="mt-5">
          {failure === 'sign_in_incomplete' ? t('auth.sign_in.incomplete') : t(`errors.${failure}`)}
        </Alert>
      )}
      <SignInButton {...button} />
    </Card>
  );
}

export function SignInButton({ isSigningIn = false, onSignIn, buttonRef }: SignInButtonProps) {
  const { t } = useTranslation();
  return (
    <Button
      ref={buttonRef}
      variant="primary"
      className="mt-6 w-full"
      icon={<LogIn className="size-4" />}
      busy={isSigningIn}
      // Before the app is loaded, nothing else would ignore a second click (index.html).
      disabled={isSigningIn}
      busyLabel={t('auth.sign_in.busy')}
      onClick={onSignIn}
    >
      {t('auth.sign_in.action')}
    </Button>
  );
}
