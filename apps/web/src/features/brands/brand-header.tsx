import type { BrandAnswer } from '@brand-portal/contract/brands';
import { Sparkles } from 'lucide-react';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BrandStatusBadge } from './brand-badges.exported.tsx';
import { TrialDialog } from './brand-dialogs.exported.tsx';
import { BrandLogo } from './brand-logo.tsx';
import { LeaveBrand } from './leave-brand.tsx';

/** Memoised: renders only when the brand changes, not on every change of the URL. */
export const BrandHeader = memo(function BrandHeader({ brand }: { brand: BrandAnswer }) {
  const { t } = useTranslation();
  const [trialOpen, setTrialOpen] = useState(false);
  return (
    <header className="flex min-h-11 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
        <BrandLogo logo={brand.logo} />
        {/* Not a heading: the page below has the heading. */}
        <p className="min-w-0 font-semibold text-heading">
          <ClampedText text={brand.name} lines={2} />
        </p>
        <span className="shrink-0">
          <BrandStatusBadge status={brand.status} />
        </span>
        <span className="ml-auto shrink-0">
          <LeaveBrand brandId={brand.id} brand={brand.name} isLastOwner={brand.is_last_owner} />
        </span>
      </div>
      {!brand.opted_in_for_trial && (
        <Button icon={<Sparkles className="size-4" />} onClick={() => setTrialOpen(true)} className="max-sm:w-full">
          {t('trial.title')}
        </Button>
      )}
      <TrialDialog brandId={brand.id} open={trialOpen} onOpenChange={setTrialOpen} />
    </header>
  );
});

export function BrandHeaderSkeleton() {
  return (
    <div className="flex h-11 flex-1 items-center gap-3">
      <Skeleton className="size-11 rounded-control" />
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-6 w-20 rounded-full" />
    </div>
  );
}
