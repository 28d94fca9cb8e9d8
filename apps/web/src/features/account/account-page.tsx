import type { Account, Notice } from '@brand-portal/contract/account';
import { LANGUAGES, type Language, MAX_PERSON_NAME_LENGTH } from '@brand-portal/contract/constants';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { changeLanguage, useLanguage } from '../../lib/i18n.ts';
import { type ColorMode, useColorMode } from '../../lib/theme.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { UnsavedChanges } from '../../ui/dialog.tsx';
import { FieldNote, Label } from '../../ui/field.tsx';
import { PageHeader, PageTitle } from '../../ui/page-header.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { SettingsSection } from '../settings/settings-section.exported.tsx';
import { accountQuery, noticesQuery, sessionsQuery, useMailPasswordLink, useUpdateAccount, useUpdateNotice } from './account-queries.ts';
import { DeleteAccount } from './delete-account.tsx';
import { Sessions } from './sessions.tsx';

interface AccountPageProps {
  /** The embedded provider's page for changing the password; undefined with other providers. */
  findPasswordPage: () => string | undefined;
  /** Signs out of the portal and of the provider. */
  signOut: () => Promise<void>;
}

export function AccountPage({ findPasswordPage, signOut }: AccountPageProps) {
  const { t } = useTranslation();
  const account = useQuery(accountQuery());
  const notices = useQuery(noticesQuery());
  const sessions = useQuery(sessionsQuery());
  const { data, error, refetch } = account;
  const loaded = { data, error, errorTitle: t('account.error'), onRetry: () => void refetch() };
  // All sections appear at the same time, so that none pushes down the others. One that fails does not delay them, and
  // does not hide them while it is loaded again.
  const isLoading = [account, notices, sessions].some(
    ({ isPending, failureCount, errorUpdateCount }) => isPending && failureCount + errorUpdateCount === 0,
  );
  return (
    <div className="flex flex-col gap-4">
      <PageTitle parts={[t('account.title')]} />
      <PageHeader title={t('account.title')} subtitle={t('account.subtitle')} />
      <SettingsSection title={t('account.profile.title')} {...loaded} data={isLoading ? undefined : data}>
        {(account) => <Profile account={account} />}
      </SettingsSection>
      {!isLoading && (
        <>
          <SettingsSection title={t('account.looks.title')} {...loaded}>
            {() => <Appearance />}
          </SettingsSection>
          <Notices query={notices} />
          <SettingsSection title={t('account.password.title')} {...loaded}>
            {(account) => <Password account={account} page={findPasswordPage()} />}
          </SettingsSection>
          <Sessions query={sessions} />
          <SettingsSection title={t('account.delete.title')} {...loaded}>
            {({ email }) => <DeleteAccount email={email} signOut={signOut} />}
          </SettingsSection>
        </>
      )}
    </div>
  );
}

