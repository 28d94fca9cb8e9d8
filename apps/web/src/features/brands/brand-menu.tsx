import {
  BadgeCheck,
  FileUp,
  History,
  KeyRound,
  type LucideIcon,
  Package,
  Settings,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { memo } from 'react';
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

/** Memoised: renders only for another brand, not on every change of the URL. */
export const BrandMenu = memo(function BrandMenu({ brandId }: { brandId: number }) {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t('brands.menu.label')}
      className="grid grid-cols-2 gap-x-1 border-b max-sm:*:first:col-span-2 sm:flex sm:flex-wrap"
    >
      {brandPages(brandId).map(({ name, path, icon }) => (
        <MenuLink key={name} to={path} icon={icon} label={t(`brands.menu.${name}`)} />
      ))}
    </nav>
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
      className="-mb-px flex min-h-11 items-center justify-center gap-2 rounded-t-control border-transparent border-b-2 text-balance px-2 py-2 text-center font-medium text-text-secondary transition-colors hover:text-text aria-[current=page]:border-primary aria-[current=page]:text-primary sm:px-3"
    >
      <Icon className="size-4 shrink-0 max-sm:hidden" />
      {label}
    </NavLink>
  );
}
