import { PAGES } from '@brand-portal/contract/pages';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deletedBrandsQuery } from './brands-queries.ts';

/** On the not-found page of a brand: only its owners learn that it was deleted. */
export function RestoreHint({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data } = useQuery(deletedBrandsQuery());
  const brand = data?.results.find(({ id }) => id === brandId);
  if (!brand) return null;
  return (
    <p role="status" className="wrap-anywhere mx-auto max-w-md px-4 text-center">
      {t('brands.deleted.hint', { brand: brand.name })}{' '}
      <Link to={PAGES.brands} className="font-medium text-primary underline">
        {t('brands.deleted.hint_link')}
      </Link>
    </p>
  );
}
