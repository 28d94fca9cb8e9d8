import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

interface PageHeaderProps {
  title: string;
  subtitle?: string;
  /** A badge beside the title. */
  status?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, subtitle, status, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 flex-1 basis-80">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <h1 className="min-w-0 text-balance break-words font-semibold text-title">{title}</h1>
          {status}
        </div>
        {subtitle && <p className="mt-1.5 text-pretty text-text-secondary">{subtitle}</p>}
      </div>
      {actions && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
    </header>
  );
}

/** Sets the document title, most specific part first. Not by React's <title>: the one in index.html comes first and would win. */
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
