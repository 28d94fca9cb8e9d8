import { MAX_PERSON_NAME_LENGTH } from '@brand-portal/contract/constants';
import type { VerificationStatus } from '@brand-portal/contract/onboarding';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DetailList } from '../../ui/card.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CallFailure } from './call-failure.tsx';
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx';
import type { NewAccount } from './onboarding-queries.ts';
import { focusWhenLost } from './onboarding-screen.tsx';

interface SetupPasswordFormProps {
  member: VerificationStatus['member'];
  isBusy: boolean;
  failure: Error | null;
  onSubmit: (account: NewAccount) => void;
}

export function SetupPasswordForm({ member, isBusy, failure, onSubmit }: SetupPasswordFormProps) {
  const { t } = useTranslation();
  const { email } = member;
  const reasonId = useId();
  const newPassword = useNewPassword();
  const { password, isAcceptable, isIncomplete } = newPassword;
  const [firstName, setFirstName] = useState(member.first_name ?? '');
  const [lastName, setLastName] = useState(member.last_name ?? '');
  const [showErrors, setShowErrors] = useState(false);
  const [sentPassword, setSentPassword] = useState<string>();
  const passwordField = useRef<HTMLInputElement>(null);
  const confirmedField = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isBlocked = showErrors && !isAcceptable;
  const reason = isIncomplete ? t('onboarding.setup.enter_both') : !isAcceptable && t('errors.password_too_weak');
  /** The server's message about the password is English and written for programmers, so it is not shown. */
  const isRefused = failure instanceof ApiError && 'password' in failure.fields && sentPassword === password;

  useEffect(() => {
    if (!failure) return;
    const isPasswordRefused = failure instanceof ApiError && 'password' in failure.fields;
    focusWhenLost(isPasswordRefused ? passwordField.current : button.current);
  }, [failure]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isBusy) return;
    if (!isAcceptable) {
      setShowErrors(true);
      (newPassword.broken.length > 0 ? passwordField : confirmedField).current?.focus();
      return;
    }
    setShowErrors(false);
    setSentPassword(password);
    onSubmit({ password, first_name: firstName.trim(), last_name: lastName.trim() });
  }

  /** A disabled submit button would keep Enter from submitting, and the reason from being shown. */
  function submitOnEnter(event: KeyboardEvent): void {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (isEnter && !isAcceptable && event.target instanceof HTMLInputElement) submit(event);
  }

  return (
    <form noValidate onSubmit={submit} onKeyDown={submitOnEnter}>
      <DetailList label={t('onboarding.member.title')} details={[{ label: t('onboarding.member.email'), value: email }]} />
      <div className="mt-5 flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={t('onboarding.setup.first_name')}
            name="first_name"
            autoComplete="given-name"
            maxLength={MAX_PERSON_NAME_LENGTH}
            value={firstName}
            onChange={(event) => setFirstName(event.target.value)}
          />
          <TextField
            label={t('onboarding.setup.last_name')}
            name="last_name"
            autoComplete="family-name"
            maxLength={MAX_PERSON_NAME_LENGTH}
            value={lastName}
            onChange={(event) => setLastName(event.target.value)}
          />
        </div>
        {/* For password managers, which store a password with its user name. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields
          value={newPassword}
          showErrors={showErrors}
          refusal={isRefused ? t('onboarding.setup.refused') : undefined}
          passwordRef={passwordField}
          confirmedRef={confirmedField}
        />
      </div>
      {isBlocked && (
        <div id={reasonId}>
          <Alert tone="error" className="mt-5">
            {t('errors.password_too_weak')}
          </Alert>
        </div>
      )}
      {failure && !isBlocked && <CallFailure error={failure} fallback={t('onboarding.setup.failed')} />}
      {/* The line is reserved while empty: the layout must not shift when the last rule is met. */}
      <p id={isBlocked ? undefined : reasonId} className="mt-3 min-h-4 text-center text-caption text-text-tertiary">
        {!isBlocked && reason}
      </p>
      <Button
        ref={button}
        type="submit"
        variant="primary"
        className="mt-2 w-full"
        busy={isBusy}
        busyLabel={t('onboarding.setup.busy')}
        disabled={!isAcceptable}
        aria-describedby={isAcceptable ? undefined : reasonId}
      >
        {t('onboarding.setup.action')}
      </Button>
      <p role="status" className="sr-only">
        {isBusy && t('onboarding.setup.busy')}
      </p>
    </form>
  );
}
