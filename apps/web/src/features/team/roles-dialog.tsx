import { ABILITIES, roleOfAbility } from '@brand-portal/contract/abilities';
import { ROLES, roleIncludes } from '@brand-portal/contract/roles';
import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog.tsx';
import { useBrand } from '../brands/brands-queries.ts';

interface RolesDialogProps {
  brandId: number;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** What each role may do, from the contract's list. */
export function RolesDialog({ brandId, open, onOpenChange }: RolesDialogProps) {
  const { t } = useTranslation();
  const { data: brand } = useBrand(brandId);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} size="wide" title={t('team.roles.title')} description={t('team.roles.description')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls in a low window, and has nothing else to focus */}
      <table tabIndex={0} className="w-full border-collapse text-small">
        <caption className="sr-only">{t('team.roles.title')}</caption>
        <thead>
          <tr className="border-b text-caption text-text-secondary">
            <th scope="col" className="py-2 pr-2 text-left font-medium">
              {t('team.roles.ability')}
            </th>
            {/* Four columns do not fit on a phone: one column shows the lowest role. */}
            <th scope="col" className="py-2 text-left font-medium sm:hidden">
              {t('team.roles.from')}
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col" className={clsx('px-3 py-2 font-medium max-sm:hidden', role === brand?.role && 'text-primary')}>
                {t(`denied.roles.${role}`)}{' '}
                {role === brand?.role && <span className="block whitespace-nowrap font-normal">{t('team.roles.yours')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ABILITIES.map((ability) => (
            <tr key={ability} className="border-b last:border-b-0">
              <th scope="row" className="text-pretty py-2 pr-2 text-left font-normal">
                {t(`team.abilities.${ability}`)}
              </th>
              <td className="py-2 font-medium sm:hidden">{t(`denied.roles.${roleOfAbility(ability)}`)}</td>
              {ROLES.map((role) => (
                <td key={role} className="px-3 py-2 text-center max-sm:hidden">
                  <Mark isAllowed={roleIncludes(role, roleOfAbility(ability))} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-pretty text-caption text-text-secondary">{t('team.roles.owners')}</p>
    </Dialog>
  );
}

function Mark({ isAllowed }: { isAllowed: boolean }) {
  const { t } = useTranslation();
  const Icon = isAllowed ? Check : Minus;
  return (
    <>
      <Icon className={clsx('mx-auto size-4', isAllowed ? 'text-success' : 'text-text-tertiary')} />
      <span className="sr-only">{t(isAllowed ? 'team.roles.yes' : 'team.roles.no')}</span>
    </>
  );
}
