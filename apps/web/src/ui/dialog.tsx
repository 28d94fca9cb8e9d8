import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasBeen, usePart } from '../lib/lazy.ts';
import { dropUnsavedChanges, useRunningCall, useUnsavedChanges } from '../lib/unsaved-changes.ts';
import { Button } from './button.tsx';
import type { DialogWindowProps } from './dialog-window.tsx';
import { loadDialogWindow, useSayNotOpened } from './use-opener.ts';

interface DialogProps extends DialogWindowProps {
  /** Asks before Escape, a click outside, the close button or another page lose what was typed. */
  isDirty?: boolean;
}

/** A modal dialog. The code of its window is loaded apart from that of the page (`use-opener.ts`). */
export function Dialog({ isDirty, ...rest }: DialogProps) {
  const { open, onOpenChange, isLocked, isPinned } = rest;
  const [isAsking, setAsking] = useState(false);
  const hasBeenOpen = useHasBeen(open);
  const sayNotOpened = useSayNotOpened();
  const parts = usePart(loadDialogWindow, open, () => {
    onOpenChange?.(false);
    sayNotOpened();
  });
  useRunningCall(open && isLocked === true);
  const change = (next: boolean) => {
    if (isLocked) return;
    if (!next && isDirty) setAsking(true);
    else onOpenChange?.(next);
  };
  const discard = () => {
    setAsking(false);
    onOpenChange?.(false);
  };
  return (
    <>
      {hasBeenOpen && parts && <parts.DialogWindow {...rest} onOpenChange={onOpenChange && change} />}
      {isDirty !== undefined && <DiscardDialog open={isAsking} onStay={() => setAsking(false)} onDiscard={discard} />}
      {(isDirty ?? isPinned) !== undefined && (
        <UnsavedChanges isDirty={open && Boolean(isDirty || isPinned)} loss={isPinned ? 'shown' : 'typed'} />
      )}
    </>
  );
}

/** What leaving loses: typed text, or something that is shown only once. */
type Loss = 'typed' | 'shown';

interface DiscardDialogProps {
  open: boolean;
  loss?: Loss;
  onStay: () => void;
  onDiscard: () => void;
}

/** Asks before discarding unsaved changes. */
export function DiscardDialog({ open, loss = 'typed', onStay, onDiscard }: DiscardDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onStay()}
      title={t(`unsaved.${loss}.title`)}
      description={t(`unsaved.${loss}.description`)}
      footer={
        <>
          <Button onClick={onStay}>{t(`unsaved.${loss}.stay`)}</Button>
          <Button variant="danger" onClick={onDiscard}>
            {t(`unsaved.${loss}.discard`)}
          </Button>
        </>
      }
    />
  );
}

/** Asks before unsaved changes are lost by a link, by Back or by closing the tab. */
export function UnsavedChanges({ isDirty, loss = 'typed' }: { isDirty: boolean; loss?: Loss }) {
  const change = useUnsavedChanges(isDirty);
  const discard = () => {
    dropUnsavedChanges();
    change?.leave();
  };
  return <DiscardDialog open={change !== undefined} loss={loss} onStay={() => change?.stay()} onDiscard={discard} />;
}
