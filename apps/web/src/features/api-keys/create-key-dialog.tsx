import {
  type CreateApiKey,
  createApiKey,
  KEY_LIFETIMES,
  KEY_ROLES,
  type KeyRole,
  MAX_KEY_NAME_LENGTH,
} from '@brand-portal/contract/api-keys';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FieldNote, Label } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { useCreateApiKey } from './api-keys-queries.ts';

interface CreateKeyDialogProps {
  brandId: number;
  open: boolean;
  onClose: () => void;
}

const EXPIRY: Record<string, CreateApiKey['expires_in_days']> = { '30': 30, '90': 90, '365': 365, never: null };

/** Asks for name, role and lifetime; then shows the secret once. */
export function CreateKeyDialog({ brandId, open, onClose }: CreateKeyDialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState('');
  const [role, setRole] = useState<KeyRole>('editor');
  const [expiry, setExpiry] = useState('90');
  const [isNameMissing, setNameMissing] = useState(false);
  const { mutate, data: made, isPending, error, reset } = useCreateApiKey(brandId);
  const denied = useDeniedReason(brandId)(createApiKey);

  const close = () => {
    setName('');
    setRole('editor');
    setExpiry('90');
    setNameMissing(false);
    reset();
    onClose();
  };
  const chooseRole = (next: KeyRole) => {
    setRole(next);
    if (next === 'admin' && expiry === 'never') setExpiry('365');
  };
  const create = () => {
    if (name.trim() === '') return setNameMissing(true);
    mutate({ name: name.trim(), role, expires_in_days: EXPIRY[expiry] ?? null });
  };
  const onOpenChange = (next: boolean) => !next && close();

  if (made) {
    return (
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        title={t('api_keys.made.title')}
        description={t('api_keys.made.description')}
        isPinned
        footer={
          <Button variant="primary" onClick={close}>
            {t('api_keys.made.done')}
          </Button>
        }
      >
        <CopyField
          label={t('api_keys.made.key')}
          value={made.key}
          copyLabel={t('api_keys.made.copy')}
          copiedText={t('api_keys.made.copied')}
        />
      </Dialog>
    );
  }
  const lifetimes = KEY_LIFETIMES.filter((days) => days !== null || role !== 'admin').map((days) => ({
    value: String(days ?? 'never'),
    label: days === null ? t('api_keys.new.never') : days === 365 ? t('api_keys.new.year') : t('api_keys.new.days', { number: days }),
  }));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('api_keys.new.title')}
      isLocked={isPending}
      isDirty={name.trim() !== ''}
      onConfirm={create}
      footer={
        <>
          <Button disabled={isPending} onClick={close}>
            {t('api_keys.new.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('api_keys.new.busy')}>
            {t('api_keys.new.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <TextField
          label={t('api_keys.new.name')}
          hint={t('api_keys.new.name_hint')}
          error={isNameMissing && name.trim() === '' ? t('api_keys.new.name_missing') : undefined}
          value={name}
          maxLength={MAX_KEY_NAME_LENGTH}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <div>
          <Label id={`${id}-role`} className="mb-1.5 block">
            {t('api_keys.new.role')}
          </Label>
          <Select
            labelledBy={`${id}-role`}
            describedBy={`${id}-means`}
            value={role}
            options={KEY_ROLES.map((value) => ({ value, label: t(`denied.roles.${value}`) }))}
            onChange={chooseRole}
            className="w-full"
          />
          <FieldNote id={`${id}-means`} hint={t(`api_keys.new.means.${role}`)} />
        </div>
        <div>
          <Label id={`${id}-expiry`} className="mb-1.5 block">
            {t('api_keys.new.expiry')}
          </Label>
          <Select
            labelledBy={`${id}-expiry`}
            value={expiry}
            options={lifetimes}
            describedBy={`${id}-expires`}
            onChange={setExpiry}
            className="w-full"
          />
          <FieldNote id={`${id}-expires`} hint={role === 'admin' ? t('api_keys.new.admins_expire') : undefined} />
        </div>
        {denied && !error && <Alert tone="warning">{denied}</Alert>}
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}
