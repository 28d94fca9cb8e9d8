import { EXPORT_FORMATS, type ExportFormat } from '@brand-portal/contract/exports';
import clsx from 'clsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorMessage } from '../lib/api-error.ts';
import type { DownloadProgress, ExportList } from '../lib/download.ts';
import { useFormat } from '../lib/format.ts';
import { Button } from './button.tsx';
import { DropdownMenu, DropdownMenuItem } from './dropdown-menu.tsx';
import { Spinner } from './spinner.tsx';
import { type ToastHandle, toast } from './toast-store.ts';

/** A faster export shows no toast. */
const TOAST_DELAY_MS = 700;
const TOAST_UPDATE_MS = 250;

interface ExportMenuProps {
  onExport: ExportList;
  /** Names what is exported, if a page has several exports. */
  subject?: string;
  size?: 'regular' | 'dense';
  className?: string;
}

/** Saves a list as a file. Continues when the user leaves the page; a toast shows the progress and a cancel button. */
export function ExportMenu({ onExport, subject, size = 'regular', className }: ExportMenuProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isRunning, setIsRunning] = useState(false);

  const run = async (as: ExportFormat) => {
    const controller = new AbortController();
    let progressToast: ToastHandle | undefined;
    let rowsSoFar = 0;
    let tellAt = Date.now() + TOAST_DELAY_MS;
    const onProgress = ({ rows, total }: DownloadProgress) => {
      rowsSoFar = rows;
      if (Date.now() < tellAt) return;
      tellAt = Date.now() + TOAST_UPDATE_MS;
      const content = {
        description:
          total === undefined
            ? t('export.entries', { number: format.number(rows) })
            : t('export.entries_of', { count: total, number: format.number(rows), total: format.number(total) }),
        ...(total ? { progress: Math.min(100, Math.floor((100 * rows) / total)) } : {}),
      };
      if (progressToast) return progressToast.update(content);
      const action = { label: t('export.cancel'), onSelect: () => controller.abort() };
      progressToast = toast({ title: t('export.busy'), icon: <Spinner />, isLasting: true, action, ...content });
    };
    setIsRunning(true);
    try {
      await onExport(as, { signal: controller.signal, onProgress });
      if (progressToast) {
        const rows = t('export.entries', { number: format.number(rowsSoFar) });
        toast({ variant: 'success', title: t('export.done'), description: rows });
      }
    } catch (error) {
      // No message if the user cancelled, here or in the browser's save dialog.
      const isCancelled = controller.signal.aborted || (error as { name?: unknown }).name === 'AbortError';
      if (!isCancelled) toast({ variant: 'error', title: t('export.failed'), description: errorMessage(error, t) });
    } finally {
      progressToast?.dismiss();
      setIsRunning(false);
    }
  };

  return (
    <DropdownMenu
      trigger={
        <Button
          size={size}
          icon={<Download className={clsx('size-4', size === 'dense' && 'max-sm:hidden')} />}
          busy={isRunning}
          busyLabel={t('export.busy')}
          className={className}
        >
          {t('export.action')}
          {subject && <span className="sr-only">: {subject}</span>}
        </Button>
      }
    >
      {EXPORT_FORMATS.map((as) => (
        <DropdownMenuItem key={as} onSelect={() => void run(as)}>
          {t(`export.${as}`)}
        </DropdownMenuItem>
      ))}
    </DropdownMenu>
  );
}
