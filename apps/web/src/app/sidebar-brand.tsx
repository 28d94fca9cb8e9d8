import type { BrandAnswer } from '@brand-portal/contract/brands';
import { PAGES } from '@brand-portal/contract/pages';
import { useEffect, useRef } from 'react';
import { Link, useMatch } from 'react-router';
import { BrandLogo } from '../features/brands/brand-logo.tsx';
import { productVariantsPath } from '../lib/paths.ts';
import { SidebarItem, sidebarItemClasses } from './sidebar-item.tsx';

interface SidebarBrandProps {
  brand: BrandAnswer;
  isWide: boolean;
}

export function SidebarBrand({ brand, isWide }: SidebarBrandProps) {
  const link = useRef<HTMLAnchorElement>(null);
  // Current on all pages of the brand, not only on the one that it links to.
  const isCurrent = useMatch(`${PAGES.brand}/*`)?.params.id === String(brand.id);

  useEffect(() => {
    // In a long list the current brand may be scrolled out of view.
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);

  return (
    <li>
      <SidebarItem
        isWide={isWide}
        icon={<BrandLogo logo={brand.logo} size="small" initialsOf={isWide ? undefined : brand.name} />}
        label={brand.name}
      >
        {(content) => (
          <Link
            ref={link}
            to={productVariantsPath(brand.id)}
            aria-current={isCurrent ? 'page' : undefined}
            className={sidebarItemClasses(isWide)}
          >
            {content}
          </Link>
        )}
      </SidebarItem>
    </li>
  );
}
