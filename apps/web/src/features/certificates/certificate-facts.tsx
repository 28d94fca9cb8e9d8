import type { CertificateDetail, CertificateEvent } from '@brand-portal/contract/certificate-detail';
import { endsSoon, parseReason } from '@brand-portal/contract/certificates';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { localDay, useFormat } from '../../lib/format.ts';
import { productVariantsPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { PanelSection, PanelTimeline } from '../../ui/panel.tsx';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { ImportLink } from '../import/import-link.exported.tsx';
import { useWhyWaiting } from '../settings/channel-queries.ts';
import { CertificateBadge, knownStatus } from './certificate-badge.exported.tsx';
import { useCertificateReason } from './certificate-reason.exported.tsx';
import { useReplaceCertificate } from './certificates-queries.ts';

interface FactsProps {
  brandId: number;
  detail: CertificateDetail;
}

interface ActionProps {
  /** Why the member may not change it. */
  denied: string | undefined;
  onReplaced: (renewed: CertificateDetail) => void;
  onEditLink: () => void;
}

/** All details of a certificate except its id. */
export function CertificateFacts({ brandId, detail, denied, onReplaced, onEditLink }: FactsProps & ActionProps) {
  return (
    <>
      {detail.near_miss !== null && <NearMiss brandId={brandId} detail={detail} denied={denied} onReplaced={onReplaced} />}
      <Status detail={detail} />
      <Validity detail={detail} />
      <Issuer detail={detail} denied={denied} onEditLink={onEditLink} />
      <Variants brandId={brandId} detail={detail} />
      <History brandId={brandId} detail={detail} />
    </>
  );
}

type NearMissProps = FactsProps & Pick<ActionProps, 'denied' | 'onReplaced'>;

/** Probably a typo: the registry has an id that differs in one character. One click applies it to all variants. */
function NearMiss({ brandId, detail, denied, onReplaced }: NearMissProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { mutate, isPending, error } = useReplaceCertificate(brandId, detail.id);
  const buttonRef = useMoveFocusOnUnmount('[role="dialog"]');
  const { near_miss: listed, certificate_id: written, variants } = detail;
  const apply = () => {
    if (listed !== null) mutate({ certificate_id: listed }, { onSuccess: (renewed) => renewed && onReplaced(renewed) });
  };
  return (
    <Alert tone="warning" className="mb-4">
      <p>{t('certificate_panel.near_miss.text', { listed, written })}</p>
      <ExplainedButton
        ref={buttonRef}
        size="dense"
        className="mt-2"
        hint={denied}
        busy={isPending}
        busyLabel={t('certificate_panel.replace.busy')}
        onClick={apply}
      >
        {t('certificate_panel.near_miss.apply', { listed, count: variants, number: format.number(variants) })}
      </ExplainedButton>
      {error && <p className="mt-2">{errorMessage(error, t)}</p>}
    </Alert>
  );
}

function Status({ detail }: { detail: CertificateDetail }) {
  const { t } = useTranslation();
  const { reason, overall_status: status, certification_name: certification, certifying_body_name: body } = detail;
  const sentence = useCertificateReason({ reason, status, certification, body });
  const code = parseReason(reason)?.code ?? 'unchecked';
  const advice = code === 'listed' || code === 'approved' ? adviceUntil(detail.expires_on) : code;
  return (
    <PanelSection title={t('certificate_panel.status')}>
      <CertificateBadge status={knownStatus(status)} />
      <p className="mt-2 text-pretty text-small">{sentence}</p>
      <p className="mt-1 text-pretty text-small text-text-secondary">{t(`certificate_panel.advice.${advice}`, { body, certification })}</p>
    </PanelSection>
  );
}

const DAY_MS = 86_400_000;
const today = () => localDay(Date.now());

/** For a valid certificate: a renewal takes time and should be requested before the end. */
function adviceUntil(lastDay: string | null) {
  if (lastDay === null) return 'valid';
  return endsSoon(lastDay) ? 'ends_soon' : 'ends_later';
}

/** A time line from the day it was added to its last day, with a mark for today. */
function Validity({ detail: { created_at, expires_on, overall_status, reason } }: { detail: CertificateDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const added = localDay(created_at);
  if (!expires_on) {
    return (
      <PanelSection title={t('certificate_panel.validity.title')}>
        <p className="text-small text-text-secondary">{t('certificate_panel.validity.none')}</p>
      </PanelSection>
    );
  }
  const start = Date.parse(added);
  // It is valid until the end of its last day.
  const end = Math.max(Date.parse(expires_on) + DAY_MS, start + DAY_MS);
  // The server knows the current date in the brand's countries; UTC is used if the status does not tell.
  const isOver =
    parseReason(reason)?.code === 'expired' || (overall_status !== 'validated' && Date.now() >= Date.parse(expires_on) + DAY_MS);
  const shownDay = isOver || expires_on > today() ? expires_on : today();
  const passed = isOver ? 1 : Math.min(Math.max((Date.now() - start) / (end - start), 0), 1);
  return (
    <PanelSection title={t('certificate_panel.validity.title')}>
      <p className="text-small">
        {t(isOver ? 'certificate_panel.validity.ended' : 'certificate_panel.validity.until', {
          date: format.day(expires_on),
          distance: format.distance(shownDay),
        })}
      </p>
      <div aria-hidden="true" className="relative mt-3 h-1.5 rounded-full bg-border">
        <div
          className={clsx('absolute inset-y-0 left-0 rounded-full', isOver ? 'bg-error' : 'bg-primary')}
          style={{ width: `${passed * 100}%` }}
        />
        {!isOver && (
          <div
            className="absolute -top-1 size-3.5 -translate-x-1/2 rounded-full border-2 border-surface bg-primary"
            style={{ left: `${passed * 100}%` }}
          />
        )}
      </div>
      <div className="mt-1.5 flex justify-between gap-4 text-caption text-text-secondary">
        {/* A certificate that had already expired when it was added has no start on this line. */}
        <span>{added <= expires_on && t('certificate_panel.validity.added', { date: format.shortDay(created_at) })}</span>
        <span>{format.shortDay(expires_on)}</span>
      </div>
    </PanelSection>
  );
}

type LinkProps = Pick<FactsProps, 'detail'> & Pick<ActionProps, 'denied' | 'onEditLink'>;

function Issuer({ detail, denied, onEditLink }: LinkProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { certification_name, certifying_body_name, registry } = detail;
  const entry = registry?.entry;
  const listed =
    registry === null
      ? t('certificate_panel.registry.none', { certification: certification_name })
      : !entry
        ? t('certificate_panel.registry.not_listed')
        : !entry.active
          ? t('certificate_panel.registry.not_active')
          : entry.expires_on
            ? t('certificate_panel.registry.active_until', { date: format.day(entry.expires_on) })
            : t('certificate_panel.registry.active');
  return (
    <PanelSection title={t('certificate_panel.issuer')}>
      <dl className="grid gap-x-4 gap-y-2.5 text-small sm:grid-cols-[9rem_1fr]">
        {[
          [t('certificates.columns.certification_name'), certification_name],
          [t('certificates.columns.certifying_body_name'), certifying_body_name],
          [t('certificate_panel.link.label'), <IssuerLink key="link" detail={detail} denied={denied} onEditLink={onEditLink} />],
          [t('certificate_panel.registry.title'), listed],
          ...(registry ? [[t('certificate_panel.registry.day'), format.day(registry.loaded_at)]] : []),
        ].map(([label, value]) => (
          <div key={String(label)} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-text-secondary">{label}</dt>
            <dd className="wrap-anywhere min-w-0">{value}</dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  );
}

/** `noopener`, because the URL was entered by somebody else. */
function IssuerLink({ detail: { link }, denied, onEditLink }: LinkProps) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      {link ? (
        <a href={link} target="_blank" rel="noopener noreferrer" className="wrap-anywhere text-primary hover:underline">
          {link} <span className="sr-only">{t('certificate_panel.link.new_tab')}</span>
        </a>
      ) : (
        t('certificate_panel.link.none')
      )}
      <ExplainedButton size="dense" hint={denied} onClick={onEditLink}>
        {t(link ? 'certificate_panel.link.edit' : 'certificate_panel.link.add')}
      </ExplainedButton>
    </span>
  );
}

/** How many variants use it, and what happens to them when it ends. */
function Variants({ brandId, detail }: FactsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, variants, live_variants: live, sending_variants: onTheirWay, queued_variants: queued, overall_status, expires_on } = detail;
  const isValid = overall_status === 'validated';
  const isLosing = isValid && expires_on !== null && live > 0;
  const isSending = isValid && onTheirWay > 0;
  const waiting = useWhyWaiting(brandId, isSending);
  // What Google has does not wait.
  const sending = waiting ? onTheirWay - queued : onTheirWay;
  return (
    <PanelSection title={t('certificates.columns.variants')}>
      {variants === 0 ? (
        <p className="text-small text-text-secondary">{t('certificate_panel.variants.none')}</p>
      ) : (
        <Link to={`${productVariantsPath(brandId)}?certificate=${id}`} className="text-primary text-small hover:underline">
          {t('certificate_panel.variants.show', { count: variants, number: format.number(variants) })}
        </Link>
      )}
      {isLosing && (
        <p className="mt-2 text-pretty font-medium text-small">
          {t('certificate_panel.variants.lose', {
            count: live,
            number: format.number(live),
            date: format.day(expires_on),
          })}
        </p>
      )}
      {variants > 0 && !isLosing && !(isSending && live === 0) && (
        <p className="mt-2 text-pretty text-small text-text-secondary">
          {t(
            !isValid
              ? 'certificate_panel.variants.no_claim'
              : live === 0
                ? 'certificate_panel.variants.none_live'
                : 'certificate_panel.variants.no_end',
          )}
        </p>
      )}
      {isSending && sending > 0 && (
        <p className="mt-2 text-pretty text-small text-text-secondary">
          {t('certificate_panel.variants.sending', { count: sending, number: format.number(sending) })}
        </p>
      )}
      {isSending && waiting && queued > 0 && (
        <p className="mt-2 text-pretty text-small text-text-secondary">
          {t(`certificate_panel.variants.${waiting === 'inactive' ? 'inactive' : 'waiting'}`, {
            count: queued,
            number: format.number(queued),
          })}
        </p>
      )}
    </PanelSection>
  );
}

function History({ brandId, detail: { timeline } }: FactsProps) {
  const { t } = useTranslation();
  return (
    <PanelTimeline
      title={t('certificate_panel.history.title')}
      events={timeline}
      describe={(event) => (
        <p>
          {event.certificate_id && <span className="font-medium">{event.certificate_id}: </span>}
          <EventText event={event} /> <ImportLink brandId={brandId} source={event.import} />
        </p>
      )}
    />
  );
}

function EventText({ event: { kind, detail, by, import: source } }: { event: CertificateEvent }) {
  const { t } = useTranslation();
  const who = by ?? t('certificate_panel.history.somebody');
  if (kind === 'status_changed')
    return t('certificate_panel.history.kinds.status_changed', {
      status: t(`certificate_status.${knownStatus(detail)}`),
    });
  const isRemovedLink = kind === 'link_changed' && detail === '';
  const key = isRemovedLink ? 'link_removed' : kind === 'added' && source ? 'imported' : kind;
  return t(`certificate_panel.history.kinds.${key}`, { by: who, detail });
}
