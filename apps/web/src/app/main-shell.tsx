import { useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { WifiOff } from 'lucide-react';
import { type RefObject, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router';
import { useAuthStore } from '../features/auth/auth-store.ts';
import { importsToResume } from '../features/import/running-imports-store.ts';
import { lazyFrom, usePart, withTexts } from '../lib/lazy.ts';
import { afterFirstAnswers } from '../lib/query-client.ts';
import { useLayout } from '../lib/use-layout.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PortalContainer } from '../ui/portal-container.ts';
import { PageSkeleton } from '../ui/skeleton.tsx';
import { loadDialogWindow, loadFloating } from '../ui/use-opener.ts';
import { PageErrorMessage, useIsOnline } from './page-error.tsx';
import { SkipLink } from './page-frame.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { loadToaster } from './providers.tsx';
import { ShellKeys } from './shell-keys.tsx';
import { Sidebar } from './sidebar.tsx';

const loadResumedImports = withTexts(() => import('../features/import/resumed-imports.tsx'), 'imports');

/** Loaded early, like the toaster: a session may expire because the connection is lost. */
const loadSessionEnded = withTexts(() => import('../features/auth/session-ended.tsx'), 'onboarding');
const SessionEnded = lazyFrom(loadSessionEnded, 'SessionEnded');

/** The layout of all signed-in pages: the sidebar, and the page beside it. */
export function MainShell() {
  const layout = useLayout();
  const contentRef = useRef<HTMLElement>(null);
  const [main, setMain] = useState<HTMLElement | null>(null);
  const isSignedIn = useAuthStore((state) => state.isAuthenticated);
  const [unfinishedImports] = useState(importsToResume);
  useLayoutEffect(() => setMain(contentRef.current), []);
  const queryClient = useQueryClient();
  useEffect(() => {
    const load = () => Promise.all([loadFloating(), loadDialogWindow(), loadToaster(), loadSessionEnded()]).catch(() => undefined);
    return afterFirstAnswers(queryClient, load);
  }, [queryClient]);
  return (
    <PortalContainer value={main}>
      <SkipLink />
      <OfflineNotice />
      {layout === 'phone' ? <PhoneBar /> : <Sidebar isWide={layout === 'wide'} />}
      <main
        id="content"
        ref={contentRef}
        tabIndex={-1}
        className={clsx('min-h-dvh outline-none print:p-0', layout === 'wide' ? 'pl-64' : layout === 'narrow' ? 'pl-16' : 'pt-14')}
      >
        <div className="mx-auto max-w-7xl px-4 py-5 md:px-8 md:py-5">
          <Page contentRef={contentRef} />
        </div>
      </main>
      {unfinishedImports.length > 0 && <Unfinished imports={unfinishedImports} />}
      <Suspense>{!isSignedIn && <SessionEnded />}</Suspense>
      <ShellKeys />
    </PortalContainer>
  );
}

/** If its code cannot be loaded, the page works without it, and it is loaded again when the connection is back. */
function Unfinished({ imports }: { imports: ReturnType<typeof importsToResume> }) {
  const isOnline = useIsOnline();
  const part = usePart(loadResumedImports, isOnline ? 'online' : 'offline');
  return part && <part.ResumedImports imports={imports} />;
}

/** Overlays the page, so that the layout does not shift; clicks pass through. */
function OfflineNotice() {
  const { t } = useTranslation();
  const isOnline = useIsOnline();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-1 z-50 flex justify-center text-small max-md:top-15">
      {!isOnline && (
        <span className="flex items-center gap-2 rounded-full border bg-warning-bg px-3 py-0.5 font-medium text-warning shadow-float">
          <WifiOff className="size-4 shrink-0" />
          {t('shell.offline')}
        </span>
      )}
    </div>
  );
}

/** Only this component depends on the URL: the sidebar does not render again with every filter and page of a list. */
function Page({ contentRef }: { contentRef: RefObject<HTMLElement | null> }) {
  const { pathname } = useLocation();
  useStartOfPage(contentRef);
  return (
    <ErrorBoundary resetKey={pathname} fallback={<PageErrorMessage />}>
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </ErrorBoundary>
  );
}

/**
 * A new page starts at its top; on Back the browser restores the scroll position. The focus moves there too if the link
 * that led to the page is gone.
 */
function useStartOfPage(contentRef: RefObject<HTMLElement | null>): void {
  const { pathname, state } = useLocation();
  const navigationType = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for another page, not for another query of the same page.
  useLayoutEffect(() => {
    // A panel opens beside its list, which keeps its scroll position.
    if (navigationType !== NavigationType.Push || state?.isFromList) return;
    window.scrollTo(0, 0);
    if (document.activeElement === document.body) contentRef.current?.focus({ preventScroll: true });
  }, [pathname]);
}
