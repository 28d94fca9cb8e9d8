import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast-store.ts';
import { failureDetail } from './upload-failure.ts';
import type { UploadState } from './upload-state.ts';

/** What became of a file whose dialog has been left. */
export function useToldOutcome() {
  const { t } = useTranslation();
  const language = useLanguage();
  const format = useFormat();
  return (outcome: UploadState) => {
    switch (outcome.step) {
      case 'success': {
        const { imported, warnings = [] } = outcome.result;
        return toast({
          variant: 'success',
          title: t('import.success', { count: imported, number: format.number(imported) }),
          description: warnings.map(({ message }) => message).join(' '),
        });
      }
      case 'partial': {
        const { errors, error_count: count = errors.length, imported, total_rows: total } = outcome.result;
        return toast({
          variant: 'warning',
          title: t('import.partial.title', { count, number: format.number(count) }),
          description: t('import.partial.imported', { imported: format.number(imported), total: format.number(total) }),
        });
      }
      case 'error':
        return toast({
          variant: 'error',
          title: t('import.error.title'),
          description: failureDetail(outcome.error, t, language),
        });
      case 'preview':
        return toast({ title: t('import.preview.left.title'), description: t('import.preview.left.description') });
      case 'chosen':
        if (outcome.cancelled === 'importing') return toast({ title: t('import.cancelled.importing') });
        return toast({
          variant: 'warning',
          title: t('import.left.title'),
          description: t('import.left.description'),
        });
    }
  };
}
