import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Names the browser's tab, from the special to the general. React's own <title> would come second to the one in index.html. */
export function PageTitle({ parts }: { parts: readonly string[] }) {
  const { t } = useTranslation();
  const app = t('app.name');
  const title = [...parts, app].join(' · ');

  useEffect(() => {
    document.title = title;
    return () => {
      document.title = app;
    };
  }, [title, app]);

  return null;
}
