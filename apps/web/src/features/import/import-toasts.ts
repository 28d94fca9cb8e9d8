import type { CsvUploadAnswer, ImportDetail } from '@brand-portal/contract/import';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { importPath } from '../../lib/paths.ts';
import { type ToastContent, toast } from '../../ui/toast-store.ts';
import { useImportStep } from './import-progress.tsx';
import type { ImportProgress } from './import-queries.ts';
import { failureDetail } from './upload-failure.ts';
import type { UploadEnd, UploadState } from './upload-state.ts';

/** Shows a toast with the result of an import after its dialog was closed. */
export function useOutcomeToast(brandId: number) {
  const { t } = useTranslation();
  const language = useLanguage();
  const format = useFormat();
  return (outcome: UploadEnd | UploadState, importId: number | undefined) => {
    const link = importLink(brandId, importId, t);
    switch (outcome.step) {
      case 'success': {
        const { imported, warnings = [] } = outcome.result;
        return toast({
          variant: 'success',
          title: t('import.success', { count: imported, number: format.number(imported) }),
          list: warnings.map(({ message }) => message),
          link,
        });
      }
      case 'partial': {
        const { errors, error_count: count = errors.length, imported, total_rows: total } = outcome.result;
        return toast({
          variant: 'warning',
          title: t('import.partial.title', { count, number: format.number(count) }),
          description: t('import.partial.imported', {
            count: total,
            imported: format.number(imported),
            total: format.number(total),
          }),
          link,
        });
      }
      case 'error':
        return toast({
          variant: 'error',
          title: t('import.error.title'),
          description: failureDetail(outcome.error, t, language),
          link,
        });
      case 'preview':
        if (outcome.error !== undefined)
          return toast({
            variant: 'error',
            title: t('import.preview.not_confirmed'),
            description: failureDetail(outcome.error, t, language),
            link,
          });
        return toast({
          title: t('import.preview.left.title'),
          description: t('import.preview.left.description'),
          link,
        });
      case 'chosen':
        if (outcome.cancelled === 'importing' || outcome.cancelled === 'checking')
          return toast({ title: t(`import.cancelled.${outcome.cancelled}`), link });
        return toast({
          variant: 'warning',
          title: t('import.left.title'),
          description: t('import.left.description'),
        });
    }
  };
}

/** Shows the warnings of a successful import after its dialog is closed: before, the toast would cover the dialog's buttons. */
export function useWarningsToast(brandId: number) {
  const { t } = useTranslation();
  return ({ warnings = [], import_id: importId }: CsvUploadAnswer) => {
    if (warnings.length === 0) return;
    const list = warnings.map(({ message }) => message);
    toast({ variant: 'warning', title: t('import.warnings'), list, link: importLink(brandId, importId, t) });
  };
}

/** What is said of a change of many variants after the page was reloaded. */
const ACTIONS = {
  publish: { running: 'publishing.slow.publish', done: 'publishing.published_many' },
  publish_all: { running: 'publishing.slow.publish', done: 'publishing.published_many' },
  unpublish: { running: 'publishing.slow.unpublish', done: 'publishing.unpublished_many' },
  delete: { running: 'deletion.slow', done: 'deletion.done' },
  restore: { running: 'deletion.slow_restore', done: 'deletion.restored' },
  // Imports have toasts of their own.
  file: undefined,
  corrections: undefined,
  undo: undefined,
} as const satisfies Record<ImportDetail['kind'], object | undefined>;

const actionOf = (kind: ImportDetail['kind'] | undefined) => kind && ACTIONS[kind];

/** Shows the result of a change of many variants. False: it is an import. */
export function useActionToast() {
  const { t } = useTranslation();
  const format = useFormat();
  return ({ kind, outcome, failure }: ImportDetail): boolean => {
    const texts = actionOf(kind);
    if (!texts) return false;
    const count = outcome && 'changed' in outcome ? outcome.changed : (outcome?.restored ?? 0);
    if (outcome) toast({ variant: 'success', title: t(texts.done, { count, number: format.number(count) }) });
    else if (failure) toast({ variant: 'error', title: failure.message });
    return true;
  };
}

/** The content of a toast with the progress of an import, after its dialog was closed. */
export function useProgressToast(brandId: number) {
  const { t } = useTranslation();
  const importStep = useImportStep();
  return (importId: number | undefined, progress: ImportProgress | undefined): ToastContent => {
    const action = actionOf(progress?.kind);
    if (action) return { title: t(action.running), description: t('publishing.slow.description'), progress: null, isLasting: true };
    const step = progress && importStep(progress);
    return {
      title: t('import.left.goes_on.title'),
      description: step?.title ?? t('import.left.goes_on.description'),
      progress: step?.isMeasured ? step.percent : null,
      link: importLink(brandId, importId, t),
      isLasting: true,
    };
  };
}

function importLink(brandId: number, importId: number | undefined, t: TFunction): ToastContent['link'] {
  return importId === undefined ? undefined : { to: importPath(brandId, importId), label: t('import.see') };
}
