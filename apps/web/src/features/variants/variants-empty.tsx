import { PackagePlus, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AddVariantButton } from './variants-actions.tsx';
import type { VariantsView } from './variants-view.ts';

/** The brand has no variants at all. */
export function NoVariants() {
  const { t } = useTranslation();
  return (
    <Card>
      <EmptyState
        icon={PackagePlus}
        title={t('variants.empty.title')}
        description={t('variants.empty.description')}
        action={<AddVariantButton isFirst />}
      />
    </Card>
  );
}

interface NoMatchesProps {
  view: VariantsView;
  onClear: () => void;
}

/** There may be variants, but none that the search and the filter let through. */
export function NoMatches({ view: { search, filter }, onClear }: NoMatchesProps) {
  const { t } = useTranslation();
  const narrowedBy = search === '' ? 'filter' : filter === 'all' ? 'search' : 'both';
  const values = { search, filter: t(`variants.filter.${filter}`) };
  return (
    <EmptyState
      icon={SearchX}
      title={t('variants.no_matches.title')}
      description={t(`variants.no_matches.${narrowedBy}`, values)}
      action={<Button onClick={onClear}>{t(`variants.no_matches.clear_${narrowedBy}`)}</Button>}
    />
  );
}
