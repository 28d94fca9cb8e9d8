import { useTranslation } from 'react-i18next';

export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-control bg-surface px-3 py-2 font-medium shadow-float focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
    >
      {t('app.skip_to_content')}
    </a>
  );
}
