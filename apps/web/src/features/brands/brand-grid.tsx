import type { BrandAnswer } from '@brand-portal/contract/brands';
import { BRAND_GRID_SKELETONS } from '@brand-portal/contract/constants';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandCard } from './brand-card.tsx';
import { BrandCardSkeleton } from './brand-card-skeleton.tsx';

const columns = 'grid grid-cols-1 gap-3 md:grid-cols-2 lg:grid-cols-3 @3xl:gap-4';
/** A card adapts to its own width: at a window width of 1024 px three cards beside the sidebar are narrow. */
const cell = '@container min-w-0';
const placeholders = Array.from({ length: BRAND_GRID_SKELETONS }, (_placeholder, index) => index);

interface BrandGridProps {
  /** Undefined while loading. */
  brands: readonly BrandAnswer[] | undefined;
  empty?: ReactNode;
}

export function BrandGrid({ brands, empty }: BrandGridProps) {
  const { t } = useTranslation();
  if (!brands) {
    return (
      <div role="status" aria-label={t('brands.grid.loading')} className={columns}>
        {placeholders.map((placeholder) => (
          <div key={placeholder} className={cell}>
            <BrandCardSkeleton />
          </div>
        ))}
      </div>
    );
  }
  if (brands.length === 0) {
    return empty ?? <p className="py-12 text-center text-text-secondary">{t('brands.grid.none')}</p>;
  }
  return (
    <ul className={columns}>
      {brands.map((brand) => (
        <li key={brand.id} className={cell}>
          <BrandCard brand={brand} />
        </li>
      ))}
    </ul>
  );
}
