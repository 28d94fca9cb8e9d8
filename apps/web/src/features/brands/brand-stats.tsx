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
      <Stat icon={CircleCheck} label={t('brands.stats.active')} value={active} />
      <Stat icon={Users} label={t('brands.stats.members')} value={list?.member_count} />
    </dl>
  );
}

interface StatProps {
  icon: LucideIcon;
  label: string;
  value: number | undefined;
}

function Stat({ icon: Icon, label, value }: StatProps) {
  const format = useFormat();
  return (
    <Card className="flex items-center gap-x-3 px-4 py-3 @lg:grid @lg:grid-cols-[1fr_auto] @lg:p-4 @3xl:p-5">
      <dt className="flex-1 text-small text-text-secondary">{label}</dt>
      <dd className="font-semibold text-title tabular-nums @lg:order-last @lg:text-display">
        {value === undefined ? <Skeleton className="my-1 h-5 w-8 @lg:h-6" /> : format.number(value)}
      </dd>
      <Icon aria-hidden="true" className="order-first size-4 shrink-0 text-text-tertiary @lg:order-none" />
    </Card>
  );
}
