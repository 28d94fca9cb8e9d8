import { Menu } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Button } from '../ui/button.tsx';
import { useOpener } from '../ui/use-opener.ts';
import { SidebarContent } from './sidebar.tsx';

/** On a phone: a top bar, and the sidebar in a drawer, which closes on navigation. */
export function PhoneBar() {
  const { t } = useTranslation();
  const { isOpen, setOpen, parts, buttonProps, contentProps } = useOpener('dialog');
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each navigation, also to the page that is shown already.
  useEffect(() => setOpen(false), [key]);
  return (
    <header className="fixed inset-x-0 top-0 z-30 flex h-14 items-center gap-2 border-b bg-surface px-2 print:hidden">
      <Button
        {...buttonProps}
        variant="ghost"
        size="icon"
        aria-label={t('shell.open_menu')}
        icon={<Menu className="size-5" />}
        onClick={() => setOpen(!isOpen)}
      />
      {parts && (
        <parts.Drawer {...contentProps} title={t('shell.menu')}>
          <SidebarContent isWide />
        </parts.Drawer>
      )}
      <span className="flex min-w-0 items-center gap-2 font-semibold text-heading">
        <img src="/favicon.svg" alt="" width={24} height={24} className="size-6" />
        <span className="truncate">{t('app.name')}</span>
      </span>
    </header>
  );
}
