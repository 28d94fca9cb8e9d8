import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown, RotateCw, Store } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { brandListQuery } from '../features/brands/brands-queries.ts';
import { errorMessage } from '../lib/api-error.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { useMoveFocusOnUnmount } from '../ui/use-move-focus-on-unmount.ts';
import { SidebarBrand } from './sidebar-brand.tsx';
import { SidebarItem, sidebarItemClasses } from './sidebar-item.tsx';

interface SidebarBrandsProps {
  isWide: boolean;
}

/** The member's brands, collapsible; a long list scrolls on its own. */
export function SidebarBrands({ isWide }: SidebarBrandsProps) {
  const { t } = useTranslation();
  const [isCollapsed, setCollapsed] = useRememberedFlag('your-brands-folded');
  const listId = useId();
  return (
    <>
      <SidebarItem
        isWide={isWide}
        icon={<Store className="size-4 shrink-0" />}
        label={t('shell.your_brands')}
        end={
          <ChevronDown
            className={clsx('shrink-0 text-text-tertiary transition-transform', isWide ? 'size-4' : 'size-3', isCollapsed && '-rotate-90')}
          />
        }
      >
        {(content) => (
          <button
            type="button"
            aria-expanded={!isCollapsed}
            aria-controls={isCollapsed ? undefined : listId}
            onClick={() => setCollapsed(!isCollapsed)}
            className={sidebarItemClasses(isWide)}
          >
            {content}
          </button>
        )}
      </SidebarItem>
      {!isCollapsed && (
        <div
          id={listId}
          tabIndex={-1}
          className={clsx(
            'scroll-shade-y min-h-24 flex-1 overflow-y-auto overscroll-contain outline-none',
            isWide ? '-mx-3 px-3' : 'w-full px-2.5',
          )}
        >
          <BrandLinks isWide={isWide} />
        </div>
      )}
    </>
  );
}

function BrandLinks({ isWide }: SidebarBrandsProps) {
  const { t } = useTranslation();
  const { data: list, error, refetch } = useQuery(brandListQuery());
  if (list?.results.length === 0) {
    return (
      <p className={clsx('text-text-tertiary', isWide ? 'px-2.5 py-1.5 text-small' : 'text-center text-caption')}>{t('shell.no_brands')}</p>
    );
  }
  if (list) {
    return (
      <ul className="flex flex-col gap-0.5">
        {list.results.map((brand) => (
          <SidebarBrand key={brand.id} brand={brand} isWide={isWide} />
        ))}
      </ul>
    );
  }
  if (error) return <BrandsError error={error} isWide={isWide} onRetry={() => void refetch()} />;
  return (
    <div role="status" aria-label={t('shell.brands_loading')} className="flex flex-col gap-0.5">
      {[1, 2, 3].map((placeholder) => (
        <span key={placeholder} className={clsx('control-height flex items-center gap-2.5', isWide ? 'px-2.5' : 'justify-center')}>
          <Skeleton className="size-6 shrink-0" />
          {isWide && <Skeleton className="h-3 w-32" />}
        </span>
      ))}
    </div>
  );
}

interface BrandsErrorProps extends SidebarBrandsProps {
  error: Error;
  onRetry: () => void;
}

function BrandsError({ error, isWide, onRetry }: BrandsErrorProps) {
  const { t } = useTranslation();
  const retryRef = useMoveFocusOnUnmount('[tabindex="-1"]');
  return (
    <div role="alert" className={isWide ? '' : 'flex justify-center'}>
      <p className={isWide ? 'px-2.5 py-1.5 text-small text-text-secondary' : 'sr-only'}>
        {t('brands.error.title')}: {errorMessage(error, t)}
      </p>
      <SidebarItem isWide={isWide} icon={<RotateCw className="size-4 shrink-0" />} label={t('shell.brands_retry')}>
        {(content) => (
          <button ref={retryRef} type="button" onClick={onRetry} className={sidebarItemClasses(isWide)}>
            {content}
          </button>
        )}
      </SidebarItem>
    </div>
  );
}

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'true';
  } catch {
    return false;
  }
}

/** A boolean in local storage, if the browser allows it. */
function useRememberedFlag(key: string): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(key));
  const remember = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(key, String(next));
    } catch {
      // Storage can be blocked (private windows): the choice then applies to this page only.
    }
  };
  return [value, remember];
}
