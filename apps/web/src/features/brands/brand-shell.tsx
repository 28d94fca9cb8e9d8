import { PAGES } from '@brand-portal/contract/pages';
import { hashKey, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation, useNavigate, useParams } from 'react-router';
import { ApiError } from '../../lib/api-error.ts';
import { parseId } from '../../lib/paths.ts';
import { startQuery } from '../../lib/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { PageTitle } from '../../ui/page-header.tsx';
import { QueryErrorCard } from '../../ui/query-error.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast-store.ts';
import { BrandHeader, BrandHeaderSkeleton } from './brand-header.tsx';
import { BrandMenu, brandPages } from './brand-menu.tsx';
import { brandKeys, brandQuery, useBrand } from './brands-queries.ts';
import { RestoreHint } from './restore-hint.tsx';

interface BrandShellProps {
  /** For a brand that does not exist, or that the member may not see: both look the same. */
  notFound: ReactNode;
  /** For a page of the brand that fails to load or to render: the menu stays usable. */
  pageError: ReactNode;
}

/** What the shell waits for, started before it renders. */
export function prefetchBrand(queryClient: QueryClient, brandId: number): void {
  startQuery(queryClient, brandQuery(brandId));
}

/** The layout of the pages of one brand, whose id is in the URL. They render only once the brand is known to exist. */
export function BrandShell(props: BrandShellProps) {
  const brandId = parseId(useParams().id);
  // Keyed by id, so that no state of one brand, such as an open dialog, is carried over to the next.
  return brandId ? <BrandShellContent key={brandId} brandId={brandId} {...props} /> : props.notFound;
}

function BrandShellContent({ brandId, notFound, pageError }: BrandShellProps & { brandId: number }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { data: brand, error, refetch } = useBrand(brandId);
  const current = brandPages(brandId).find(({ path }) => pathname.startsWith(path));
  useAccessCheck(brandId);
  if (error instanceof ApiError && error.status === 404) {
    if (brand) return <LostBrand brandId={brandId} name={brand.name} />;
    return (
      <>
        {notFound}
        <RestoreHint brandId={brandId} />
      </>
    );
  }

  const page = t(`brands.menu.${current?.name ?? 'product_variants'}`);
  return (
    <div className="flex flex-col gap-5">
      <PageTitle parts={brand ? [page, brand.name] : [page]} />
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-x-2">
          <Button asChild variant="ghost" size="dense" className="-ml-2.5 shrink-0">
            <Link to={PAGES.brands}>
              <ArrowLeft className="size-4" />
              <span className="max-xl:sr-only">{t('brands.back')}</span>
            </Link>
          </Button>
          {brand ? <BrandHeader brand={brand} /> : !error && <BrandHeaderSkeleton />}
        </div>
        {!(error && !brand) && <BrandMenu brandId={brandId} current={current?.name} />}
      </div>
      {error && !brand ? (
        <QueryErrorCard heading="h1" title={t('brands.brand_error')} error={error} refetch={refetch} />
      ) : brand ? (
        <ErrorBoundary resetKey={pathname} fallback={pageError}>
          <Outlet />
        </ErrorBoundary>
      ) : (
        <PageSkeleton />
      )}
    </div>
  );
}

/**
 * Any 404 may mean that the member was removed or the brand deleted: refetches the brand. Not if it was not found
 * before: its page would disappear while it is asked for again.
 */
function useAccessCheck(brandId: number): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const check = (error: unknown) => {
      const queryKey = brandKeys.detail(brandId);
      if (error instanceof ApiError && error.status === 404 && queryClient.getQueryData(queryKey)) {
        void queryClient.invalidateQueries({ queryKey, exact: true });
      }
    };
    const own = hashKey(brandKeys.detail(brandId));
    const stopQueries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error' && event.query.queryHash !== own) {
        check(event.action.error);
      }
    });
    const stopMutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') check(event.action.error);
    });
    return () => {
      stopQueries();
      stopMutations();
    };
  }, [queryClient, brandId]);
}

/** Shows a toast that the brand is gone for this member, and goes to the dashboard. */
function LostBrand({ brandId, name }: { brandId: number; name: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const leave = useEffectEvent(() => {
    toast({
      variant: 'warning',
      title: t('brands.lost.title', { brand: name }),
      description: t('brands.lost.description'),
    });
    void queryClient.invalidateQueries({ queryKey: brandKeys.list() });
    // It may have been deleted, by another owner or by a call whose answer was lost.
    void queryClient.invalidateQueries({ queryKey: brandKeys.deleted() });
    // Replaces the history entry: Back must not lead into the brand again.
    void navigate(PAGES.brands, { replace: true });
    queryClient.removeQueries({ queryKey: brandKeys.detail(brandId) });
  });
  useEffect(() => leave(), []);
  return <PageSkeleton />;
}
