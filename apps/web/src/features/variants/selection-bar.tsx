import { actOnVariants } from '@brand-portal/contract/variant-actions';
import { exportChosenVariants } from '@brand-portal/contract/variants';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { EyeOff, Send, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { download, type ExportList } from '../../lib/download.ts';
import { useFormat } from '../../lib/format.ts';
import { ExplainedButton } from '../../ui/explained-button.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { toast } from '../../ui/toast-store.ts';
import { matchingNow, type VariantsToDelete } from './variant-actions-queries.ts';
import { type ChosenVariants, countHidden, countSelected, toChosen, useSelection, useSelectionStore } from './variant-selection.tsx';
import { useVariantActions } from './variants-actions.tsx';
import { variantKeys } from './variants-queries.ts';
import { toFilter, type VariantsView } from './variants-view.ts';

const linkClasses =
  'touch-area rounded-sm font-medium text-primary underline underline-offset-2 disabled:cursor-default disabled:opacity-50';
/** On a phone there is only room for the text. */
const iconClasses = 'size-4 max-sm:hidden';

interface SelectionBarProps {
  brandId: number;
  view: VariantsView;
  /** Number of variants that match search and filter. */
  total: number;
  /** The server's name for search and filter. */
  filterKey: string | undefined;
  /** The list, and `total`, are still those of another search or filter. */
  isOutdated: boolean;
  onDelete: (variants: VariantsToDelete) => void;
}

/** Actions for the selected variants. Visible while there are some. */
export function SelectionBar({ brandId, view, total, filterKey, isOutdated, onDelete }: SelectionBarProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const store = useSelectionStore();
  const selection = useSelection((state) => state);
  const { onPublishChosen, onUnpublishChosen, runningAction, deniedReason } = useVariantActions();
  const { allOf, ticked } = selection;
  const count = countSelected(selection, total);
  const pages = new Set([...ticked.values()].map(({ page }) => page)).size;
  const hidden = countHidden(selection);
  const clearButton = useRef<HTMLButtonElement>(null);

  const target = toChosen(selection, total);
  const onDone = () => {
    const now = store.getState();
    // Others may have been selected while the action was running.
    if (now.allOf !== allOf) return;
    if ('ids' in target) store.forget(target.ids);
    else store.clear();
  };
  const chosen = { chosen: target, count, onDone };
  const published = [...ticked.values()].filter((variant) => variant.published).length;
  const numbers = {
    count,
    number: format.number(count),
    total: format.number(total),
    pages: format.number(pages),
    hidden: format.number(hidden),
  };
  const selectAll = () => {
    // The pressed button disappears.
    clearButton.current?.focus();
    store.selectAll({ filter: toFilter(view), ...(filterKey !== undefined && { filter_key: filterKey }) });
    if (hidden > 0) toast({ title: t('selection.hidden_dropped', { count: hidden, number: format.number(hidden) }) });
  };
  const denied = deniedReason(actOnVariants);

  return (
    <>
      {count > 0 && (
        <section
          ref={moveFocusToTable}
          data-table-bar
          aria-label={t('selection.bar')}
          className="sticky bottom-0 z-25 flex animate-fade-in flex-wrap items-center gap-x-4 gap-y-2 border-t bg-primary-bg px-4 py-2 max-md:px-3"
        >
          <p className="flex flex-wrap items-center gap-x-3 text-small tabular-nums max-sm:w-full">
            <span className="font-medium">
              {allOf
                ? t(ticked.size > 0 ? 'selection.all_but' : 'selection.all', numbers)
                : hidden > 0
                  ? t('selection.with_hidden', numbers)
                  : pages > 1
                    ? t('selection.on_pages', numbers)
                    : t('selection.count', numbers)}
            </span>
            {!allOf && total > count - hidden && (
              <button type="button" disabled={isOutdated} onClick={selectAll} className={linkClasses}>
                {t('selection.select_all', { number: format.number(total) })}
              </button>
            )}
            <button ref={clearButton} type="button" onClick={store.clear} className={linkClasses}>
              {t('selection.clear')}
            </button>
          </p>
          <div className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
            <ExplainedButton
              variant="primary"
              size="dense"
              icon={<Send className={iconClasses} />}
              busy={runningAction === 'publish'}
              busyLabel={t('selection.publishing')}
              disabled={runningAction === 'unpublish'}
              hint={deniedReason(actOnVariants, { action: 'publish' })}
              onClick={() => onPublishChosen(chosen)}
            >
              {t('variants.publish')}
            </ExplainedButton>
            <ExplainedButton
              size="dense"
              icon={<EyeOff className={iconClasses} />}
              busy={runningAction === 'unpublish'}
              busyLabel={t('selection.unpublishing')}
              disabled={runningAction === 'publish'}
              hint={denied}
              onClick={() => onUnpublishChosen(chosen)}
            >
              {t('variants.unpublish')}
            </ExplainedButton>
            <ExportMenu size="dense" onExport={exportChosen(queryClient, brandId, chosen.chosen, view, count)} />
            <ExplainedButton
              size="dense"
              icon={<Trash2 className={iconClasses} />}
              disabled={runningAction !== undefined}
              hint={denied}
              onClick={() => onDelete({ ...chosen, published, onDeleted: onDone })}
            >
              {t('selection.delete')}
            </ExplainedButton>
          </div>
        </section>
      )}
      <p role="status" className="sr-only">
        {count > 0 && t(hidden > 0 ? 'selection.with_hidden' : 'selection.count', numbers)}
      </p>
    </>
  );
}

/** When the bar disappears, the table gets its focus. */
function moveFocusToTable(bar: HTMLElement | null) {
  const table = bar?.parentElement?.querySelector('section');
  return () => {
    if (bar?.contains(document.activeElement)) table?.focus({ preventScroll: true });
  };
}

function exportChosen(
  queryClient: QueryClient,
  brandId: number,
  chosen: ChosenVariants,
  { ordering }: VariantsView,
  rows: number,
): ExportList {
  const toBody = ({ filter, ...rest }: Exclude<ChosenVariants, { ids: number[] }>) => ({ ...filter, ...rest });
  const which = 'ids' in chosen ? chosen : toBody(chosen);
  return async (format, under) => {
    try {
      const body = { format, apostrophe: true, ordering, ...which };
      const file = { ...under, fileName: `product-variants.${format}`, rows };
      await download(exportChosenVariants, { params: { brandId }, body }, file);
    } catch (error) {
      // The list and the bar show the new number of matches.
      if (matchingNow(error) !== undefined) void queryClient.invalidateQueries({ queryKey: variantKeys.ofBrand(brandId) });
      throw error;
    }
  };
}
