import type { CsvUploadAnswer, CsvWarning } from '@brand-portal/contract/import';
import { Download, Pencil } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { importPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { bringIntoView, ScrollRegion } from './dialog-parts.tsx';
import { useSaveRejectedRows } from './import-queries.ts';
import { failureDetail } from './upload-failure.ts';

interface PartialResultProps {
  brandId: number;
  result: CsvUploadAnswer;
  fileName: string;
  onChangeColumns: () => void;
}

/** What was imported and what was not, and how to import the rest. */
export function PartialResult({ brandId, result, fileName, onChangeColumns }: PartialResultProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { errors, error_count: count = errors.length, imported, total_rows: total, warnings = [], import_id } = result;
  return (
    <div className="flex flex-col gap-3">
      <Alert tone={imported > 0 ? 'warning' : 'error'}>
        <p className="font-medium">{t('import.partial.title', { count, number: format.number(count) })}</p>
        <p>
          {t('import.partial.imported', {
            count: total,
            imported: format.number(imported),
            total: format.number(total),
          })}
        </p>
        <VariantCounts result={result} />
      </Alert>
      <RowErrors errors={errors} />
      {errors.length < count && (
        <p className="text-caption text-text-secondary">
          {t('import.partial.more', { shown: format.number(errors.length), count: format.number(count) })}
        </p>
      )}
      <Warnings warnings={warnings} onChangeColumns={onChangeColumns} />
      {import_id !== undefined && <RejectedRows brandId={brandId} fileName={fileName} importId={import_id} isElsewhere />}
    </div>
  );
}

export function RowErrors({ errors }: { errors: CsvUploadAnswer['errors'] }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={t('import.partial.list')} className="max-h-48 rounded-control border">
      <ul className="divide-y text-small">
        {errors.map(({ row, message, field }, index) => (
          // A row can have the same error twice: only the position in the list identifies an error.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="px-3 py-2">
            <p className="break-words">{t('import.partial.row', { row, message })}</p>
            {field && <p className="text-caption text-text-tertiary">{t('import.partial.field', { field })}</p>}
          </li>
        ))}
      </ul>
    </ScrollRegion>
  );
}

interface WarningsProps {
  warnings: readonly CsvWarning[];
  /** Opens the column mapping again. */
  onChangeColumns?: (() => void) | undefined;
}

const ABOUT_COLUMNS = ['chosen_columns', 'remembered_columns'];

export function Warnings({ warnings, onChangeColumns }: WarningsProps) {
  const { t } = useTranslation();
  if (warnings.length === 0) return null;
  return (
    <div className="text-small">
      <p className="font-medium">{t('import.warnings')}</p>
      <ul className="mt-1 list-disc pl-5 text-text-secondary">
        {warnings.map(({ code, message }) => (
          <li key={message} className="break-words">
            {message}
            {onChangeColumns && ABOUT_COLUMNS.includes(code) && (
              <>
                {' '}
                <button
                  type="button"
                  onClick={onChangeColumns}
                  className="touch-area rounded-sm font-medium text-primary underline underline-offset-2"
                >
                  {t('import.columns.change')}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface RejectedRowsProps {
  brandId: number;
  importId: number;
  fileName: string;
  /** Not on the import's own page, where the rows can be corrected: adds a link to it. */
  isElsewhere?: boolean;
}

export function RejectedRows({ brandId, importId, fileName, isElsewhere = false }: RejectedRowsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { mutate, isPending, error } = useSaveRejectedRows(brandId, importId);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-56 text-pretty text-small text-text-secondary">
          {t(isElsewhere ? 'import.rejected.choice' : 'import.rejected.description')}
        </p>
        {isElsewhere && (
          <Button asChild size="dense" className="max-sm:w-full">
            <Link to={importPath(brandId, importId)}>
              <Pencil className="size-4" />
              {t('import.rejected.correct')}
            </Link>
          </Button>
        )}
        <Button
          size="dense"
          icon={<Download className="size-4" />}
          busy={isPending}
          busyLabel={t('import.rejected.busy')}
          onClick={() => mutate(fileName.replace(/(\.(csv|xlsx|txt))?$/i, '-rejected.csv'))}
          className="max-sm:w-full"
        >
          {t('import.rejected.download')}
        </Button>
      </div>
      {error && (
        <div ref={bringIntoView} className="scroll-mb-5">
          <Alert tone="error">
            <p className="font-medium">{t('import.rejected.failed')}</p>
            <p>{failureDetail(error, t, language)}</p>
          </Alert>
        </div>
      )}
    </div>
  );
}

/** Counts of created and updated variants. Nothing if the server does not send them. */
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
