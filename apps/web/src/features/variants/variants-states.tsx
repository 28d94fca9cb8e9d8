import { VARIANT_STATES, type VariantState, type VariantStates as VariantStatesAnswer } from '@brand-portal/contract/variants';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { Ban, CircleAlert, CircleCheck, CircleDot, Clock, type LucideIcon, Send, ShieldAlert } from 'lucide-react';
import { useContext, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { WaitingContext } from './published-badge.tsx';
import { variantListQuery, variantStatesQuery } from './variants-queries.ts';
import type { VariantsView } from './variants-view.ts';

const stateStyles: Record<VariantState | 'waiting' | 'inactive', { icon: LucideIcon; tone: string }> = {
  live: { icon: CircleCheck, tone: 'text-success' },
  on_its_way: { icon: Send, tone: 'text-primary' },
  queued: { icon: Clock, tone: 'text-primary' },
  sent: { icon: Send, tone: 'text-primary' },
  waiting: { icon: Clock, tone: 'text-text-tertiary' },
  inactive: { icon: Clock, tone: 'text-text-tertiary' },
  refused: { icon: CircleAlert, tone: 'text-error' },
  blocked: { icon: Ban, tone: 'text-error' },
  unpublished: { icon: CircleDot, tone: 'text-text-tertiary' },
  certificate_problems: { icon: ShieldAlert, tone: 'text-warning' },
};

const toggleClasses =
  'control-height-dense inline-flex shrink-0 items-center gap-1.5 rounded-full border bg-surface px-3 font-medium text-small text-text-secondary transition-colors hover:bg-surface-hover aria-pressed:border-primary aria-pressed:bg-primary-bg aria-pressed:text-primary';

interface VariantStatesProps {
  brandId: number;
  view: VariantsView;
  onChange: (change: Partial<VariantsView>) => void;
}

/** The number of variants in each state. Each is a filter button; a second press removes the filter. The chosen state is explained. */
export function VariantStates({ brandId, view, onChange }: VariantStatesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const explanationId = useId();
  const waiting = useContext(WaitingContext);
  // Nobody sends what the channel does not have yet. What it has does not wait.
  const shownAs = (state: VariantState) => {
    if (state !== 'queued' || !waiting) return state;
    return waiting === 'inactive' ? 'inactive' : 'waiting';
  };
  const hidden: readonly VariantState[] = waiting ? ['on_its_way'] : ['queued', 'sent'];
  const states = VARIANT_STATES.filter((state) => !hidden.includes(state) || state === view.state);
  const { data: counts, isPending } = useQuery(variantStatesQuery(brandId, view));
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t('variants.states.label')}</legend>
        {states.map((state) => {
          const { icon: Icon, tone } = stateStyles[shownAs(state)];
          const isOn = view.state === state;
          const change = { state: isOn ? ('' as const) : state, ...(view.state === 'refused' && { issue: '' }) };
          const prefetch = () => void queryClient.prefetchQuery(variantListQuery(brandId, { ...view, ...change, page: 1 }));
          return (
            <button
              key={state}
              type="button"
              aria-pressed={isOn}
              aria-describedby={isOn ? explanationId : undefined}
              onClick={() => onChange(change)}
              onPointerEnter={prefetch}
              onFocus={prefetch}
              className={toggleClasses}
            >
              <Icon className={clsx('size-3.5 shrink-0', !isOn && tone)} />
              {t(`variants.states.${shownAs(state)}`)} {/* Fixed width, so that the layout does not shift when it loads. */}
              <span className="min-w-5 text-right text-text tabular-nums">
                {counts?.[state] !== undefined ? format.number(counts[state]) : isPending && <Skeleton className="h-3.5 w-5" />}
              </span>
            </button>
          );
        })}
      </fieldset>
      {view.state !== '' && (
        <p id={explanationId} className="text-small text-text-secondary">
          {t(`variants.states.means.${shownAs(view.state)}`)}
        </p>
      )}
      {view.state === 'refused' && (
        <RefusalReasons reasons={counts?.issues ?? []} issue={view.issue} onChange={(issue) => onChange({ issue })} />
      )}
    </div>
  );
}

interface RefusalReasonsProps {
  reasons: NonNullable<VariantStatesAnswer['issues']>;
  issue: string;
  onChange: (issue: string) => void;
}

/** Google's reasons for refusals, most frequent first. The chosen one is always listed, so that it can be unselected. */
function RefusalReasons({ reasons, issue, onChange }: RefusalReasonsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isMissing = issue !== '' && reasons.every(({ type }) => type !== issue);
  const shown = isMissing ? [...reasons, { type: issue, title: '', count: 0 }] : reasons;
  if (shown.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{t('variants.states.reasons')}</legend>
      {shown.map(({ type, title, count }) => (
        <button
          key={type}
          type="button"
          aria-pressed={issue === type}
          onClick={() => onChange(issue === type ? '' : type)}
          className={clsx(toggleClasses, 'max-w-full')}
        >
          <span className="truncate">{title || type}</span> <span className="text-text tabular-nums">{format.number(count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
