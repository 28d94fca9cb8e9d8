import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LoadingHeading } from '../../ui/spinner.tsx';

/** Placeholder in the shape of the invitation's details, or of the form. */
export function LoadingInvitation({ shape }: { shape: 'details' | 'form' }) {
  const { t } = useTranslation();
  const isForm = shape === 'form';
  return (
    <Card className={clsx('my-4 w-full p-6', isForm ? 'max-w-lg' : 'max-w-md')}>
      <LoadingHeading label={t('onboarding.loading')} />
      <Skeleton className="mb-5 size-11 rounded-card" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="mt-3 h-4 w-full" />
      <Skeleton className="mt-1 h-4 w-3/5" />
      <Skeleton className={clsx('mt-5 w-full rounded-control', isForm ? 'h-18 sm:h-13' : 'h-44 sm:h-29')} />
      {isForm && <FormFields />}
      {isForm && <Skeleton className="mx-auto mt-3 h-4 w-1/2" />}
      <Skeleton className={clsx('control-height w-full rounded-control', isForm ? 'mt-2' : 'mt-6')} />
    </Card>
  );
}

function FormFields() {
  return (
    <div className="mt-5 flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field />
        <Field />
      </div>
      <div>
        <Field />
        <Skeleton className="mt-3 h-57 w-full rounded-control sm:h-35" />
      </div>
      <Field />
      <Skeleton className="-mt-2.5 h-4 w-2/5" />
    </div>
  );
}

function Field() {
  return (
    <div>
      <Skeleton className="mb-1.5 h-5 w-24" />
      <Skeleton className="control-height w-full rounded-control" />
    </div>
  );
}
