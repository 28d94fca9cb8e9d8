import type { User } from '@brand-portal/contract/identity';
import { fullName } from '@brand-portal/contract/people';
import { LogOut, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { OnboardingScreen } from './onboarding-screen.tsx';

interface OtherSessionPageProps {
  /** The signed-in user. */
  user: User;
  /** The email of the new account. */
  email: string;
  onSwitch: () => void;
  onStay: () => void;
}

/** For somebody who has just created an account in a browser where another user is signed in. */
export function OtherSessionPage({ user, email, onSwitch, onStay }: OtherSessionPageProps) {
  const { t } = useTranslation();
  const name = fullName(user);
  return (
    <OnboardingScreen icon={Users} title={t('onboarding.other_session.title')}>
      <p className="wrap-anywhere mt-1 text-pretty">
        {t('onboarding.other_session.who', { name: name ? `${name} (${user.email})` : user.email })}
      </p>
      <p className="wrap-anywhere mt-2 text-pretty text-text-secondary">{t('onboarding.other_session.new_account', { email })}</p>
      <div className="mt-6 flex flex-col gap-2">
        <Button variant="primary" icon={<LogOut className="size-4" />} onClick={onSwitch}>
          {t('onboarding.other_session.switch')}
        </Button>
        <Button onClick={onStay}>{t('onboarding.other_session.stay')}</Button>
      </div>
    </OnboardingScreen>
  );
}
