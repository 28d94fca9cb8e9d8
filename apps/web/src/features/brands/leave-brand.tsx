import { EllipsisVertical, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { LeaveBrandDialog } from './brand-dialogs.exported.tsx';

interface LeaveBrandProps {
  brandId: number;
  brand: string;
  isLastOwner?: boolean | undefined;
}

/** The brand's menu with the action to leave it. */
export function LeaveBrand({ brandId, brand, isLastOwner }: LeaveBrandProps) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="ghost"
            size="icon"
            aria-label={t('brands.leave.menu', { brand })}
            icon={<EllipsisVertical className="size-4" />}
            className="data-[state=open]:bg-surface-hover"
          />
        }
      >
        <DropdownMenuItem
          tone="danger"
          hint={isLastOwner ? t('errors.last_owner') : undefined}
          className="max-w-80"
          icon={<LogOut className="size-4 shrink-0" />}
          onSelect={() => setOpen(true)}
        >
          {t('brands.leave.action')}
        </DropdownMenuItem>
      </DropdownMenu>
      <LeaveBrandDialog brandId={brandId} brand={brand} open={open} onOpenChange={setOpen} />
    </>
  );
}
