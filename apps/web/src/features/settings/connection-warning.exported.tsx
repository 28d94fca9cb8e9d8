import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { connectionQuery, whyWaiting } from './channel-queries.ts';

/** Without a connection nothing is sent yet: says so before publishing. */
export function ConnectionWarning({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({ ...connectionQuery(brandId), retry: false });
  const waiting = whyWaiting(data?.state);
  if (!waiting) return null;
  return (
    <Alert tone="warning" className="mt-3">
      {t(`variants.connection.${waiting}`)}
    </Alert>
  );
}
