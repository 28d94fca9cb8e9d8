import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ApiError, errorMessage, reasonOfDenial } from '../lib/api-error.ts';
import { Card } from './card.tsx';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';

interface QueryErrorProps {
  title: string;
  error: unknown;
  refetch: () => unknown;
  heading?: 'h1' | 'h2';
}

/** For a query that failed: the reason, and a retry button. No retry helps where the member's role does not allow it; a proxy's refusal may pass. */
export function QueryError({ title, error, refetch, heading }: QueryErrorProps) {
  const { t } = useTranslation();
  if (error instanceof ApiError && error.code === 'permission_denied' && !error.isForeign) {
    const reason = reasonOfDenial(error, t);
    return <EmptyState icon={Lock} heading={heading} title={t('errors.permission_denied')} description={reason} />;
  }
  return <ErrorState heading={heading} title={title} description={errorMessage(error, t)} onRetry={() => void refetch()} />;
}

/** The same on a card, in place of the content of a page. */
export function QueryErrorCard(props: QueryErrorProps) {
  return (
    <Card>
      <QueryError {...props} />
    </Card>
  );
}
