import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import type { Role } from '@brand-portal/contract/roles';
import { type InvitationOutcome, invitePeople, MAX_INVITED_AT_ONCE } from '@brand-portal/contract/team';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Alert } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Label } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextAreaField } from '../../ui/text-field.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { readAddresses } from './addresses.ts';
import { RoleSelect } from './member-actions.tsx';
import { useInvitePeople } from './team-queries.ts';

interface InviteDialogProps {
  brandId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const tones = {
  invited: 'success',
  already_member: 'neutral',
  already_invited: 'neutral',
  invalid: 'error',
  rate_limited: 'warning',
} as const;

export function InviteDialog({ brandId, open, onOpenChange }: InviteDialogProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [isSubmitted, setSubmitted] = useState(false);
  const { mutate, data, isPending, error, reset } = useInvitePeople(brandId);
  const deniedReason = useDeniedReason(brandId);
  const roleId = useId();
  const languageId = useId();
  const { emails, wrong, repeated } = readAddresses(text);

  const change = (next: boolean) => {
    if (!next) {
      reset();
      setText('');
      setRole('editor');
      setSubmitted(false);
    }
    onOpenChange(next);
  };
  const problem =
    emails.length > MAX_INVITED_AT_ONCE
      ? t('team.invite.too_many', { most: MAX_INVITED_AT_ONCE })
      : wrong.length > 0
        ? t('team.invite.wrong', { count: wrong.length, words: wrong.slice(0, 5).join(', ') })
        : emails.length === 0
          ? t('team.invite.nobody')
          : undefined;
  const invite = () => {
    setSubmitted(true);
    if (!problem) mutate({ emails: [...emails], role, language });
  };
  const again = () => {
    // Addresses that failed stay in the field, to be corrected.
    const left = data?.results.filter(({ outcome }) => outcome === 'invalid' || outcome === 'rate_limited') ?? [];
    setText(left.map(({ email }) => email).join('\n'));
    setSubmitted(false);
    reset();
  };

  if (data) {
    return (
      <Dialog
        open={open}
        onOpenChange={change}
        title={t('team.invite.results')}
        footer={
          <>
            <Button onClick={again}>{t('team.invite.more')}</Button>
            <Button variant="primary" onClick={() => change(false)}>
              {t('team.invite.close')}
            </Button>
          </>
        }
      >
        <Results results={data.results} />
      </Dialog>
    );
  }
  const warning = deniedReason(role === 'owner' ? { access: 'owner' } : invitePeople);
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('team.invite.title')}
      description={t('team.invite.description')}
      isLocked={isPending}
      isDirty={text.trim() !== ''}
      onConfirm={invite}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t('team.dismiss')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('team.invite.busy')}>
            {t('team.invite.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div>
          <TextAreaField
            label={t('team.invite.emails')}
            hint={t('team.invite.emails_hint')}
            error={isSubmitted ? problem : undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
            readOnly={isPending}
            spellCheck={false}
            autoCapitalize="none"
          />
          {/* No number while there is an error: nobody would be invited. */}
          <InvitationCount emails={isSubmitted && problem ? 0 : emails.length} repeated={repeated} />
        </div>
        <Field id={roleId} label={t('team.columns.role')} note={t(`team.role_hint.${role}`)}>
          <RoleSelect labelledBy={roleId} value={role} onChange={setRole} />
        </Field>
        <Field id={languageId} label={t('team.invite.language')}>
          <Select
            labelledBy={languageId}
            value={language}
            options={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
            onChange={setLanguage}
            className="w-full"
          />
        </Field>
        {warning && !error && <Alert tone="warning">{warning}</Alert>}
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}

/** How many people will be invited. Reserves its line while there are none. */
function InvitationCount({ emails, repeated }: { emails: number; repeated: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const said = [
    emails > 0 && t('team.invite.people', { count: emails, number: format.number(emails) }),
    repeated > 0 && t('team.invite.repeated', { count: repeated, number: format.number(repeated) }),
  ];
  return (
    <p role="status" className="mt-1 min-h-5 text-caption text-text-secondary">
      {said.filter(Boolean).join(' ')}
    </p>
  );
}

function Field({ id, label, note, children }: { id: string; label: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <Label id={id} className="mb-1.5 block">
        {label}
      </Label>
      {children}
      {note && <p className="mt-1 text-pretty text-caption text-text-secondary">{note}</p>}
    </div>
  );
}

function Results({ results }: { results: readonly { email: string; outcome: InvitationOutcome }[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const invited = results.filter(({ outcome }) => outcome === 'invited').length;
  return (
    <>
      <p role="status" className="mb-3 text-text-secondary">
        {t('team.invite.done', { count: invited, number: format.number(invited) })}
      </p>
      <ul aria-label={t('team.invite.results')} className="flex flex-col divide-y">
        {results.map(({ email, outcome }) => (
          <li key={email} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
            <span className="wrap-anywhere min-w-0 text-small">{email}</span>
            <Badge tone={tones[outcome]}>{t(`team.outcome.${outcome}`)}</Badge>
          </li>
        ))}
      </ul>
    </>
  );
}
