import type { BrandAnswer } from '@brand-portal/contract/brands';
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BrandLogo } from './brand-logo.tsx';
import { BrandStatusBadge } from './brand-status-badge.tsx';
import { LeaveBrand } from './leave-brand.tsx';
import { TrialDialog } from './trial-dialog.exported.tsx';

export function BrandHeader({ brand }: { brand: BrandAnswer }) {
  const { t } = useTranslation();
  const [trialOpen, setTrialOpen] = useState(false);
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-3">
        <BrandLogo logo={brand.logo} />
        <div className="min-w-0 flex-1">
          {/* Not a heading: that is the page below it. */}
          <p className="font-semibold text-heading">
            <ClampedText text={brand.name} lines={2} />
          </p>
          <div className="mt-0.5 flex flex-wrap items-center gap-1.5">
            <BrandStatusBadge status={brand.status} />
          </div>
        </div>
        <LeaveBrand brandId={brand.id} brand={brand.name} />
      </div>
      {!brand.opted_in_for_trial && (
        <Button
          icon={<Sparkles aria-hidden="true" className="size-4" />}
          onClick={() => setTrialOpen(true)}
          className="max-sm:w-full"
        >
          {t('trial.title')}
        </Button>
      )}
      <TrialDialog brandId={brand.id} open={trialOpen} onOpenChange={setTrialOpen} />
    </header>
  );
}

export function BrandHeaderSkeleton() {
  return (
    <div className="flex items-center gap-3">
      <Skeleton className="size-11 rounded-control" />
      <div className="flex flex-1 flex-col">
        <Skeleton className="my-1 h-4 w-40" />
        <Skeleton className="mt-0.5 h-6 w-20 rounded-full" />
      </div>
    </div>
  );
}
