import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { errorMessage } from '../../lib/api-error.ts';
import { Alert } from '../../ui/alert.tsx';
import { useBrand } from '../brands/brands-queries.ts';
import { notificationsQuery, useUpdateNotifications } from './brand-queries.ts';
import { SettingsSection } from './settings-section.exported.tsx';

/** Only owners and admins get mails about certificates, and each of them can turn them off. */
export function MailsSection({ brandId }: { brandId: number }) {
  const { data: brand } = useBrand(brandId);
  return brand?.role === 'owner' || brand?.role === 'admin' ? <Mails brandId={brandId} /> : null;
}

function Mails({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(notificationsQuery(brandId));
  const update = useUpdateNotifications(brandId);
  const section = useRef<HTMLDivElement>(null);
  // The mails link here.
  const isLinkTarget = useLocation().hash === '#mails';
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (!isLinkTarget || !isLoaded) return;
    section.current?.scrollIntoView({ block: 'center' });
    section.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [isLinkTarget, isLoaded]);

  return (
    <div ref={section}>
      <SettingsSection
        title={t('settings.mails.title')}
        data={data}
        error={error}
        errorTitle={t('settings.mails.error')}
        onRetry={() => void refetch()}
      >
        {({ certificate_mails }) => (
          <>
            <p className="max-w-prose text-pretty text-text-secondary">{t('settings.mails.description')}</p>
            <label className="mt-3 flex min-h-11 w-fit cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                // Optimistic: shows the new value while it is saved.
                checked={update.isPending ? update.variables.certificate_mails : certificate_mails}
                onChange={(event) => update.mutate({ certificate_mails: event.target.checked })}
                className="size-4 shrink-0 cursor-pointer accent-primary"
              />
              {t('settings.mails.certificates')}
            </label>
            {update.error && <Alert tone="error">{errorMessage(update.error, t)}</Alert>}
          </>
        )}
      </SettingsSection>
    </div>
  );
}
