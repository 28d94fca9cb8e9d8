import type { TimelineEvent, VariantDetail } from '@brand-portal/contract/variant-detail';
import { EDITABLE_FIELDS, VARIANT_FIELDS } from '@brand-portal/contract/variant-fields';
import { CHANNEL_STATES, channelOf } from '@brand-portal/contract/variants';
import { ExternalLink, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { PanelSection, PanelTimeline } from '../../ui/panel.tsx';
import { SAME_CAUSE } from '../attention/same-cause.exported.tsx';
import { ImportLink } from '../import/import-link.exported.tsx';
import { PanelCertificates } from './panel-certificates.tsx';
import { useChannelTexts } from './published-badge.tsx';

interface FactsProps {
  brandId: number;
  detail: VariantDetail;
  /** Why the member may not change it. */
  denied: string | undefined;
}

/** All details of a variant except name, GTIN and state. */
export function VariantFacts({ brandId, detail, denied }: FactsProps) {
  return (
    <>
      <Details detail={detail} />
      <PanelCertificates brandId={brandId} detail={detail} denied={denied} />
      <AtGoogle detail={detail} />
      <Readiness detail={detail} />
      <Timeline brandId={brandId} events={detail.timeline} />
    </>
  );
}

function Details({ detail }: { detail: VariantDetail }) {
  const { t } = useTranslation();
  const fields = EDITABLE_FIELDS.filter((field) => field !== 'name');
  return (
    <PanelSection title={t('variant_panel.details')}>
      <dl className="grid gap-x-4 gap-y-2.5 text-small sm:grid-cols-[9rem_1fr]">
        {fields.map((field) => (
          <div key={field} className="sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-text-secondary">{t(`fields.${field}`)}</dt>
            <dd className="wrap-anywhere min-w-0">
              {detail[field] === '' ? (
                <span className="text-text-tertiary">{t('variant_panel.empty_value')}</span>
              ) : VARIANT_FIELDS[field].kind === 'link' ? (
                <a href={detail[field]} target="_blank" rel="noreferrer" className="text-primary hover:underline">
                  {detail[field]}
                  <ExternalLink className="ml-1 inline size-3.5 align-[-0.125em]" />
                  <span className="sr-only"> ({t('variant_panel.opens_new_tab')})</span>
                </a>
              ) : (
                detail[field]
              )}
            </dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  );
}

const COUNTRY_TONES = { approved: 'success', pending: 'warning', disapproved: 'error' } as const;

function AtGoogle({ detail }: { detail: VariantDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { countries, issues, retry_at: retryAt } = detail;
  const { today = t('variant_panel.google.none'), help, isWaiting } = useChannelTexts(channelOf(detail), issues.length > 0);
  return (
    <PanelSection title={t('variant_panel.google.title')}>
      <p className="wrap-anywhere text-small text-text-secondary">{[today, help].filter(Boolean).join(' ')}</p>
      {retryAt && !isWaiting && (
        <p className="mt-1 text-small text-warning">
          {Date.parse(retryAt) > Date.now()
            ? t('variant_panel.google.retry', { time: format.time(retryAt) })
            : t('variant_panel.google.retry_soon')}
        </p>
      )}
      {countries.length > 0 && (
        <ul aria-label={t('variant_panel.google.countries')} className="mt-2 flex flex-wrap gap-1.5">
          {countries.map(({ country, status }) => (
            <li key={country}>
              <Badge tone={COUNTRY_TONES[status]}>
                {format.country(country)} · {t(`variant_panel.google.status.${status}`)}
              </Badge>
            </li>
          ))}
        </ul>
      )}
      {issues.length > 0 && (
        <>
          <h4 className="mt-3 font-medium text-small">{t('variant_panel.google.issues')}</h4>
          <ul className="divide-y">
            {issues.map(({ type, severity, title, description, attribute, countries: where, since }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Google may list one type several times; the list never changes its order
              <li key={`${type} ${index}`} className="wrap-anywhere py-2 text-small">
                <Badge tone={severity} icon={severity === 'warning' ? TriangleAlert : undefined}>
                  {title || type}
                </Badge>
                {description && <p className="mt-1 text-pretty">{description}</p>}
                <p className="text-caption text-text-secondary">
                  {[
                    attribute && t('variant_panel.google.attribute', { attribute }),
                    t('variant_panel.google.where', {
                      countries: where.length > 0 ? where.map(format.country).join(', ') : t('variant_panel.google.everywhere'),
                    }),
                    since && t('variant_panel.google.since', { date: format.day(since) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </PanelSection>
  );
}

function Readiness({ detail: { readiness, issues } }: { detail: VariantDetail }) {
  const { t } = useTranslation();
  // The issues above tell these in Google's words.
  const found = new Set(issues.map(({ type }) => SAME_CAUSE[type]));
  const reasons = readiness.filter((reason) => !found.has(reason));
  if (readiness.length > 0 && reasons.length === 0) return null;
  return (
    <PanelSection title={t('variant_panel.readiness.title')}>
      {reasons.length === 0 ? (
        <p className="text-small text-text-secondary">{t('variant_panel.readiness.none')}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {reasons.map((reason) => (
            <li key={reason} className="text-small">
              <Badge
                tone={reason === 'restricted_gtin' ? 'error' : 'warning'}
                icon={reason === 'restricted_gtin' ? undefined : TriangleAlert}
              >
                {t(`attention.reasons.${reason}.title`)}
              </Badge>
              <p className="mt-1 text-pretty text-text-secondary">{t(`attention.reasons.${reason}.detail`)}</p>
            </li>
          ))}
        </ul>
      )}
    </PanelSection>
  );
}

function Timeline({ brandId, events }: { brandId: number; events: readonly TimelineEvent[] }) {
  const { t } = useTranslation();
  return (
    <PanelTimeline
      title={t('variant_panel.timeline.title')}
      events={events}
      describe={(event) => (
        <>
          <p>
            <EventText event={event} /> <ImportLink brandId={brandId} source={event.import} />
          </p>
          {event.changes.map(({ field, from, to }) => (
            <p key={field} className="text-text-secondary">
              {fieldName(field)}: <s className="text-text-tertiary">{from || '—'}</s> <span aria-hidden="true">→</span>
              <span className="sr-only">{t('variant_panel.timeline.to')}</span> {to || '—'}
            </p>
          ))}
        </>
      )}
    />
  );

  function fieldName(field: string): string {
    const known = EDITABLE_FIELDS.find((name) => name === field);
    return known ? t(`fields.${known}`) : field;
  }
}

function EventText({ event }: { event: TimelineEvent }) {
  const { t } = useTranslation();
  const by = event.by ?? t('variant_panel.timeline.somebody');
  const state = CHANNEL_STATES.find((known) => known === event.detail);
  const kind =
    event.kind === 'created' && event.import
      ? 'created_import'
      : event.kind === 'created' && event.by === null
        ? 'created_unknown'
        : event.kind === 'published' && event.import
          ? 'published_import'
          : event.kind;
  return t(`variant_panel.timeline.kinds.${kind}`, {
    by,
    detail: event.detail,
    state: state ? t(`variants.published.channel.${state}`) : event.detail,
  });
}
