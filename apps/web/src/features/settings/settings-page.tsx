import { useTranslation } from 'react-i18next';
import { useBrandId } from '../../lib/paths.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { BrandSection } from './brand-section.tsx';
import { ConnectionSection } from './connection-section.tsx';
import { DangerSection } from './danger-section.tsx';
import { FeedSection } from './feed-section.tsx';
import { MailsSection } from './mails-section.tsx';
import { QuotasSection } from './quotas-section.tsx';

/** Rendered inside the brand's shell, so the brand exists. */
export function SettingsPage() {
  const { t } = useTranslation();
  const brandId = useBrandId();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title={t('settings.title')} subtitle={t('settings.subtitle')} />
      <BrandSection brandId={brandId} />
      <ConnectionSection brandId={brandId} />
      <FeedSection brandId={brandId} />
      <MailsSection brandId={brandId} />
      <QuotasSection brandId={brandId} />
      <DangerSection brandId={brandId} />
    </div>
  );
}
