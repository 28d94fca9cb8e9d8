import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasBeen, usePart, withTexts } from '../lib/lazy.ts';
import { toast } from './toast-store.ts';

/** What menus, popovers, lists and tooltips show. Pages load it after their first answers, and what opens something loads it at once. */
export const loadFloating = withTexts(() => import('./floating.tsx'));
export const loadDialogWindow = withTexts(() => import('./dialog-window.tsx'));

/** Ahead of a click: it only makes opening faster. */
export const prepareFloating = () => void loadFloating().catch(() => undefined);

/** Says that the code of what was opened cannot be loaded: the connection is lost, or after a release its file is gone. */
export function useSayNotOpened(): () => void {
  const { t } = useTranslation();
  return () => toast({ variant: 'error', title: t('ui.error.title'), description: t('ui.error.description') });
}

/**
 * A button that opens something, and the code of what it opens. The button is ours and is there from the start, so that it keeps
 * the focus when that code arrives. Pressed before, it opens then, unless the user has gone on to something else.
 */
export function useOpener(popup: 'menu' | 'dialog' | 'listbox') {
  const [isOpen, setOpen] = useState(false);
  // Stays mounted after closing: it returns the focus to the button.
  const hasBeenOpen = useHasBeen(isOpen);
  const trigger = useRef<HTMLButtonElement>(null);
  const contentId = useId();
  const sayNotOpened = useSayNotOpened();
  const parts = usePart(loadFloating, isOpen, () => {
    setOpen(false);
    sayNotOpened();
  });
  const isPending = isOpen && !parts;
  useEffect(() => {
    if (!isPending) return;
    const cancel = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (isEscape || !trigger.current?.contains(event.target as Node)) setOpen(false);
    };
    const events = ['pointerdown', 'focusin', 'keydown'];
    for (const type of events) document.addEventListener(type, cancel);
    return () => {
      for (const type of events) document.removeEventListener(type, cancel);
    };
  }, [isPending]);
  return {
    isOpen,
    setOpen,
    parts: hasBeenOpen ? parts : undefined,
    buttonProps: {
      ref: trigger,
      'aria-haspopup': popup,
      'aria-expanded': isOpen,
      'aria-controls': isOpen && parts ? contentId : undefined,
      'data-state': isOpen ? 'open' : 'closed',
      onPointerEnter: prepareFloating,
      onFocus: prepareFloating,
    },
    contentProps: { id: contentId, trigger, open: isOpen, onOpenChange: setOpen },
  } as const;
}
