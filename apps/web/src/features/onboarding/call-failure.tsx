import { useTranslation } from 'react-i18next';
import { errorMessage, serverMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';

interface CallFailureProps {
  error: Error;
  /** What failed, told where the server itself said nothing. */
  fallback: string;
}

/** Why a call failed: what the server said, else what failed and what is known of the reason. */
export function CallFailure({ error, fallback }: CallFailureProps) {
  const { t } = useTranslation();
  return (
    <Alert tone="error" className="mt-5">
      {serverMessage(error, t) ?? (
        <>
          <p className="font-medium">{fallback}</p>
          <p>{errorMessage(error, t)}</p>
        </>
      )}
    </Alert>
  );
}
