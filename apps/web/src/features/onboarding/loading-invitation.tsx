import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export function LoadingInvitation() {
  const { t } = useTranslation();
  return (
    <Card className="my-4 w-full max-w-md p-6 sm:p-8">
      <p role="status" className="sr-only">
        {t('onboarding.loading')}
      </p>
      <Skeleton className="mb-5 size-11 rounded-card" />
      <Skeleton className="my-1 h-5 w-1/2" />
      <Skeleton className="mt-2 h-4 w-full" />
      <Skeleton className="mt-5 h-36 w-full rounded-control" />
      <Skeleton className="control-height mt-6 w-full rounded-control" />
    </Card>
  );
}
