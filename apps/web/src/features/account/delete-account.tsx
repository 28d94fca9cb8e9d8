import { emailKey } from '@brand-portal/contract/people';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { logError } from '../../lib/log.ts';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDeleteAccount } from './account-queries.ts';

/** Lists what is deleted and what stays, and asks to type the email address. */
export function DeleteAccount({ email, signOut }: { email: string; signOut: () => Promise<void> }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const { mutate, isPending, error, reset } = useDeleteAccount();

  const ask = () => {
    reset();
    setTyped('');
    setWrong(false);
    setAsking(true);
  };
  const confirm = () => {
    if (emailKey(typed.trim()) !== emailKey(email)) return setWrong(true);
    mutate(typed.trim(), {
      onSuccess: () => {
        dropUnsavedChanges();
        // Also at the provider, which would otherwise sign in again and create a new account.
        return signOut().catch((failure: unknown) => logError('Failed to sign out:', failure));
      },
    });
  };
  const owned = error instanceof ApiError && error.code === 'account_owns_brands' ? error.context.brands : undefined;

  return (
    <div className="flex flex-col items-start gap-3">
      <p className="max-w-prose text-pretty text-text-secondary">{t('account.delete.stays')}</p>
      <Button onClick={ask}>{t('account.delete.action')}</Button>
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('account.delete.ask')}
        description={t('account.delete.description')}
        isLocked={isPending}
        onConfirm={confirm}
        footer={
          <>
            <Button disabled={isPending} onClick={() => setAsking(false)}>
              {t('account.delete.cancel')}
            </Button>
            <Button type="submit" variant="danger" busy={isPending} busyLabel={t('account.delete.busy')}>
              {t('account.delete.confirm')}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <TextField
            label={t('account.delete.confirm_label', { email })}
            error={isWrong ? t('account.delete.mismatch') : undefined}
            value={typed}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => {
              setTyped(event.target.value);
              setWrong(false);
            }}
          />
          {error && <Alert tone="error">{owned ? t('account.delete.owns', { brands: owned }) : errorMessage(error, t)}</Alert>}
        </div>
      </Dialog>
    </div>
  );
}
