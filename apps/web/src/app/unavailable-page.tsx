import { Hammer } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/empty-state.tsx';

/** Says honestly that a screen does not exist yet. */
export function UnavailablePage() {
  const { t } = useTranslation();
  return (
    <EmptyState heading="h1" icon={Hammer} title={t('unavailable.title')} description={t('unavailable.description')} />
  );
}
