import type { Attention, ChannelIssueGroup, VariantReason } from '@brand-portal/contract/attention';
import { dismissImports, IMPORT_NOTICES, type ImportNotice } from '@brand-portal/contract/import';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import type { ExportList } from '../../lib/download.ts';
import { useFormat } from '../../lib/format.ts';
import { certificationsPath, importsPath, productVariantsPath, settingsPath, useBrandId } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useMoveFocusOnUnmount } from '../../ui/use-move-focus-on-unmount.ts';
import { useBrand, useDeniedReason } from '../brands/brands-queries.ts';
import { whyWaiting } from '../settings/channel-queries.ts';
import { exportFilteredVariants } from '../variants/variants-queries.ts';
import { attentionQuery, useDismissImports } from './attention-queries.ts';
import { SAME_CAUSE } from './same-cause.exported.tsx';

type Tone = 'error' | 'warning' | 'info';

const VARIANT_TONES: Readonly<Record<VariantReason, Tone>> = {
  refused: 'error',
  restricted_gtin: 'error',
  partly_live: 'warning',
  unreachable: 'warning',
  no_image: 'warning',
  no_description: 'warning',
  not_displayed: 'info',
  prefix_outlier: 'info',
};

const CERTIFICATE_TONES = { invalid: 'error', ends_soon: 'warning', pending: 'info' } as const;

const TONES: readonly Tone[] = ['error', 'warning', 'info'];
const worst = (tones: readonly Tone[]): Tone => TONES.find((tone) => tones.includes(tone)) ?? 'info';

/** Rendered inside the brand's shell, so the brand exists. */
export function AttentionPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  const { data: attention, error, refetch } = useQuery(attentionQuery(brandId));
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('attention.title')} subtitle={t('attention_page.subtitle')} />
      {attention ? (
        <Reasons brandId={brandId} attention={attention} />
      ) : (
        <Card>
          {error ? (
            <QueryError title={t('attention_page.error')} error={error} refetch={refetch} />
          ) : (
            <div role="status" className="flex flex-col gap-4">
              <span className="sr-only">{t('attention_page.loading')}</span>
              {[1, 2, 3].map((line) => (
                <Skeleton key={line} className="h-12 w-full" />
              ))}
            </div>
          )}
        </Card>
      )}
    </div>
  );
}

function Reasons({ brandId, attention }: { brandId: number; attention: Attention }) {
  const { t } = useTranslation();
  const variantsPath = (filter: Record<string, string>) => `${productVariantsPath(brandId)}?${new URLSearchParams(filter)}`;
  const { connection, variants, issues, certificates, imports } = attention;
  const rows: ReactNode[] = [];
  const inSettings = { to: settingsPath(brandId), linkText: t('variants.connection.link') };
  const { data: brand } = useBrand(brandId);
  const waiting = whyWaiting(brand?.status, connection);
  if (waiting) {
    rows.push(
      <Reason key="waiting" tone="warning" title={t(`attention_page.connection.${waiting}`)} {...(waiting !== 'inactive' && inSettings)} />,
    );
  }
  if (attention.brand_name_differs) {
    rows.push(<Reason key="brand" tone="info" title={t('attention_page.brand_name_differs')} {...inSettings} />);
  }
  const format = useFormat();
  const listed = new Set<VariantReason>();
  /** Includes Google's issues with the same cause. */
  const addReason = (reason: VariantReason, count: number, found: readonly ChannelIssueGroup[]) => {
    listed.add(reason);
    const atGoogle = found.reduce((sum, issue) => sum + issue.count, 0);
    rows.push(
      <Reason
        key={reason}
        tone={worst([VARIANT_TONES[reason], ...found.map(({ severity }) => severity)])}
        count={count}
        title={t(`attention.reasons.${reason}.title`)}
        detail={t(`attention.reasons.${reason}.detail`)}
        source={atGoogle > 0 ? t('attention_page.found_by_google', { count: atGoogle, number: format.number(atGoogle) }) : undefined}
        to={variantsPath({ reason })}
        onExport={exportFilteredVariants(brandId, { reason }, count)}
      />,
    );
  };
  for (const { type, severity, title, description, count } of issues) {
    const own = variants.find(({ reason }) => reason === SAME_CAUSE[type]);
    if (own) {
      const same = issues.filter((issue) => SAME_CAUSE[issue.type] === own.reason);
      if (!listed.has(own.reason)) addReason(own.reason, own.count, same);
      continue;
    }
    rows.push(
      <Reason
        key={`issue ${type} ${severity}`}
        tone={severity}
        count={count}
        title={title || type}
        detail={description}
        source={t('attention_page.google_says')}
        to={variantsPath({ issue: type })}
        onExport={exportFilteredVariants(brandId, { issue: type }, count)}
      />,
    );
  }
  for (const { reason, count } of variants) if (!listed.has(reason)) addReason(reason, count, []);
  for (const status of ['invalid', 'ends_soon', 'pending'] as const) {
    if (certificates[status] === 0) continue;
    rows.push(
      <Reason
        key={status}
        tone={CERTIFICATE_TONES[status]}
        count={certificates[status]}
        title={t(`attention_page.certificates.${status}.title`)}
        detail={t(`attention_page.certificates.${status}.detail`)}
        to={`${certificationsPath(brandId)}?${new URLSearchParams({ status })}`}
      />,
    );
  }
  for (const kind of IMPORT_NOTICES) {
    if (imports[kind] === 0) continue;
    rows.push(
      <Reason
        key={kind}
        tone="warning"
        count={imports[kind]}
        title={t(`attention_page.imports.${kind}.title`)}
        detail={t(`attention_page.imports.${kind}.detail`)}
        to={`${importsPath(brandId)}?${new URLSearchParams({ notice: kind })}`}
        action={<DismissButton brandId={brandId} notice={kind} ids={imports.ids[kind]} />}
      />,
    );
  }
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={CircleCheck}
          heading="h2"
          title={t('attention_page.nothing.title')}
          description={t('attention_page.nothing.description')}
        />
        <Counted at={attention.counted_at} />
      </Card>
    );
  }
  return (
    <Card>
      <ul className="divide-y">{rows}</ul>
      <Counted at={attention.counted_at} />
    </Card>
  );
}

