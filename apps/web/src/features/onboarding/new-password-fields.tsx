import { PASSWORD_MIN_LENGTH, PASSWORD_SPECIAL_CHARACTERS } from '@brand-portal/contract/constants';
import { brokenPasswordRules, PASSWORD_RULES, type PasswordRule } from '@brand-portal/contract/onboarding';
import { type RefObject, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../ui/password-field.tsx';
import { RuleList } from '../../ui/rule-list.tsx';

const RULES = Object.keys(PASSWORD_RULES) as PasswordRule[];

interface NewPasswordFieldsProps {
  value: NewPassword;
  /** The user tried to submit before the rules were met. */
  showErrors: boolean;
  /** The server's reason to refuse the password, beyond the rules known here. */
  refusal?: string;
  passwordRef: RefObject<HTMLInputElement | null>;
  confirmedRef: RefObject<HTMLInputElement | null>;
}

export function NewPasswordFields({ value, showErrors, refusal, passwordRef, confirmedRef }: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  const rulesId = useId();
  const rules = RULES.map((rule) => ({
    id: rule,
    text: t(`onboarding.rules.${rule}`, { min: PASSWORD_MIN_LENGTH }),
    note: rule === 'special' ? t('onboarding.rules.special_note', { characters: PASSWORD_SPECIAL_CHARACTERS }) : undefined,
    isMet: !value.broken.includes(rule),
  }));
  return (
    <>
      <div>
        <PasswordField
          ref={passwordRef}
          label={t('onboarding.setup.password')}
          showLabel={t('onboarding.setup.show_password')}
          hideLabel={t('onboarding.setup.hide_password')}
          name="password"
          autoComplete="new-password"
          required
          value={value.password}
          onChange={(event) => value.setPassword(event.target.value)}
          error={refusal}
          aria-invalid={(showErrors && value.broken.length > 0) || undefined}
          aria-describedby={rulesId}
          className="mb-3"
        />
        <RuleList
          id={rulesId}
          title={t('onboarding.rules.title')}
          rules={rules}
          metLabel={t('onboarding.rules.met')}
          unmetLabel={t('onboarding.rules.unmet')}
          showErrors={showErrors}
        />
      </div>
      <ConfirmField value={value} showErrors={showErrors} confirmedRef={confirmedRef} />
      <Progress value={value} />
    </>
  );
}

function ConfirmField({ value, showErrors, confirmedRef }: Pick<NewPasswordFieldsProps, 'value' | 'showErrors' | 'confirmedRef'>) {
  const { t } = useTranslation();
  const [isLeft, setLeft] = useState(false);
  const verdict = value.confirmed ? t(`onboarding.setup.${value.isMatching ? 'match' : 'mismatch'}`) : undefined;
  const isWrong = !value.isMatching && (isLeft || showErrors || !value.isPartialMatch);
  return (
    <PasswordField
      ref={confirmedRef}
      label={t('onboarding.setup.confirm')}
      showLabel={t('onboarding.setup.show_confirm')}
      hideLabel={t('onboarding.setup.hide_confirm')}
      name="confirm_password"
      autoComplete="new-password"
      required
      value={value.confirmed}
      onChange={(event) => value.setConfirmed(event.target.value)}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
      hint={verdict ?? t('onboarding.setup.confirm_hint')}
      error={isWrong ? verdict : undefined}
      // `Progress` announces it.
      isQuiet
      aria-invalid={(showErrors && !value.isMatching) || undefined}
    />
  );
}

function Progress({ value }: Pick<NewPasswordFieldsProps, 'value'>) {
  const { t } = useTranslation();
  const { password, confirmed, broken, isMatching } = value;
  let text = '';
  if (password !== '' && broken.length > 0) text = t('onboarding.rules.left', { count: broken.length });
  else if (confirmed !== '') text = t(`onboarding.setup.${isMatching ? 'match' : 'mismatch'}`);
  else if (password !== '') text = t('onboarding.rules.all_met');
  return <DebouncedStatus text={text} />;
}

const PAUSE_MS = 1_000;

/** Debounced, so that a screen reader does not announce it at every key press. */
function DebouncedStatus({ text }: { text: string }) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  );
}

/** A password, its confirmation, and what is wrong with them. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const broken = brokenPasswordRules(password);
  const isMatching = password === confirmed;
  return {
    password,
    setPassword,
    confirmed,
    setConfirmed,
    broken,
    isMatching,
    /** The confirmation is a prefix of the password: no error while the user is still typing. */
    isPartialMatch: !isMatching && password.startsWith(confirmed),
    isIncomplete: password === '' || confirmed === '',
    isAcceptable: broken.length === 0 && isMatching,
  };
}
export type NewPassword = ReturnType<typeof useNewPassword>;
