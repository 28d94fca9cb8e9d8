import clsx from 'clsx';
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { Button } from './button.tsx';
import type { PageChoice, TablePagination } from './data-table-model.ts';
import { Select } from './select.tsx';
import { Skeleton } from './skeleton.tsx';

const footerClasses =
  'flex min-h-12 flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-b-card border-t bg-surface px-4 py-2 text-small text-text-secondary tabular-nums max-md:px-3';
/** To the bottom of the window. Not with a bar, which sticks there too and would cover it. */
const stickyClasses = 'md:tall:sticky md:tall:bottom-0 md:tall:z-22 [[data-table-bar]~&]:static';

interface DataTablePaginationProps extends TablePagination {
  /** Names the table, if the page has several. */
  label?: string;
  /**
   * The pagination of the rows on screen, if those of the requested page are still being fetched. Texts describe these
   * rows; buttons continue from the requested page.
   */
  shown?: TablePagination;
  pageSizes?: readonly number[];
  isLoading: boolean;
  /** Screen readers announce the rows that are shown. */
  isLive?: boolean;
  /** Shown beside the number of rows. */
  notice?: ReactNode;
  /** Sticks to the bottom of the window. */
  isSticky?: boolean;
  onChange: (next: PageChoice) => void;
  /** Hover or focus on the button of this page. */
  onIntent?: ((pageIndex: number) => void) | undefined;
}

