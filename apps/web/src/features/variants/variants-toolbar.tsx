import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchField } from '../../lib/use-debounced-search.ts';
import { useLayout } from '../../lib/use-layout.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { PublishAllButton } from './variants-actions.tsx';
import { VARIANT_FILTERS, type VariantFilter } from './variants-view.ts';

export interface SearchHandle {
  clear: () => void;
  focus: () => void;
}

interface VariantsToolbarProps {
  search: string;
  onSearch: (search: string) => void;
  /** To clear the search from outside, including typed text that was not sent yet. */
  searchRef: RefObject<SearchHandle | null>;
  filter: VariantFilter;
  onFilterChange: (filter: VariantFilter) => void;
  /** Number of matching variants, if a search or filter is set. */
  shown: number | undefined;
  /** Number of active filters, for the button that opens them on a phone. */
  filtersOn: number;
  /** The state filters, which a phone shows in the same sheet. */
  states: ReactNode;
  /** Other actions of the list. */
  children: ReactNode;
}

export function VariantsToolbar(props: VariantsToolbarProps) {
  const { search, onSearch, searchRef, filter, onFilterChange, filtersOn, states, shown, children } = props;
  const { t } = useTranslation();
  const isPhone = useLayout() === 'phone';
  const [isSheetOpen, setSheetOpen] = useState(false);
  const bar = useListTop();
  const select = (
    <Select
      label={t('variants.filter.label')}
      value={filter}
      options={VARIANT_FILTERS.map((value) => ({ value, label: t(`variants.filter.${value}`) }))}
      onChange={onFilterChange}
      className="max-md:w-full md:min-w-52"
    />
  );
  return (
    <>
      <div ref={bar} className="-my-2 z-23 flex flex-wrap gap-2 bg-background py-2 xl:flex-nowrap md:tall:sticky md:tall:top-0">
        <VariantSearch search={search} onSearch={onSearch} handle={searchRef} />
        {isPhone ? (
          <Button icon={<SlidersHorizontal className="size-4" />} onClick={() => setSheetOpen(true)} className="flex-1">
            {filtersOn > 0 ? t('variants.filters.some', { count: filtersOn }) : t('variants.filters.title')}
          </Button>
        ) : (
          select
        )}
        {children}
        <PublishAllButton shown={shown} className="max-md:w-full" />
      </div>
      {!isPhone && states}
      {isPhone && (
        <Dialog
          open={isSheetOpen}
          onOpenChange={setSheetOpen}
          title={t('variants.filters.title')}
          footer={
            <Button variant="primary" onClick={() => setSheetOpen(false)}>
              {t('variants.filters.show')}
            </Button>
          }
        >
          <div className="flex flex-col gap-3 pt-1">
            {select}
            {states}
          </div>
        </Dialog>
      )}
    </>
  );
}

/** The toolbar and the table's header below it are sticky: the header's offset is the height of the toolbar. */
function useListTop() {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    const place = element?.parentElement;
    if (!element || !place) return;
    const tell = () => place.style.setProperty('--list-top', `${element.offsetHeight}px`);
    tell();
    const observer = new ResizeObserver(tell);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return bar;
}

interface VariantSearchProps {
  search: string;
  onSearch: (search: string) => void;
  handle: RefObject<SearchHandle | null>;
}

/** Holds the typed text, so that typing does not render the table; the table only gets the debounced search. */
function VariantSearch({ search, onSearch, handle }: VariantSearchProps) {
  const { t } = useTranslation();
  const { field, ...actions } = useSearchField(search, onSearch);
  useImperativeHandle(handle, () => actions);
  return (
    <SearchField
      label={t('variants.search.label')}
      placeholder={t('variants.search.placeholder')}
      {...field}
      className="min-w-0 flex-1 basis-full xl:basis-0"
    />
  );
}
