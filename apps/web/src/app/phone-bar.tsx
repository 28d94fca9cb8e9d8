import { Menu, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { SidebarContent } from './sidebar.tsx';

/** On a phone: a top bar, and the sidebar in a drawer, which closes on navigation. */
export function PhoneBar() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each navigation, also to the page that is shown already.
  useEffect(() => setOpen(false), [key]);
  return (
    <header className="fixed inset-x-0 top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-2 print:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <Button variant="ghost" size="icon" aria-label={t('shell.open_menu')} icon={<Menu className="size-5" />} />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-veil data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-40 flex w-72 max-w-[calc(100vw-3rem)] flex-col gap-3 overflow-y-auto border-r bg-surface px-3 py-3 shadow-float outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
          >
            <Dialog.Title className="sr-only">{t('shell.menu')}</Dialog.Title>
            <Dialog.Close asChild>
              <Button
                variant="ghost"
                size="icon"
                aria-label={t('ui.close')}
                icon={<X className="size-5" />}
                className="self-end"
              />
            </Dialog.Close>
            <SidebarContent isWide />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <span className="flex min-w-0 items-center gap-2 font-semibold text-heading">
        <img src="/favicon.svg" alt="" width={24} height={24} className="size-6" />
        <span className="truncate">{t('app.name')}</span>
      </span>
    </header>
  );
}