interface DismissButtonProps {
  brandId: number;
  notice: ImportNotice;
  /** Those that the page has counted: others are not dismissed. */
  ids: number[];
}

function DismissButton({ brandId, notice, ids }: DismissButtonProps) {
  const { t } = useTranslation();
  const buttonRef = useMoveFocusOnUnmount('main');
  const denied = useDeniedReason(brandId)(dismissImports);
  const { mutate, isPending } = useDismissImports(brandId, notice);
  const dismiss = () =>
    mutate(ids, {
      onError: (error) =>
        toast({
          variant: 'error',
          title: t('attention_page.imports.dismiss.failed'),
          description: errorMessage(error, t),
        }),
    });
  return (
    <ExplainedButton
      ref={buttonRef}
      icon={<X className="size-4" />}
      busy={isPending}
      busyLabel={t('attention_page.imports.dismiss.busy')}
      hint={denied ?? t('attention_page.imports.dismiss.hint')}
      onClick={dismiss}
    >
      {t('attention_page.imports.dismiss.action')}
      <span className="sr-only">: {t(`attention_page.imports.${notice}.title`)}</span>
    </ExplainedButton>
  );
}

/** Of a very large brand, which is not counted on request. */
function Counted({ at }: { at: string | null | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (at === undefined) return null;
  return (
    <p className="mt-4 text-small text-text-secondary">
      {at ? t('attention_page.counted', { time: format.time(at) }) : t('attention_page.first_count')}
    </p>
  );
}

interface ReasonProps {
  tone: Tone;
  count?: number;
  title: string;
  detail?: string;
  /** Who reported it: Google, alone or as well. */
  source?: string | undefined;
  to?: string;
  linkText?: string;
  onExport?: ExportList;
  action?: ReactNode;
}

function Reason({ tone, count, title, detail, source, to, linkText, onExport, action }: ReasonProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
          {count !== undefined && (
            <Badge tone={tone} icon={tone === 'warning' ? TriangleAlert : undefined}>
              {format.number(count)}
            </Badge>
          )}
          {source && <span className="text-caption text-text-tertiary">{source}</span>}
        </div>
        {detail && <p className="text-pretty text-small text-text-secondary [overflow-wrap:anywhere]">{detail}</p>}
      </div>
      <div className="flex items-center gap-4">
        {/* The link last: some reasons have no export, and links are below each other all the same. */}
        {action}
        {onExport && <ExportMenu onExport={onExport} subject={title} />}
        {to && (
          <Link to={to} className="touch-area font-medium text-primary text-small hover:underline">
            {linkText ?? (
              <>
                {t('attention_page.show')}
                <span className="sr-only">: {title}</span>
              </>
            )}
          </Link>
        )}
      </div>
    </li>
  );
}
