import { Suspense, useEffect, useState } from 'react';
import { isTyping } from '../lib/is-typing.ts';
import { lazyFrom, withTexts } from '../lib/lazy.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';

const loadPalette = withTexts(() => import('./command-palette.tsx'), 'palette');
const CommandPalette = lazyFrom(loadPalette, 'CommandPalette');
const KeysDialog = lazyFrom(loadPalette, 'KeysDialog');

/** Keyboard shortcuts of all signed-in pages: `?` lists them, Ctrl-K or ⌘K opens the palette. Ignored while typing. */
export function ShellKeys() {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    const show = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isPalette && (event.key !== '?' || event.ctrlKey || event.metaKey)) return;
      // An open dialog or menu handles its own keys.
      if (document.querySelector('[role="dialog"][data-state="open"], [role="menu"]')) return;
      event.preventDefault();
      setNeeded(true);
      setOpen(isPalette ? 'palette' : 'keys');
    };
    document.addEventListener('keydown', show);
    return () => document.removeEventListener('keydown', show);
  }, []);
  if (!isNeeded) return null;
  const close = (isOpen: boolean) => {
    if (!isOpen) setOpen(null);
  };
  return (
    // If its code cannot be loaded, the page works without it.
    <ErrorBoundary fallback={null}>
      <Suspense>
        <CommandPalette open={open === 'palette'} onOpenChange={close} onShowKeys={() => setOpen('keys')} />
        <KeysDialog open={open === 'keys'} onOpenChange={close} />
      </Suspense>
    </ErrorBoundary>
  );
}
