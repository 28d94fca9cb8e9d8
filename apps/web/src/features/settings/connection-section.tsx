import type { ChannelConnection, ConnectionState } from '@brand-portal/contract/channel';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { useSupportLink } from '../../lib/runtime-config.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { DetailList } from '../../ui/card.tsx';
import { connectionQuery } from './channel-queries.ts';
import { SettingsSection } from './settings-section.exported.tsx';

const tones: Record<ConnectionState, ComponentProps<typeof Badge>['tone']> = {
  not_connected: 'neutral',
  waiting: 'warning',
  connected: 'success',
  refused: 'error',
};

/** The brand's connection to Google. The portal's operator sets it up; members see its state. */
export function ConnectionSection({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(connectionQuery(brandId));
  return (
    <SettingsSection
      title={t('settings.connection.title')}
      data={data}
      error={error}
      errorTitle={t('settings.connection.error')}
      onRetry={() => void refetch()}
      status={data && <Badge tone={tones[data.state]}>{t(`settings.connection.state.${data.state}`)}</Badge>}
    >
      {(connection) => <Connection connection={connection} />}
    </SettingsSection>
  );
}

function Connection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation();
  const supportLink = useSupportLink();
  const details = useDetails(connection);
  const { state, refusal } = connection;
  return (
    <>
      <p className="max-w-prose text-pretty text-text-secondary">{t(`settings.connection.means.${state}`)}</p>
      {refusal !== '' && (
        <blockquote className="wrap-anywhere mt-3 max-w-prose border-error border-l-2 pl-3 text-small">{refusal}</blockquote>
      )}
      {state !== 'connected' && (
        <>
          <p className="mt-2 max-w-prose text-pretty text-text-secondary">{t(`settings.connection.next.${state}`)}</p>
          {supportLink && (
            <Button asChild className="mt-4">
              <a href={supportLink}>
                <Mail className="size-4" />
                {t('settings.connection.ask')}
              </a>
            </Button>
          )}
        </>
      )}
      {state !== 'not_connected' && <DetailList label={t('settings.connection.details')} details={details} />}
    </>
  );
}

function useDetails({ kind, account, client_id, countries, language, registered_name }: ChannelConnection) {
  const { t } = useTranslation();
  const shownIn = useLanguage();
  const format = useFormat();
  const languageName = (code: string) => {
    const name = new Intl.DisplayNames(shownIn, { type: 'language' }).of(code) ?? code;
    // Spanish writes language names in lower case, except at the start of a sentence.
    return name.charAt(0).toLocaleUpperCase(shownIn) + name.slice(1);
  };
  const list = new Intl.ListFormat(shownIn);
  return [
    { label: t('settings.connection.kind.label'), value: kind ? t(`settings.connection.kind.${kind}`) : '' },
    { label: t('settings.connection.account'), value: account ?? '' },
    { label: t('settings.connection.client_id'), value: client_id ?? '' },
    {
      label: t('settings.connection.countries'),
      value: list.format(countries.map(format.country)),
    },
    { label: t('settings.connection.language'), value: language ? languageName(language) : '' },
    { label: t('settings.connection.registered_name'), value: registered_name ?? '' },
  ];
}
