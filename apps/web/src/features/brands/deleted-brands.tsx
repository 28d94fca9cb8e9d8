import type { DeletedBrand } from '@brand-portal/contract/brands';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast-store.ts';
import { deletedBrandsQuery, useRestoreBrand } from './brands-queries.ts';

/** Deleted brands that the member owns and can still restore. If they cannot be loaded, the dashboard leaves them out. */
export function DeletedBrands() {
  const { t } = useTranslation();
  const { data } = useQuery(deletedBrandsQuery());
  if (!data?.results.length) return null;
  return (
    <section aria-labelledby="deleted-brands-title" className="flex flex-col gap-3">
      <h2 id="deleted-brands-title" className="font-semibold text-heading">
        {t('brands.deleted.title')}
      </h2>
      <ul className="flex flex-col gap-3">
        {data.results.map((brand) => (
          <li key={brand.id}>
            <Deleted brand={brand} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Deleted({ brand: { id, name, restorable_until } }: { brand: DeletedBrand }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { mutate, isPending } = useRestoreBrand(id);
  const restore = () => {
    mutate(undefined, {
      onSuccess: () => {
        toast({ variant: 'success', title: t('brands.deleted.restored', { brand: name }) });
        // The focused button is gone: moves the focus to the page's content.
        document.querySelector('main')?.focus();
      },
      onError: (error) =>
        toast({
          variant: 'error',
          title: t('brands.deleted.failed', { brand: name }),
          description: errorMessage(error, t),
        }),
    });
  };
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="flex min-w-0 flex-1 basis-72 items-center gap-3">
        <Trash2 className="size-5 shrink-0 text-text-tertiary" />
        <p className="wrap-anywhere min-w-0 text-pretty">
          <span className="font-medium">{name}</span>{' '}
          <span className="text-text-secondary">{t('brands.deleted.until', { time: format.time(restorable_until) })}</span>
        </p>
      </div>
      <Button
        busy={isPending}
        busyLabel={t('brands.deleted.restoring')}
        aria-label={t('brands.deleted.restore_label', { brand: name })}
        onClick={restore}
        className="max-sm:w-full"
      >
        {t('brands.deleted.restore')}
      </Button>
    </Card>
  );
}
