import type { BrandListAnswer } from '@brand-portal/contract/brands';
import { CircleCheck, type LucideIcon, Store, Users } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Without a list: the places that its numbers will take. */
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
    <Card className="flex items-center gap-x-3 px-4 py-3 @lg:grid @lg:grid-cols-[auto_1fr_auto] @lg:gap-x-2 @lg:p-4 @3xl:p-5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-text-tertiary @lg:col-start-3 @lg:row-start-1" />
      <dt className="text-small text-text-secondary @lg:col-span-2 @lg:row-start-1">{label}</dt>
      <dd className="order-last ml-auto font-semibold text-title tabular-nums @lg:order-none @lg:text-display">
        {value === undefined ? <Skeleton className="my-1 h-5 w-8 @lg:h-6" /> : format.number(value)}
      </dd>
      {note && <dd className="text-caption text-text-tertiary @lg:col-span-2 @lg:pt-1.5">{note}</dd>}
    </Card>
  );
}
