import { LONGEST_SEARCH } from '@brand-portal/contract/constants';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../ui/search-field.tsx';
import { Select } from '../../ui/select.tsx';
import { PublishAllButton } from './variants-actions.tsx';
import { VARIANT_FILTERS, type VariantFilter } from './variants-view.ts';

interface VariantsToolbarProps {
  text: string;
  onTextChange: (text: string) => void;
  searchRef: RefObject<HTMLInputElement | null>;
  filter: VariantFilter;
  onFilterChange: (filter: VariantFilter) => void;
  /** How many search and filter let through, where there are any. */
  shown: number | undefined;
  /** What else can be done with the list. */
  children: ReactNode;
}

export function VariantsToolbar(props: VariantsToolbarProps) {
  const { text, onTextChange, searchRef, filter, onFilterChange, shown, children } = props;
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap gap-2 xl:flex-nowrap">
      <SearchField
        label={t('variants.search.label')}
        placeholder={t('variants.search.placeholder')}
        value={text}
        onChange={onTextChange}
        maxLength={LONGEST_SEARCH}
        inputRef={searchRef}
        className="min-w-0 flex-1 basis-full xl:basis-0"
      />
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
