import { type CertificateDetail, replaceCertificate } from '@brand-portal/contract/certificate-detail';
import { useQuery } from '@tanstack/react-query';
import { FileX, RefreshCw, Trash2 } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useParams } from 'react-router';
import { ApiError, errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { certificationPath, certificationsPath, parseId } from '../../lib/paths.ts';
import { dropUnsavedChanges } from '../../lib/unsaved-changes.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PanelBody, PanelFooter } from '../../ui/panel.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useDeniedReason } from '../brands/brands-queries.ts';
import { CertificateFacts } from './certificate-facts.tsx';
import { useCertificateReason } from './certificate-reason.exported.tsx';
import { useCertificateRemoval } from './certificate-removal.tsx';
import { type CertificateList, certificateDetailQuery, useReplaceCertificate, useUpdateCertificate } from './certificates-queries.ts';

interface CertificatePanelProps {
  brandId: number;
  list: CertificateList | undefined;
}

/** The certificate in the URL, in a panel beside the list. */
export function CertificatePanel({ brandId, list }: CertificatePanelProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const wanted = useParams().certificateId;
  // Keeps the content while the panel fades out.
  const [shown, setShown] = useState(wanted);
  if (wanted !== undefined && wanted !== shown) setShown(wanted);
  const certificateId = parseId(shown);
  const query = useQuery({
    ...certificateDetailQuery(brandId, certificateId ?? 0),
    enabled: certificateId !== undefined && wanted !== undefined,
  });
  const known = list?.results.find(({ id }) => id === certificateId);
  const close = () => {
    const isFromList = (state as { isFromList?: boolean } | null)?.isFromList;
    void (isFromList ? navigate(-1) : navigate(certificationsPath(brandId) + search, { replace: true }));
  };
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Ignores keys pressed in a dialog above the panel.
    if (!(event.target instanceof Element) || !event.currentTarget.contains(event.target)) return;
    // A focused toast would handle Escape itself, and the panel would stay open.
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  const name = query.data?.certificate_id ?? known?.certificate_id;
  return (
    <Dialog
      open={wanted !== undefined}
      onOpenChange={(open) => !open && close()}
      size="side"
      title={name ?? t(query.isLoading ? 'certificate_panel.loading' : 'certificate_panel.title')}
      onKeyDown={press}
      findOpener={() => document.querySelector<HTMLElement>(`tr[data-row="${certificateId}"]`)}
    >
      <Content
        key={shown}
        brandId={brandId}
        certificateId={certificateId}
        query={query}
        onReplaced={(id) => void navigate(certificationPath(brandId, id) + search, { replace: true, state })}
        onClose={close}
      />
    </Dialog>
  );
}

interface ContentProps {
  brandId: number;
  certificateId: number | undefined;
  query: { data: CertificateDetail | undefined; error: Error | null; refetch: () => Promise<unknown> };
  onReplaced: (id: number) => void;
  onClose: () => void;
}

function Content({ brandId, certificateId, query: { data: detail, error, refetch }, onReplaced, onClose }: ContentProps) {
  const { t } = useTranslation();
  const { ask: askToRemove } = useCertificateRemoval();
  const format = useFormat();
  const deniedReason = useDeniedReason(brandId);
  const [isReplacing, setReplacing] = useState(false);
  const [isLinking, setLinking] = useState(false);
  const replacing = useReplaceCertificate(brandId, certificateId ?? 0);
  const linking = useUpdateCertificate(brandId, certificateId ?? 0);
  const isGone = error instanceof ApiError && error.status === 404;
  // A failed refetch must not discard what was typed.
  if (certificateId === undefined || (isGone && !(detail && (isReplacing || isLinking)))) {
    return (
      <EmptyState
        icon={FileX}
        heading="h3"
        title={t('certificate_panel.not_found.title')}
        description={t('certificate_panel.not_found.description')}
        action={<Button onClick={onClose}>{t('ui.close')}</Button>}
      />
    );
  }
  if (!detail) {
    return (
      <PanelBody>
        {error ? (
          <QueryError title={t('certificate_panel.error')} error={error} refetch={refetch} />
        ) : (
          <div role="status" className="flex flex-col gap-4">
            <span className="sr-only">{t('certificate_panel.loading')}</span>
            {[1, 2, 3, 4].map((line) => (
              <Skeleton key={line} className="h-16 w-full" />
            ))}
          </div>
        )}
      </PanelBody>
    );
  }
  const denied = detail.may_edit ? undefined : (deniedReason(replaceCertificate) ?? t('denied.ask_admin'));
  const goOn = (renewed: CertificateDetail) => {
    setReplacing(false);
    dropUnsavedChanges();
    onReplaced(renewed.id);
    const ids = { from: detail.certificate_id, to: renewed.certificate_id };
    toast({ variant: 'success', title: t('certificate_panel.replace.done', ids) });
  };
  const replace = (certificate_id: string, confirmed: boolean) =>
    replacing.mutate({ certificate_id, confirmed }, { onSuccess: (renewed) => renewed && goOn(renewed) });
  const { error: refusal, variables: refused } = replacing;
  const isNotValid = refusal instanceof ApiError && refusal.code === 'certificate_not_valid';
  return (
    <>
      <PanelBody>
        <CertificateFacts brandId={brandId} detail={detail} denied={denied} onReplaced={goOn} onEditLink={() => setLinking(true)} />
      </PanelBody>
      <PanelFooter>
        <ExplainedButton
          variant="ghost"
          className="sm:mr-auto"
          icon={<Trash2 className="size-4" />}
          hint={denied}
          onClick={() => askToRemove(detail, onClose)}
        >
          {t('certificates.remove.action')}
        </ExplainedButton>
        <ReplaceButton hint={denied} onClick={() => setReplacing(true)} />
      </PanelFooter>
      <FieldDialog
        open={isReplacing}
        onOpenChange={setReplacing}
        title={t('certificate_panel.replace.title', { id: detail.certificate_id })}
        description={t('certificate_panel.replace.description', {
          count: detail.variants,
          number: format.number(detail.variants),
        })}
        label={t('certificate_panel.replace.label', { certification: detail.certification_name })}
        confirm={t('certificate_panel.replace.confirm')}
        busyLabel={t('certificate_panel.replace.busy')}
        mutation={replacing}
        field="certificate_id"
        denied={denied}
        onSend={(id) => replace(id, false)}
        warning={
          isNotValid &&
          refused && <NotValid detail={detail} context={refusal.context} onConfirm={() => replace(refused.certificate_id, true)} />
        }
      />
      <FieldDialog
        open={isLinking}
        onOpenChange={setLinking}
        title={t('certificate_panel.link.title', { id: detail.certificate_id })}
        description={t('certificate_panel.link.description')}
        label={t('certificate_panel.link.label')}
        initial={detail.link}
        confirm={t('certificate_panel.link.confirm')}
        busyLabel={t('certificate_panel.link.busy')}
        mutation={linking}
        field="link"
        denied={denied}
        onSend={(link) => linking.mutate(link, { onSuccess: () => setLinking(false) })}
      />
    </>
  );
}

