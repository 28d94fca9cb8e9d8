import type { CsvUploadAnswer } from '@brand-portal/contract/import';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';

/** What the rows meant for the variants. Nothing where the server does not tell. */
export function VariantCounts({ result }: { result: CsvUploadAnswer }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { variants_created: created, variants_updated: updated, variants_unchanged: unchanged } = result;
  if (created === undefined || updated === undefined || unchanged === undefined) return null;
  const count = (what: 'created' | 'updated' | 'unchanged', count: number) =>
    t(`import.variants.${what}`, { count, number: format.number(count) });
  return (
    <p>
      {t('import.variants.all', {
        created: count('created', created),
        updated: count('updated', updated),
        unchanged: count('unchanged', unchanged),
      })}
    </p>
  );
}
