import type { VerificationStatus } from '@brand-portal/contract/onboarding';
import { PAGES } from '@brand-portal/contract/pages';
import { KeyRound, Mail, MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { DetailList } from '../../ui/card.tsx';
import { CallFailure } from './call-failure.tsx';
import { Invitation, pageWithToken } from './invitation.tsx';
import { InvalidToken } from './onboarding-errors.tsx';
import { isInvalidToken, useVerifyEmail } from './onboarding-queries.ts';
import { focusWhenLost, OnboardingScreen } from './onboarding-screen.tsx';

export function VerifyEmailPage() {
  return (
    <Invitation shape="details">
      {(token, { verified, member }) =>
        verified ? <Verified token={token} member={member} /> : <Unverified token={token} member={member} />
      }
    </Invitation>
  );
}

interface StateProps {
  token: string;
  member: VerificationStatus['member'];
}

function Unverified({ token, member }: StateProps) {
  const { t } = useTranslation();
  const { mutate: verify, data, isPending, error } = useVerifyEmail(token);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (error) focusWhenLost(button.current);
  }, [error]);

  if (isInvalidToken(error)) return <InvalidToken />;
  if (data?.mailed) {
    return (
      <OnboardingScreen icon={MailCheck} title={t('onboarding.mailed.title')}>
        <p role="status" className="wrap-anywhere mt-1 text-pretty text-text-secondary">
          {t('onboarding.mailed.description', { email: member.email })}
        </p>
      </OnboardingScreen>
    );
  }
  return (
    <OnboardingScreen icon={Mail} title={t('onboarding.verify.title')}>
      <p className="mt-1 text-pretty text-text-secondary">{t('onboarding.verify.description')}</p>
      <MemberDetails member={member} />
      {error && <CallFailure error={error} fallback={t('onboarding.verify.failed')} />}
      <Button
        ref={button}
        variant="primary"
        className="mt-6 w-full"
        icon={<MailCheck className="size-4" />}
        busy={isPending}
        busyLabel={t('onboarding.verify.busy')}
        onClick={() => verify()}
      >
        {t('onboarding.verify.action')}
      </Button>
      <p role="status" className="sr-only">
        {isPending && t('onboarding.verify.busy')}
      </p>
    </OnboardingScreen>
  );
}

function Verified({ token, member }: StateProps) {
  const { t } = useTranslation();
  return (
    <OnboardingScreen icon={MailCheck} tone="success" title={t('onboarding.verified.title')}>
      <p role="status" className="mt-1 text-pretty text-text-secondary">
        {t('onboarding.verified.description')}
      </p>
      <MemberDetails member={member} />
      <Button asChild variant="primary" className="mt-6 w-full">
        {/* Replaces the history entry, so that fewer entries contain the token. */}
        <Link to={pageWithToken(PAGES.setupPassword, token)} replace>
          <KeyRound className="size-4" />
          {t('onboarding.verified.action')}
        </Link>
      </Button>
    </OnboardingScreen>
  );
}

function MemberDetails({ member }: Pick<StateProps, 'member'>) {
  const { t } = useTranslation();
  return (
    <DetailList
      label={t('onboarding.member.title')}
      details={[
        { label: t('onboarding.member.email'), value: member.email },
        { label: t('onboarding.member.name'), value: member.name },
        {
          label: t('onboarding.member.parent_company'),
          value: member.is_staff ? t('app.name') : member.parent_company,
        },
        { label: t('onboarding.member.role'), value: t(`onboarding.roles.${member.is_staff ? 'staff' : member.role}`) },
      ]}
    />
  );
}
