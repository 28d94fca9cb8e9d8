import { PAGES } from '@brand-portal/contract/pages';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { PageHeader, PageTitle } from '../../ui/page-header.tsx';
import { useAuthStore } from '../auth/auth-store.ts';

/** The pages of platform staff, in menu order. */
export const PLATFORM_PAGES = [
  { name: 'brands', path: PAGES.platformBrands },
  { name: 'reviews', path: PAGES.reviews },
  { name: 'failures', path: PAGES.platformFailures },
  { name: 'registries', path: PAGES.platformRegistries },
  { name: 'jobs', path: PAGES.platformJobs },
] as const;

interface PlatformFrameProps {
  title: string;
  subtitle: string;
  actions?: ReactNode;
  /** The error of the page's query. A refusal is shown as not found. */
  error: unknown;
  notFound: ReactNode;
  children: ReactNode;
}

/** The layout of the platform pages. The server decides who may see them; others do not get the menu either. */
export function PlatformFrame({ title, subtitle, actions, error, notFound, children }: PlatformFrameProps) {
  if (error instanceof ApiError && error.status === 403) return notFound;
  return (
    <div className="flex flex-col gap-4">
      <PageTitle parts={[title]} />
      <PlatformMenu />
      <PageHeader title={title} subtitle={subtitle} actions={actions} />
      {children}
    </div>
  );
}

function PlatformMenu() {
  const { t } = useTranslation();
  const isStaff = useAuthStore((state) => state.user?.is_staff);
  if (!isStaff) return null;
  return (
    <nav aria-label={t('shell.platform')} className="flex flex-wrap gap-x-1 border-b">
      {PLATFORM_PAGES.map(({ name, path }) => (
        <NavLink
          key={name}
          to={path}
          className="-mb-px flex min-h-11 items-center rounded-t-control border-transparent border-b-2 px-3 font-medium text-text-secondary transition-colors hover:text-text aria-[current=page]:border-primary aria-[current=page]:text-primary"
        >
          {t(`shell.platform_pages.${name}`)}
        </NavLink>
      ))}
    </nav>
  );
}
