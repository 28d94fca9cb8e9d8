import { type BrandCertificationAnswer, deleteBrandCertification } from '@brand-portal/contract/certificates';
import { useQuery } from '@tanstack/react-query';
import { EllipsisVertical, Trash2 } from 'lucide-react';
import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useTabStop } from '../../ui/data-table-keys.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { certifiedVariantsQuery, useRemoveCertificate } from './certificates-queries.ts';

type AskToRemove = (certificate: BrandCertificationAnswer, onRemoved?: () => void) => void;

interface Removal {
  ask: AskToRemove;
  /** Why the member may not remove certificates. */
  denied: string | undefined;
}

const RemovalContext = createContext<Removal>({ ask: () => undefined, denied: undefined });
export const useCertificateRemoval = () => useContext(RemovalContext);

/** The confirmation dialog of a removal. It wraps the table, because the row is removed before the dialog closes. */
export function CertificateRemoval({ brandId, children }: { brandId: number; children: ReactNode }) {
  const { t } = useTranslation();
  const [certificate, setCertificate] = useState<BrandCertificationAnswer>();
  const [open, setOpen] = useState(false);
  const { mutate, isPending, error, reset } = useRemoveCertificate(brandId);
  const denied = useDeniedReason(brandId)(deleteBrandCertification);
  const id = certificate?.certificate_id ?? '';

  const onRemoved = useRef<(() => void) | undefined>(undefined);
  const ask: AskToRemove = (chosen, then) => {
    reset();
    onRemoved.current = then;
    setCertificate(chosen);
    setOpen(true);
  };
  const remove = () => {
    if (certificate?.id === undefined) return;
    mutate(certificate.id, {
      onSuccess: () => {
        setOpen(false);
        dropUnsavedChanges();
        onRemoved.current?.();
        toast({ variant: 'success', title: t('certificates.remove.done', { id }) });
      },
    });
  };

  return (
    <RemovalContext value={{ ask, denied }}>
      {children}
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={t('certificates.remove.title', { id })}
        description={t('certificates.remove.description', { certification: certificate?.certification_name })}
        isLocked={isPending}
        footer={
          <>
            <Button disabled={isPending} onClick={() => setOpen(false)}>
              {t('certificates.remove.cancel')}
            </Button>
            <Button variant="danger" busy={isPending} busyLabel={t('certificates.remove.removing')} onClick={remove}>
              {t('certificates.remove.confirm')}
            </Button>
          </>
        }
      >
        {certificate?.id !== undefined && <AffectedVariants brandId={brandId} certificateId={certificate.id} />}
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </Dialog>
    </RemovalContext>
  );
}

/** How many variants lose it. Reserves its line while loading. */
function AffectedVariants({ brandId, certificateId }: { brandId: number; certificateId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(certifiedVariantsQuery(brandId, certificateId));
  return (
    <p role="status" className="min-h-6 font-medium">
      {data && t('certificates.remove.touches', { count: data.count, number: format.number(data.count) })}
    </p>
  );
}

/** Renders nothing if the server does not send the certificate's id. */
export function CertificateMenu({ certificate }: { certificate: BrandCertificationAnswer }) {
  const { t } = useTranslation();
  const { ask, denied } = useCertificateRemoval();
  const buttonRef = useMoveFocusOnUnmount('section');
  const tabStop = useTabStop();
  if (certificate.id === undefined) return null;
  return (
    <DropdownMenu
      trigger={
        <Button
          ref={buttonRef}
          tabIndex={tabStop}
          variant="ghost"
          size="icon-dense"
          aria-label={t('certificates.remove.menu', { id: certificate.certificate_id })}
          icon={<EllipsisVertical className="size-4" />}
          className="data-[state=open]:bg-surface-hover"
        />
      }
    >
      <DropdownMenuItem
        tone="danger"
        icon={<Trash2 className="size-4 shrink-0" />}
        hint={denied}
        className="max-w-80"
        onSelect={() => ask(certificate)}
      >
        {t('certificates.remove.action')}
      </DropdownMenuItem>
    </DropdownMenu>
  );
}
