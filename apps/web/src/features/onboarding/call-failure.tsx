import { useTranslation } from 'react-i18next';
import { errorMessage, serverMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';

interface CallFailureProps {
  error: Error;
  /** Says what failed, if the server sent no message. */
  fallback: string;
}

/** Why a call failed: the server's message, else the fallback and the general reason. */
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
