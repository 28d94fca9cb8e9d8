import { BadgeCheck, FileUp, History, KeyRound, type LucideIcon, Package, Settings, TriangleAlert, Users } from 'lucide-react';
import { memo, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import {
  apiKeysPath,
  attentionPath,
  certificationsPath,
  historyPath,
  importsPath,
  productVariantsPath,
  settingsPath,
  teamPath,
} from '../../lib/paths.ts';

/** The pages of a brand, in menu order. */
export const brandPages = (brandId: number) =>
  [
    { name: 'product_variants', path: productVariantsPath(brandId), icon: Package },
    { name: 'certifications', path: certificationsPath(brandId), icon: BadgeCheck },
    { name: 'imports', path: importsPath(brandId), icon: FileUp },
    { name: 'attention', path: attentionPath(brandId), icon: TriangleAlert },
    { name: 'team', path: teamPath(brandId), icon: Users },
    { name: 'settings', path: settingsPath(brandId), icon: Settings },
    { name: 'api_keys', path: apiKeysPath(brandId), icon: KeyRound },
    { name: 'history', path: historyPath(brandId), icon: History },
  ] as const;

/** Memoised: renders for another brand or page, not on every change of the URL. */
export const BrandMenu = memo(function BrandMenu({ brandId, current }: { brandId: number; current?: string }) {
  const { t } = useTranslation();
  const nav = useRef<HTMLElement>(null);
  // One line that scrolls if the window is narrow: the current page must be in sight. Centred, so that its neighbours are too.
  useEffect(() => {
    const link = current && nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (nav.current && link) {
      nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2;
    }
  }, [current]);
  return (
    <div className="@container">
      <nav
        ref={nav}
        aria-label={t('brands.menu.label')}
        className="scroll-shade relative flex overflow-x-auto shadow-[inset_0_-1px_var(--color-border)] [--shade-cover:var(--color-background)] [scrollbar-width:thin]"
      >
        {brandPages(brandId).map(({ name, path, icon }) => (
          <MenuLink key={name} to={path} icon={icon} label={t(`brands.menu.${name}`)} />
        ))}
      </nav>
    </div>
  );
});

interface MenuLinkProps {
  to: string;
  icon: LucideIcon;
  label: string;
}

function MenuLink({ to, icon: Icon, label }: MenuLinkProps) {
  return (
    <NavLink
      to={to}
      className="flex min-h-11 shrink-0 items-center gap-2 whitespace-nowrap rounded-t-control border-transparent border-b-2 px-2 font-medium text-text-secondary transition-colors focus-visible:-outline-offset-2 hover:text-text aria-[current=page]:border-primary aria-[current=page]:text-primary"
    >
      {/* Icons only where they leave room for all labels in both languages. */}
      <Icon className="size-4 shrink-0 @max-[69rem]:hidden" />
      {label}
    </NavLink>
  );
}
