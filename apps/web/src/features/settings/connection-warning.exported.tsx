import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { useWhyWaiting } from './channel-queries.ts';

/** While nothing is sent: says so before publishing. */
export function ConnectionWarning({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const waiting = useWhyWaiting(brandId);
  if (!waiting) return null;
  return (
    <Alert tone="warning" className="mt-3">
      {t(`variants.connection.${waiting}`)}
    </Alert>
  );
}
