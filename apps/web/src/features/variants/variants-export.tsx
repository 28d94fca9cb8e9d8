import { EXPORT_FORMATS } from '@brand-portal/contract/variants';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { DropdownMenu, DropdownMenuItem } from '../../ui/dropdown-menu.tsx';
import { toast } from '../../ui/toast-store.ts';
import { useExportVariants } from './variants-queries.ts';
import type { VariantsView } from './variants-view.ts';

interface ExportMenuProps {
  brandId: number;
  view: VariantsView;
  className?: string;
}

export function ExportMenu({ brandId, view, className }: ExportMenuProps) {
  const { t } = useTranslation();
  const { mutate, isPending } = useExportVariants(brandId, view);
  const onError = (error: unknown) =>
    toast({ variant: 'error', title: t('variants.export.failed'), description: errorMessage(error, t) });
  return (
    <DropdownMenu
      trigger={
        <Button
          icon={<Download aria-hidden="true" className="size-4" />}
          busy={isPending}
          busyLabel={t('variants.export.busy')}
          // The menu gives the focus back to it while it is busy.
          focusableWhileBusy
          className={className}
        >
          {t('variants.export.action')}
        </Button>
      }
    >
      {EXPORT_FORMATS.map((format) => (
        <DropdownMenuItem key={format} onSelect={() => mutate(format, { onError })}>
          {t(`variants.export.${format}`)}
        </DropdownMenuItem>
      ))}
    </DropdownMenu>
  );
}