export function DataTablePagination(props: DataTablePaginationProps) {
  const {
    label,
    pageIndex,
    pageSize,
    pageCount,
    shown = props,
    pageSizes,
    isLoading,
    isLive = true,
    notice,
    isSticky = false,
    onChange,
    onIntent,
  } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const buttonsRef = useFocusOnUsableButton(pageIndex);
  // If the pointer or the focus is still on the button when its page has loaded, the next press is likely: prefetch
  // again.
  const prefetchAgain = useEffectEvent(() => {
    const button = buttonsRef.current?.querySelector<HTMLElement>('button:enabled:is(:hover, :focus)');
    if (button) onIntent?.(Number(button.dataset.target));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per page
  useEffect(() => prefetchAgain(), [shown.pageIndex]);
  const from = shown.pageIndex * shown.pageSize + 1;
  const to = Math.min(from + shown.pageSize - 1, shown.totalCount);
  const lastIndex = Math.max(pageCount - 1, 0);
  const buttons = [
    { label: t('ui.table.first_page'), icon: ChevronFirst, target: 0, usable: pageIndex > 0 },
    { label: t('ui.table.previous_page'), icon: ChevronLeft, target: pageIndex - 1, usable: pageIndex > 0 },
    { label: t('ui.table.next_page'), icon: ChevronRight, target: pageIndex + 1, usable: pageIndex < lastIndex },
    { label: t('ui.table.last_page'), icon: ChevronLast, target: lastIndex, usable: pageIndex < lastIndex },
  ];

  return (
    <footer data-table-footer className={clsx(footerClasses, isSticky && stickyClasses)}>
      {/* Below 1024 px always on a line of its own: if it wrapped only with large numbers, the layout would shift when they load. */}
      {isLoading ? (
        <div className="flex h-5 items-center max-lg:w-full">
          <Skeleton className="h-3.5 w-48" />
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 max-lg:w-full">
          <p aria-live={isLive ? 'polite' : undefined}>
            {t('ui.table.showing', {
              count: shown.totalCount,
              from: format.number(from),
              to: format.number(to),
              total: format.number(shown.totalCount),
            })}
          </p>
          {notice}
        </div>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:w-full max-sm:justify-between max-sm:gap-x-1">
        {pageSizes && (
          <PageSizeSelect
            pageSize={pageSize}
            pageSizes={pageSizes}
            isLoading={isLoading}
            // The first visible row stays in view.
            onPageSizeChange={(size) => onChange({ pageIndex: Math.floor((pageIndex * pageSize) / size), pageSize: size })}
          />
        )}
        {/* On a phone the page number is beside the page size, and the buttons are on a line of their own. */}
        <nav
          ref={buttonsRef}
          aria-label={label ? `${t('ui.table.pagination')}: ${label}` : t('ui.table.pagination')}
          // While loading it is inert and only reserves its space.
          aria-hidden={isLoading || undefined}
          className="flex items-center gap-3 max-sm:contents"
        >
          {isLoading ? (
            <Skeleton className="h-3.5 w-20" />
          ) : (
            <span className="whitespace-nowrap">
              {t('ui.table.page', { page: format.number(shown.pageIndex + 1), pages: format.number(shown.pageCount) })}
            </span>
          )}
          <span className="flex gap-1 max-sm:w-full max-sm:justify-between">
            {buttons.map(({ label, icon: Icon, target, usable }) => (
              <Button
                key={label}
                variant="ghost"
                size="icon-dense"
                aria-label={label}
                data-target={target}
                disabled={isLoading || !usable}
                onClick={() => onChange({ pageIndex: target, pageSize })}
                onPointerEnter={() => usable && onIntent?.(target)}
                onFocus={() => usable && onIntent?.(target)}
                icon={<Icon className="size-4" />}
              />
            ))}
          </span>
        </nav>
      </div>
    </footer>
  );
}

interface Step {
  label: string;
  direction: 'first' | 'previous' | 'next';
  /** Absent: the button is disabled. */
  onSelect: (() => void) | undefined;
}

const stepIcons = { first: ChevronFirst, previous: ChevronLeft, next: ChevronRight };

/** Pagination by cursor: first, previous, next, without page numbers. */
export function DataTableSteps({ steps, ...choice }: PageSizeSelectProps & { steps: readonly Step[] }) {
  const { t } = useTranslation();
  const buttonsRef = useFocusOnUsableButton(steps.map(({ onSelect }) => (onSelect ? 1 : 0)).join(''));
  return (
    <footer data-table-footer className={clsx(footerClasses, stickyClasses)}>
      <PageSizeSelect {...choice} />
      <nav ref={buttonsRef} aria-label={t('ui.table.pagination')} className="flex gap-1 max-sm:-mx-2 max-sm:grow max-sm:justify-between">
        {steps.map(({ label, direction, onSelect }) => {
          const Icon = stepIcons[direction];
          return (
            <Button
              key={direction}
              variant="ghost"
              size="dense"
              disabled={choice.isLoading || !onSelect}
              onClick={onSelect}
              icon={direction === 'next' ? undefined : <Icon className="size-4" />}
            >
              {/* On a phone three labels do not fit: the first button shows only its icon. */}
              <span className={clsx(direction === 'first' && 'max-sm:sr-only')}>{label}</span>
              {direction === 'next' && <Icon className="size-4" />}
            </Button>
          );
        })}
      </nav>
    </footer>
  );
}

interface PageSizeSelectProps {
  pageSize: number;
  pageSizes: readonly number[];
  isLoading: boolean;
  onPageSizeChange: (pageSize: number) => void;
}

function PageSizeSelect({ pageSize, pageSizes, isLoading, onPageSizeChange }: PageSizeSelectProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const labelId = useId();
  return (
    <div className="flex items-center gap-2">
      <span id={labelId}>{t('ui.table.per_page')}</span>
      <Select
        size="dense"
        labelledBy={labelId}
        value={String(pageSize)}
        options={pageSizes.map((size) => ({ value: String(size), label: format.number(size) }))}
        onChange={(size) => onPageSizeChange(Number(size))}
        disabled={isLoading}
      />
    </div>
  );
}

/** On the first or last page the pressed button becomes disabled and loses the focus: focuses the other one. */
function useFocusOnUsableButton(place: number | string) {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!ref.current?.contains(focused) || !focused?.matches(':disabled')) return;
    const usable = [...ref.current.querySelectorAll<HTMLButtonElement>('button:enabled')];
    usable.at(place === 0 ? 0 : -1)?.focus();
  }, [place]);
  return ref;
}
