import type { RejectedRow, RejectedRowPage } from '@brand-portal/contract/import-corrections';
import clsx from 'clsx';
import type { TFunction } from 'i18next';
import { CircleAlert, CircleCheck, LoaderCircle, PackageCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormat } from '../../lib/format.ts';
import { importPath } from '../../lib/paths.ts';
import { Badge } from '../../ui/badge.tsx';
import { CorrectionCell } from './correction-cell.tsx';

/** A 12-digit GTIN with a leading zero, which a spreadsheet has removed. */
const LOST_ZERO = /^\d{11}$/;

export interface CellCorrection {
  place: number;
  /** The value that the cell showed. */
  from: string;
  /** The server's last value, while an earlier edit is being saved. */
  stored: string;
  to: string;
}

interface CorrectionsTableProps {
  brandId: number;
  page: RejectedRowPage;
  mayEdit: boolean;
  /** Other rows are loading. */
  isOutdated: boolean;
  onCorrect: (row: number, correction: CellCorrection) => Promise<unknown>;
}

/** Cells beyond the last column of the file have no name. */
export function columnName({ name, place }: Pick<RejectedRowPage['columns'][number], 'name' | 'place'>, t: TFunction) {
  return name || t('imports.fix.extra_column', { number: place + 1 });
}

/** One line per row; in a narrow container a card per row, with the column names as labels. */
export function CorrectionsTable({ brandId, page, mayEdit, isOutdated, onCorrect }: CorrectionsTableProps) {
  const { t } = useTranslation();
  const label = t('imports.errors.title');
  const nameOf = (column: RejectedRowPage['columns'][number]) => columnName(column, t);
  const zeroNote = ({ state }: RejectedRow, { field }: RejectedRowPage['columns'][number], value: string) =>
    field === 'gtin' && state !== 'wrong' && LOST_ZERO.test(value.trim())
      ? t('imports.fix.zero_added', { gtin: `0${value.trim()}` })
      : undefined;
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls horizontally must be focusable
      tabIndex={0}
      className="focus-visible:-outline-offset-2 @container scroll-shade overflow-x-auto"
    >
      <table aria-label={label} aria-busy={isOutdated} className="w-full border-collapse text-small @max-5xl:block">
        <thead className="@max-5xl:hidden">
          <tr className="h-9 border-b bg-background text-left text-caption text-text-secondary">
            <th scope="col" className="whitespace-nowrap px-3 font-medium">
              {t('imports.fix.row')}
            </th>
            {page.columns.map((column) => (
              <th key={column.place} scope="col" className="whitespace-nowrap px-3 font-medium">
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={clsx('transition-opacity @max-5xl:block [&_button]:scroll-mt-32', isOutdated && 'opacity-55')}>
          {page.results.map((row) => (
            <tr
              key={row.row}
              className="border-t align-top first:border-t-0 @max-5xl:grid @max-5xl:px-2 @max-5xl:py-3 @xl:@max-5xl:grid-cols-2"
            >
              <th scope="row" className="min-w-36 px-3 py-2 text-left font-normal @max-5xl:col-span-full @max-5xl:px-1">
                <RowState brandId={brandId} row={row} />
              </th>
              {page.columns.map((column, index) => (
                <td key={column.place} className="relative min-w-40 px-1 py-1 @max-5xl:block @max-5xl:min-w-0">
                  <span aria-hidden="true" className="block wrap-anywhere px-2 text-caption text-text-secondary @5xl:hidden">
                    {nameOf(column)}
                  </span>
                  <div className="min-w-0">
                    <CorrectionCell
                      row={row.row}
                      column={nameOf(column)}
                      value={row.cells[index] ?? ''}
                      errors={row.errors.filter(({ place }) => place === column.place)}
                      isCorrected={row.corrected.includes(column.place)}
                      isEditable={mayEdit && !column.read_only && (row.state === 'wrong' || row.state === 'ready')}
                      note={zeroNote(row, column, row.cells[index] ?? '')}
                      onCorrect={(from, to) => onCorrect(row.row, { place: column.place, from, stored: row.cells[index] ?? '', to })}
                    />
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const badgeStyles = {
  wrong: { tone: 'error', icon: CircleAlert },
  ready: { tone: 'success', icon: CircleCheck },
  importing: { tone: 'info', icon: LoaderCircle },
  imported: { tone: 'neutral', icon: PackageCheck },
} as const;

/** Row number, state, and errors of the row as a whole. */
function RowState({ brandId, row: { row, state, errors, import_id } }: { brandId: number; row: RejectedRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="font-medium tabular-nums">{t('imports.fix.row_number', { number: format.number(row) })}</span>
      <Badge {...badgeStyles[state]}>{t(`imports.fix.state.${state}`)}</Badge>
      {import_id !== null && (
        <Link to={importPath(brandId, import_id)} className="touch-area rounded-sm text-caption text-primary hover:underline">
          {t('imports.fix.see')}
        </Link>
      )}
      {errors
        .filter(({ place }) => place === null)
        .map(({ code, message }) => (
          <p key={code} className="max-w-64 text-pretty wrap-anywhere text-caption text-error">
            {message}
          </p>
        ))}
    </div>
  );
}
