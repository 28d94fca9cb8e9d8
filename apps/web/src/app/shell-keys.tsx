import { useEffect, useState } from 'react';
import { isTyping } from '../lib/is-typing.ts';
import { usePart, withTexts } from '../lib/lazy.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { useSayNotOpened } from '../ui/use-opener.ts';

const loadPalette = withTexts(() => import('./command-palette.tsx'), 'palette');

/** Keyboard shortcuts of all signed-in pages: `?` lists them, Ctrl-K or ⌘K opens the palette. Ignored while typing. */
export function ShellKeys() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const sayNotOpened = useSayNotOpened();
  const parts = usePart(loadPalette, open ?? false, () => {
    setOpen(null);
    sayNotOpened();
  });
  useEffect(() => {
    const show = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isPalette && (event.key !== '?' || event.ctrlKey || event.metaKey)) return;
      // An open dialog or menu handles its own keys.
      if (document.querySelector('[role="dialog"][data-state="open"], [role="menu"]')) return;
      event.preventDefault();
      setOpen(isPalette ? 'palette' : 'keys');
    };
    document.addEventListener('keydown', show);
    return () => document.removeEventListener('keydown', show);
  }, []);
  if (!parts) return null;
  const close = (isOpen: boolean) => {
    if (!isOpen) setOpen(null);
  };
  return (
    <ErrorBoundary fallback={null}>
      <parts.CommandPalette open={open === 'palette'} onOpenChange={close} onShowKeys={() => setOpen('keys')} />
      <parts.KeysDialog open={open === 'keys'} onOpenChange={close} />
    </ErrorBoundary>
  );
}
