import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { useSupportLink } from '../../lib/runtime-config.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { quotasQuery } from './brand-queries.ts';
import { SettingsSection } from './settings-section.exported.tsx';

/** How much the brand may store, and how much it does. */
export function QuotasSection({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const supportLink = useSupportLink();
  const { data, error, refetch } = useQuery(quotasQuery(brandId));
  return (
    <SettingsSection
      title={t('settings.quotas.title')}
      data={data}
      error={error}
      errorTitle={t('settings.quotas.error')}
      onRetry={() => void refetch()}
    >
      {({ results }) => (
        <>
          <ul className="grid gap-x-8 gap-y-4 md:grid-cols-2">
            {results.map(({ name, used, limit }) => {
              const amount = name === 'staged_bytes' ? format.bytes : format.number;
              const label = t(`settings.quotas.names.${name}`);
              const text = t('settings.quotas.used', { used: amount(used), limit: amount(limit) });
              return (
                <li key={name} className="flex flex-col gap-1.5">
                  <div className="flex items-baseline justify-between gap-4">
                    <span>{label}</span>
                    <span className="shrink-0 text-text-secondary tabular-nums">{text}</span>
                  </div>
                  <ProgressBar label={label} percent={Math.min((100 * used) / limit, 100)} spoken={text} />
                </li>
              );
            })}
          </ul>
          <p className="mt-4 max-w-prose text-pretty text-text-secondary">
            {t('settings.quotas.variants_hint')}{' '}
            {supportLink && (
              <a href={supportLink} className="rounded-sm font-medium text-primary underline underline-offset-2">
                {t('settings.quotas.more')}
              </a>
            )}
          </p>
        </>
      )}
    </SettingsSection>
  );
}
