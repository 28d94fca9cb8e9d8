import type { VariantCertificate, VariantDetail } from '@brand-portal/contract/variant-detail';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PanelSection } from '../../ui/panel.tsx';
import { SuggestField } from '../../ui/suggest-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { CertificateBadge } from '../certificates/certificate-badge.exported.tsx';
import { useCertificateReason } from '../certificates/certificate-reason.exported.tsx';
import { catalogueQuery } from '../certificates/certificates-queries.ts';
import { useAddVariantCertificate, useRemoveVariantCertificate } from './variant-detail-queries.ts';

interface PanelCertificatesProps {
  brandId: number;
  detail: VariantDetail;
  /** Why the member may not change it. */
  denied: string | undefined;
}

/** The variant's certificates: view, add and remove. */
export function PanelCertificates({ brandId, detail, denied }: PanelCertificatesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = detail.certificates.length;
  const all = detail.certificate_count ?? shown;
  const [target, setTarget] = useState<VariantCertificate>();
  const [isAsking, setAsking] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const { mutate, isPending, error, reset } = useRemoveVariantCertificate(brandId, detail.id);
  const { certification_name: name = '', external_certificate_id: id = '' } = target ?? {};
  const ask = (certificate: VariantCertificate) => {
    reset();
    setTarget(certificate);
    setAsking(true);
  };
  const remove = () => {
    if (!target) return;
    mutate(target.id, {
      onSuccess: () => {
        setAsking(false);
        toast({ variant: 'success', title: t('variant_panel.certificates.removed', { id }) });
      },
    });
  };
  return (
    <PanelSection title={t('variant_panel.certificates.title')}>
      {all > shown && (
        <p className="mb-2 text-small text-text-secondary">
          {t('variant_panel.certificates.newest', { shown: format.number(shown), all: format.number(all) })}
        </p>
      )}
      {shown === 0 ? (
        <p className="text-small text-text-secondary">{t('variant_panel.certificates.none')}</p>
      ) : (
        <ul className="divide-y">
          {detail.certificates.map((certificate) => (
            <Certificate key={certificate.id} certificate={certificate} denied={denied} onRemove={() => ask(certificate)} />
          ))}
        </ul>
      )}
      <ExplainedButton size="dense" className="mt-3" icon={<Plus className="size-4" />} hint={denied} onClick={() => setAdding(true)}>
        {t('variant_panel.certificates.add.action')}
      </ExplainedButton>
      <AddCertificate brandId={brandId} variantId={detail.id} open={isAdding} denied={denied} onClose={() => setAdding(false)} />
      <Dialog
        open={isAsking}
        onOpenChange={setAsking}
        title={t('variant_panel.certificates.confirm_title', { id })}
        description={t('variant_panel.certificates.confirm_description', { name })}
        isLocked={isPending}
        footer={
          <>
            <Button disabled={isPending} onClick={() => setAsking(false)}>
              {t('variant_panel.cancel')}
            </Button>
            <Button variant="danger" busy={isPending} busyLabel={t('variant_panel.certificates.removing')} onClick={remove}>
              {t('variant_panel.certificates.remove')}
            </Button>
          </>
        }
      >
        {error && <Alert tone="error">{errorMessage(error, t)}</Alert>}
      </Dialog>
    </PanelSection>
  );
}

interface CertificateProps {
  certificate: VariantCertificate;
  denied: string | undefined;
  onRemove: () => void;
}

function Certificate({ certificate, denied, onRemove }: CertificateProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { certification_name: name, external_certificate_id: id, certifying_body_name: body } = certificate;
  const { status, reason, expires_on } = certificate;
  const why = useCertificateReason({ reason, status, certification: name, body });
  return (
    <li className="flex items-start gap-3 py-2.5 text-small first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{name}</span>
          <CertificateBadge status={status} />
        </div>
        <p className="wrap-anywhere text-text-secondary">
          <span className="font-mono">{id}</span> · {body}
        </p>
        {why && <p className="text-pretty text-text-secondary">{why}</p>}
        {expires_on && !reason.startsWith('listed:') && !reason.startsWith('expired:') && (
          <p className="text-text-secondary">{t('variant_panel.certificates.expires', { date: format.day(expires_on) })}</p>
        )}
      </div>
      <ExplainedButton
        variant="ghost"
        size="dense"
        aria-label={t('variant_panel.certificates.remove_label', { name, id })}
        hint={denied}
        onClick={onRemove}
      >
        {t('variant_panel.certificates.remove')}
      </ExplainedButton>
    </li>
  );
}

interface AddCertificateProps {
  brandId: number;
  variantId: number;
  open: boolean;
  denied: string | undefined;
  onClose: () => void;
}

const NOTHING = { certification_name: '', certificate_id: '' };

/** The server validates the input with the import's rules and messages. The catalogue only suggests names: an alias works too. */
function AddCertificate({ brandId, variantId, open, denied, onClose }: AddCertificateProps) {
  const { t } = useTranslation();
  const [values, setValues] = useState(NOTHING);
  const { data: catalogue } = useQuery({ ...catalogueQuery(), enabled: open });
  const { mutate, isPending, error, reset } = useAddVariantCertificate(brandId, variantId);
  const close = () => {
    setValues(NOTHING);
    reset();
    onClose();
  };
  const add = () => {
    mutate(values, {
      onSuccess: () => {
        toast({
          variant: 'success',
          title: t('variant_panel.certificates.add.done', { id: values.certificate_id.trim() }),
        });
        close();
      },
    });
  };
  const problems = error instanceof ApiError ? error.fields : {};
  const set = (name: keyof typeof NOTHING, value: string) => setValues({ ...values, [name]: value });
  const field = (name: keyof typeof NOTHING) => ({
    label: t(`variant_panel.certificates.add.${name}`),
    value: values[name],
    error: problems[name],
    required: true,
  });
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={t('variant_panel.certificates.add.title')}
      description={t('variant_panel.certificates.add.description')}
      isLocked={isPending}
      isDirty={(values.certification_name + values.certificate_id).trim() !== ''}
      onConfirm={add}
      error={error}
      footer={
        <>
          <Button disabled={isPending} onClick={close}>
            {t('variant_panel.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={t('variant_panel.adding')}>
            {t('variant_panel.certificates.add.confirm')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        {error && Object.keys(problems).length === 0 && <Alert tone="error">{errorMessage(error, t)}</Alert>}
        <SuggestField
          {...field('certification_name')}
          onChange={(value) => set('certification_name', value)}
          suggestions={catalogue?.map(({ name }) => name) ?? []}
        />
        <TextField
          {...field('certificate_id')}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => set('certificate_id', event.target.value)}
        />
        {denied && !error && <Alert tone="warning">{denied}</Alert>}
      </div>
    </Dialog>
  );
}
