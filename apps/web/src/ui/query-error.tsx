import { useTranslation } from 'react-i18next';
import { errorMessage } from '../lib/api-error.ts';
import { Card } from './card.tsx';
import { ErrorState } from './error-state.tsx';

interface QueryErrorProps {
  title: string;
  error: unknown;
  refetch: () => unknown;
  heading?: 'h1' | 'h2';
}

/** For a query that failed: the reason, and a retry button. */
export function QueryError({ title, error, refetch, heading }: QueryErrorProps) {
  const { t } = useTranslation();
  return (
    <ErrorState heading={heading} title={title} description={errorMessage(error, t)} onRetry={() => void refetch()} />
  );
}

/** The same on a card, in place of the content of a page. */
export function QueryErrorCard(props: QueryErrorProps) {
  return (
    <Card>
      <QueryError {...props} />
    </Card>
  );
}
