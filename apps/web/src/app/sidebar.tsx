import { PAGES } from '@brand-portal/contract/pages';
import clsx from 'clsx';
import { LayoutDashboard, LifeBuoy, ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link, NavLink, useMatch } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { useSupportLink } from '../lib/runtime-config.ts';
import { ColorModeToggle } from '../ui/color-mode-toggle.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';
import { SidebarAccount } from './sidebar-account.tsx';
import { SidebarBrands } from './sidebar-brands.tsx';
import { SidebarItem, sidebarItemClasses } from './sidebar-item.tsx';

interface SidebarProps {
  isWide: boolean;
}

/** Always visible: full in a wide window, icons only in a narrow one. It scrolls if it is too tall. */
export function Sidebar({ isWide }: SidebarProps) {
  return (
    <header
      className={clsx(
        'fixed inset-y-0 left-0 z-30 flex flex-col gap-3 overflow-y-auto overflow-x-hidden border-r bg-surface py-3 print:hidden',
        isWide ? 'w-64 px-3' : 'w-16 items-center',
      )}
    >
      <SidebarContent isWide={isWide} />
    </header>
  );
}

export function SidebarContent({ isWide }: SidebarProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className={clsx('flex shrink-0 items-center', isWide ? 'justify-between pl-2' : 'flex-col gap-2')}>
        <span className="flex items-center gap-2.5 font-semibold text-heading">
          <img src="/favicon.svg" alt={isWide ? '' : t('app.name')} width={28} height={28} className="size-7" />
          {isWide && t('app.name')}
        </span>
        <ColorModeToggle />
      </div>
      <nav aria-label={t('shell.navigation')} className={clsx('flex min-h-52 flex-1 flex-col gap-1', isWide ? '' : 'items-center')}>
        <SidebarItem isWide={isWide} icon={<LayoutDashboard className="size-4 shrink-0" />} label={t('shell.dashboard')}>
          {(content) => (
            <NavLink to={PAGES.brands} end className={sidebarItemClasses(isWide)}>
              {content}
            </NavLink>
          )}
        </SidebarItem>
        <PlatformLink isWide={isWide} />
        <SidebarBrands isWide={isWide} />
      </nav>
      <div className={clsx('flex shrink-0 flex-col gap-1', isWide ? '' : 'items-center')}>
        <SupportLink isWide={isWide} />
        <LanguageSwitch compact={!isWide} />
      </div>
      <SidebarAccount isWide={isWide} />
    </>
  );
}

/** For platform staff only. */
function PlatformLink({ isWide }: SidebarProps) {
  const { t } = useTranslation();
  const isStaff = useAuthStore((state) => state.user?.is_staff);
  const isCurrent = useMatch('/platform/*') !== null;
  if (!isStaff) return null;
  return (
    <SidebarItem isWide={isWide} icon={<ShieldCheck className="size-4 shrink-0" />} label={t('shell.platform')}>
      {(content) => (
        // Current on all platform pages, not only on the one that it links to.
        <Link to={PAGES.platformBrands} aria-current={isCurrent ? 'page' : undefined} className={sidebarItemClasses(isWide)}>
          {content}
        </Link>
      )}
    </SidebarItem>
  );
}

function SupportLink({ isWide }: SidebarProps) {
  const { t } = useTranslation();
  const href = useSupportLink();
  if (!href) return null;
  return (
    <SidebarItem isWide={isWide} icon={<LifeBuoy className="size-4 shrink-0" />} label={t('shell.support')}>
      {(content) => (
        <a href={href} className={sidebarItemClasses(isWide)}>
          {content}
        </a>
      )}
    </SidebarItem>
  );
}
