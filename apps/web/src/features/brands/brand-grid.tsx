import type { BrandAnswer } from '@brand-portal/contract/brands';
import { BRAND_GRID_SKELETONS } from '@brand-portal/contract/constants';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandCard } from './brand-card.tsx';
import { BrandCardSkeleton } from './brand-card-skeleton.tsx';

/** Columns by the room that the sidebar leaves, not by the window. Wants a container around it. */
const columns = 'grid grid-cols-1 gap-3 @xl:grid-cols-2 @3xl:gap-4 @4xl:grid-cols-3';
const placeholders = Array.from({ length: BRAND_GRID_SKELETONS }, (_placeholder, index) => index);

interface BrandGridProps {
  /** None while they are on their way. */
  brands: readonly BrandAnswer[] | undefined;
  empty?: ReactNode;
}

export function BrandGrid({ brands, empty }: BrandGridProps) {
  const { t } = useTranslation();
  if (!brands) {
    return (
      <div role="status" aria-label={t('brands.grid.loading')} className={columns}>
        {placeholders.map((placeholder) => (
          <BrandCardSkeleton key={placeholder} />
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
        <li key={brand.id}>
          <BrandCard brand={brand} />
        </li>
      ))}
    </ul>
  );
}
