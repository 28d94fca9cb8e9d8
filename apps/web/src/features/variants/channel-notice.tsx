import type { ConnectionState } from '@brand-portal/contract/channel';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { settingsPath } from '../../lib/paths.ts';
import { Alert } from '../../ui/alert.tsx';

/** Why nothing that is published gets to Google; nothing where it does. */
export function ChannelNotice({ brandId, state }: { brandId: number; state: ConnectionState | undefined }) {
  const { t } = useTranslation();
  if (state === undefined || state === 'connected') return null;
  return (
    <Alert tone={state === 'refused' ? 'warning' : 'info'}>
      {t(`variants.connection.${state}`)}{' '}
      <Link to={settingsPath(brandId)} className="font-medium underline underline-offset-2">
        {t('variants.connection.link')}
      </Link>
    </Alert>
  );
}
