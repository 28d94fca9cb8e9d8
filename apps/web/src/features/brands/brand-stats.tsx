import type { BrandListAnswer } from '@brand-portal/contract/brands';
import clsx from 'clsx';
import { CircleCheck, type LucideIcon, Store, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Without a list: placeholders for its numbers. */
export function BrandStats({ list }: { list?: BrandListAnswer }) {
  const { t } = useTranslation();
  const active = list?.results.filter((brand) => brand.opted_in_for_trial).length;
  return (
    <dl className="grid grid-cols-1 gap-3 @lg:grid-cols-3 @3xl:gap-4" aria-label={t('brands.stats.label')}>
      <Stat icon={Store} label={t('brands.stats.total')} value={list?.results.length} />
      <Stat icon={CircleCheck} label={t('brands.stats.active')} value={active} note={t('brands.stats.active_note')} />
      <Stat icon={Users} label={t('brands.stats.members')} value={list?.member_count} />
    </dl>
  );
}

interface StatProps {
  icon: LucideIcon;
  label: string;
  value: number | undefined;
  /** What exactly is counted. */
  note?: string;
}

function Stat({ icon: Icon, label, value, note }: StatProps) {
  const format = useFormat();
  return (
    <Card className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 px-4 py-3 @lg:gap-x-2 @lg:p-4 @3xl:p-5">
      <Icon className="row-span-2 size-4 shrink-0 text-text-tertiary @lg:col-start-3 @lg:row-span-1 @lg:row-start-1" />
      <dt className={clsx('text-small text-text-secondary @lg:col-span-2 @lg:row-start-1', !note && '@max-lg:row-span-2')}>{label}</dt>
      <dd className="row-span-2 font-semibold text-title tabular-nums @lg:row-span-1 @lg:text-display">
        {value === undefined ? <Skeleton className="my-1 h-5 w-8 @lg:h-6" /> : format.number(value)}
      </dd>
      {note && <dd className="text-caption text-text-tertiary @max-lg:col-start-2 @lg:col-span-2 @lg:pt-1.5">{note}</dd>}
    </Card>
  );
}