function Profile({ account }: { account: Account }) {
  const { t } = useTranslation();
  const [stored, setStored] = useState<Pick<Account, 'first_name' | 'last_name'>>(account);
  const [firstName, setFirstName] = useState(account.first_name);
  const [lastName, setLastName] = useState(account.last_name);
  const { mutate, isPending, error } = useUpdateAccount();
  const save = (event: FormEvent) => {
    event.preventDefault();
    mutate(
      { first_name: firstName, last_name: lastName },
      {
        onSuccess: (saved) => {
          const name = saved ?? { first_name: firstName, last_name: lastName };
          setStored(name);
          // Keeps what was typed while saving.
          setFirstName((typed) => (typed === firstName ? name.first_name : typed));
          setLastName((typed) => (typed === lastName ? name.last_name : typed));
          toast({ variant: 'success', title: t('account.profile.saved') });
        },
      },
    );
  };
  return (
    <form onSubmit={save} className="flex max-w-2xl flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('account.profile.first_name')}
          autoComplete="given-name"
          maxLength={MAX_PERSON_NAME_LENGTH}
          value={firstName}
          onChange={(event) => setFirstName(event.target.value)}
        />
        <TextField
          label={t('account.profile.last_name')}
          autoComplete="family-name"
          maxLength={MAX_PERSON_NAME_LENGTH}
          value={lastName}
          onChange={(event) => setLastName(event.target.value)}
        />
      </div>
      <dl>
        <dt className="mb-1 font-medium text-small">{t('account.profile.email')}</dt>
        <dd className="wrap-anywhere">{account.email}</dd>
        <dd className="mt-1 text-caption text-text-tertiary">{t('account.profile.email_hint')}</dd>
      </dl>
      {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      <Button type="submit" variant="primary" busy={isPending} busyLabel={t('account.profile.saving')} className="self-start">
        {t('account.profile.save')}
      </Button>
      <UnsavedChanges isDirty={firstName !== stored.first_name || lastName !== stored.last_name} />
    </form>
  );
}

/** Colour mode and language. Both apply to this browser at once; the server also uses the language for mails. */
function Appearance() {
  const { t } = useTranslation();
  const id = useId();
  const language = useLanguage();
  const { mode, toggleMode } = useColorMode();
  const { mutateAsync } = useUpdateAccount();
  const choose = async (next: Language) => {
    try {
      await changeLanguage(next);
    } catch {
      toast({ variant: 'error', title: t('language.failed'), description: t('errors.network_error') });
      return;
    }
    mutateAsync({ language: next }).catch((error: Error) =>
      toast({ variant: 'error', title: t('account.looks.language_failed'), description: errorMessage(error, t) }),
    );
  };
  return (
    <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
      <div>
        <Label id={`${id}-language`} className="mb-1.5 block">
          {t('account.looks.language')}
        </Label>
        <Select
          labelledBy={`${id}-language`}
          describedBy={`${id}-hint`}
          value={language}
          options={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
          onChange={(next) => void choose(next)}
          className="w-full"
        />
        <FieldNote id={`${id}-hint`} hint={t('account.looks.language_hint')} />
      </div>
      <div>
        <Label id={`${id}-mode`} className="mb-1.5 block">
          {t('account.looks.mode')}
        </Label>
        <Select<ColorMode>
          labelledBy={`${id}-mode`}
          value={mode}
          options={(['light', 'dark'] as const).map((value) => ({ value, label: t(`account.looks.${value}`) }))}
          onChange={toggleMode}
          className="w-full"
        />
      </div>
    </div>
  );
}

function Notices({ query: { data, error, refetch } }: { query: UseQueryResult<{ results: Notice[] }> }) {
  const { t } = useTranslation();
  return (
    <SettingsSection
      title={t('account.notices.title')}
      data={data}
      error={error}
      errorTitle={t('account.notices.error')}
      onRetry={() => void refetch()}
    >
      {({ results }) => (
        <>
          <p className="max-w-prose text-pretty text-text-secondary">{t('account.notices.description')}</p>
          {results.length === 0 ? (
            <p className="mt-2 max-w-prose text-pretty">{t('account.notices.none')}</p>
          ) : (
            <ul className="mt-2">
              {results.map((notice) => (
                <NoticeSwitch key={notice.brand_id} notice={notice} />
              ))}
            </ul>
          )}
        </>
      )}
    </SettingsSection>
  );
}

function NoticeSwitch({ notice: { brand_id, brand_name, certificate_mails } }: { notice: Notice }) {
  const { t } = useTranslation();
  const { mutate, isPending, variables, error } = useUpdateNotice(brand_id);
  return (
    <li>
      <label className="flex min-h-11 w-fit max-w-full cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          // Optimistic: shows the new value while it is saved.
          checked={isPending ? variables : certificate_mails}
          onChange={(event) => mutate(event.target.checked)}
          className="size-4 shrink-0 cursor-pointer accent-primary"
        />
        <span className="wrap-anywhere min-w-0">{brand_name}</span>
      </label>
      {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
    </li>
  );
}

function Password({ account, page }: { account: Account; page: string | undefined }) {
  const { t } = useTranslation();
  const { mutate, isPending, isSuccess, error } = useMailPasswordLink();
  const { email, password_change } = account;
  const way = password_change === 'page' && !page ? 'none' : password_change;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-pretty text-text-secondary">
        {t(`account.password.${way}`)} {t('account.password.second_factor')}
      </p>
      {way === 'page' && (
        <Button asChild>
          <a href={page}>
            <KeyRound className="size-4" />
            {t('account.password.change')}
          </a>
        </Button>
      )}
      {way === 'mail' && (
        <Button busy={isPending} busyLabel={t('account.password.sending')} onClick={() => mutate()}>
          {t('account.password.send')}
        </Button>
      )}
      {isSuccess && <Alert tone="success">{t('account.password.sent', { email })}</Alert>}
      {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
    </div>
  );
}