/** Disappears with the old certificate: the panel of the new one then gets the focus. */
function ReplaceButton(props: Pick<ComponentProps<typeof ExplainedButton>, 'hint' | 'onClick'>) {
  const { t } = useTranslation();
  const ref = useMoveFocusOnUnmount('[role="dialog"]');
  return (
    <ExplainedButton {...props} ref={ref} variant="primary" icon={<RefreshCw className="size-4" />}>
      {t('certificate_panel.replace.action')}
    </ExplainedButton>
  );
}

interface NotValidProps {
  detail: CertificateDetail;
  context: ApiError['context'];
  onConfirm: () => void;
}

/**
 * Why a valid certificate was not replaced at once. Has a button of its own: the second Enter, or the second click on the
 * dialog's button, comes before the warning is read.
 */
function NotValid({ detail, context, onConfirm }: NotValidProps) {
  const { t } = useTranslation();
  const reason = useCertificateReason({
    status: context.status === 'pending' ? 'pending' : 'invalid',
    reason: context.reason ?? '',
    certification: detail.certification_name,
    body: detail.certifying_body_name,
  });
  return (
    <Alert tone="warning" className="mt-3">
      <p>{`${t('certificate_panel.replace.not_valid')} ${reason}`.trim()}</p>
      <Button size="dense" className="mt-2" onClick={onConfirm}>
        {t('certificate_panel.replace.anyway')}
      </Button>
    </Alert>
  );
}

interface FieldDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: string;
  label: string;
  /** Initial value of the field. */
  initial?: string;
  confirm: string;
  busyLabel: string;
  mutation: Pick<ReturnType<typeof useReplaceCertificate | typeof useUpdateCertificate>, 'isPending' | 'error' | 'reset'>;
  /** The field's name in the server's validation errors. */
  field: 'certificate_id' | 'link';
  denied: string | undefined;
  onSend: (value: string) => void;
  /** Shown in place of the error. */
  warning?: ReactNode;
}

/** A dialog with one text field, which the server validates. */
function FieldDialog({ open, onOpenChange, initial = '', mutation, field, denied, onSend, warning, ...texts }: FieldDialogProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(initial);
  const { isPending, reset } = mutation;
  const error = warning ? null : mutation.error;
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setValue(initial);
  }
  const change = (next: boolean) => {
    reset();
    onOpenChange(next);
  };
  const wrong = error instanceof ApiError ? error.fields[field] : undefined;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={texts.title}
      description={texts.description}
      isLocked={isPending}
      isDirty={value.trim() !== initial}
      onConfirm={() => onSend(value)}
      error={error}
      footer={
        <>
          <Button disabled={isPending} onClick={() => change(false)}>
            {t('certificates.remove.cancel')}
          </Button>
          <Button type="submit" variant="primary" busy={isPending} busyLabel={texts.busyLabel}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <TextField
        label={texts.label}
        value={value}
        onChange={({ target }) => {
          setValue(target.value);
          // The warning is about the value before.
          if (warning) reset();
        }}
        error={wrong}
        autoComplete="off"
        spellCheck={false}
        className="pt-1"
      />
      {denied && !mutation.error && (
        <Alert tone="warning" className="mt-3">
          {denied}
        </Alert>
      )}
      {error && !wrong && (
        <Alert tone="error" className="mt-3">
          {errorMessage(error, t)}
        </Alert>
      )}
      {warning}
    </Dialog>
  );
}
