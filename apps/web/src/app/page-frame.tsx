import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Outlet } from 'react-router';
import { ColorModeToggle } from '../ui/color-mode-toggle.tsx';
import { LanguageSwitch } from '../ui/language-switch.tsx';

interface PageFrameProps {
  children?: ReactNode;
  /** Prerendered HTML before the app runs: without the switches and the skip link, which need the app. */
  isBeforeApp?: boolean;
}

/** The layout of standalone pages: a logo, the two switches, and the page in the middle. */
export function PageFrame({ children, isBeforeApp = false }: PageFrameProps) {
  const { t } = useTranslation();
  return (
    <div className="flex min-h-dvh flex-col">
      {!isBeforeApp && <SkipLink />}
      <header inert={isBeforeApp} className="flex items-center justify-between gap-4 px-4 py-3 md:px-6">
        <span className="flex items-center gap-2 font-semibold">
          <img src="/favicon.svg" alt="" width={24} height={24} className="size-6" />
          {t('app.name')}
        </span>
        <div className="flex items-center gap-1">
          <LanguageSwitch />
          <ColorModeToggle />
        </div>
      </header>
      <main
        id={isBeforeApp ? undefined : 'content'}
        tabIndex={isBeforeApp ? undefined : -1}
        className="grid flex-1 place-items-center px-4 pb-16 outline-none"
      >
        {children ?? <Outlet />}
      </main>
    </div>
  );
}

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
