import { LONGEST_SEARCH } from '@brand-portal/contract/constants';
import { type ReactNode, type RefObject, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebouncedSearch } from '../../lib/use-debounced-search.ts';
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
  /** For whoever takes the search away: what is typed and not sent yet goes too. */
  searchRef: RefObject<SearchHandle | null>;
  filter: VariantFilter;
  onFilterChange: (filter: VariantFilter) => void;
  /** How many search and filter let through, where there are any. */
  shown: number | undefined;
  /** What else can be done with the list. */
  children: ReactNode;
}

export function VariantsToolbar(props: VariantsToolbarProps) {
  const { search, onSearch, searchRef, filter, onFilterChange, shown, children } = props;
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2 xl:flex-nowrap">
      <VariantSearch search={search} onSearch={onSearch} handle={searchRef} />
      <Select
        label={t('variants.filter.label')}
        value={filter}
        options={VARIANT_FILTERS.map((value) => ({ value, label: t(`variants.filter.${value}`) }))}
        onChange={onFilterChange}
        className="max-sm:flex-1 sm:min-w-52"
      />
      {children}
      <PublishAllButton shown={shown} className="max-sm:flex-1" />
    </div>
  );
}

interface VariantSearchProps {
  search: string;
  onSearch: (search: string) => void;
  handle: RefObject<SearchHandle | null>;
}

/** Keeps what is typed to itself: the table below hears of it once it is searched for. */
function VariantSearch({ search, onSearch, handle }: VariantSearchProps) {
  const { t } = useTranslation();
  const [text, setText] = useDebouncedSearch(search, onSearch);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(handle, () => ({
    clear: () => {
      setText('');
      input.current?.focus();
    },
    focus: () => input.current?.focus(),
  }));
  return (
    <SearchField
      label={t('variants.search.label')}
      placeholder={t('variants.search.placeholder')}
      value={text}
      onChange={setText}
      maxLength={LONGEST_SEARCH}
      inputRef={input}
      className="min-w-0 flex-1 basis-full xl:basis-0"
    />
  );
}
