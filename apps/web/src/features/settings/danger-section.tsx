import { type BrandContents, deleteBrand, getBrandContents, RESTORABLE_DAYS } from '@brand-portal/contract/brands';
import { PAGES } from '@brand-portal/contract/pages';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useBrand, useDeniedReason } from '../brands/brands-queries.ts';
import { brandContentsQuery, useDeleteBrand } from './brand-queries.ts';

const KINDS = ['variants', 'published', 'certificates', 'members', 'imports'] as const;

export function DangerSection({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const id = useId();
  const { data: brand } = useBrand(brandId);
  const deniedReason = useDeniedReason(brandId);
  const [open, setOpen] = useState(false);
  return (
    <Card className="border-error">
      <section aria-labelledby={id} className="flex flex-col items-start gap-3">
        <h2 id={id} className="font-semibold text-heading">
          {t('settings.danger.title')}
        </h2>
        <p className="max-w-prose text-pretty text-text-secondary">{t('settings.danger.description', { days: RESTORABLE_DAYS })}</p>
        <ExplainedButton variant="danger" hint={deniedReason(deleteBrand)} onClick={() => setOpen(true)}>
          {t('settings.danger.action')}
        </ExplainedButton>
        {brand && <DeleteDialog brandId={brandId} name={brand.name} open={open} onOpenChange={setOpen} />}
      </section>
    </Card>
  );
}

const asShown = (text: string) => text.trim().replaceAll(/\s+/g, ' ');

interface DeleteDialogProps {
  brandId: number;
  name: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDialog({ brandId, name, open, onOpenChange }: DeleteDialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const deniedReason = useDeniedReason(brandId);
  const denied = deniedReason(getBrandContents);
  const { data: contents, error: unread } = useQuery({ ...brandContentsQuery(brandId), enabled: open && !denied });
  const { mutate, isPending, error, reset, forget } = useDeleteBrand(brandId);
  const [typed, setTyped] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  // HTML shows several spaces as one, so the comparison ignores them.
  const isNamed = asShown(typed) === asShown(name);

  const change = (next: boolean) => {
    reset();
    setTyped('');
    setSubmitted(false);
    onOpenChange(next);
  };
  const remove = () => {
    setSubmitted(true);
    if (!isNamed) return;
    mutate(undefined, {
      onSuccess: () => {
        toast({
          variant: 'success',
          title: t('settings.danger.done', { brand: name }),
          description: t('settings.danger.done_hint', { days: RESTORABLE_DAYS }),
        });
        dropUnsavedChanges();
        // Replaces the history entry: Back must not lead into a deleted brand.
        void navigate(PAGES.brands, { replace: true });
        forget();
      },
    });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={t('settings.danger.ask', { brand: name })}
      description={t('settings.danger.consequences', { days: RESTORABLE_DAYS })}
      isLocked={isPending}
      onConfirm={remove}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t('settings.danger.cancel')}
          </Button>
          <Button type="submit" variant="danger" busy={isPending} busyLabel={t('settings.danger.busy')}>
            {t('settings.danger.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {denied && !error && <Alert tone="warning">{denied}</Alert>}
        {unread ? <Alert tone="error">{errorMessage(unread, t)}</Alert> : !denied && <Contents contents={contents} />}
        <TextField
          label={t('settings.danger.type', { brand: name })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={isSubmitted && !isNamed ? t('settings.danger.mismatch') : undefined}
          autoComplete="off"
          spellCheck={false}
          readOnly={isPending}
        />
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </div>
    </Dialog>
  );
}

/** Reserves its lines while loading. */
function Contents({ contents }: { contents: BrandContents | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <ul aria-label={t('settings.danger.contents.label')} className="flex list-disc flex-col gap-1 pl-5 text-small">
      {KINDS.map((kind) => (
        <li key={kind} className="min-h-5">
          {contents ? t(`settings.danger.contents.${kind}`, { count: contents[kind], number: format.number(contents[kind]) }) : '…'}
        </li>
      ))}
    </ul>
  );
}
