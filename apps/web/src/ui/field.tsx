import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { Label as RadixLabel } from 'radix-ui';
import { type ComponentProps, type ReactNode, useLayoutEffect, useState } from 'react';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...rest}
      className={clsx(
        'control-height field-edge w-full min-w-0 text-ellipsis rounded-control bg-surface px-3 text-text transition-colors placeholder:text-text-tertiary',
        'disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-error',
        // Below 16 px iOS zooms the page when the field gets the focus.
        'max-md:text-base',
        className,
      )}
    />
  );
}

export function Label({ className, ...rest }: ComponentProps<typeof RadixLabel.Root>) {
  return <RadixLabel.Root {...rest} className={clsx('font-medium text-small text-text', className)} />;
}

interface FieldNoteProps {
  id: string;
  hint?: string;
  /** Replaces the hint. */
  error?: ReactNode;
  /** The error is announced elsewhere. */
  isQuiet?: boolean | undefined;
}

/** Help text or error below a field. */
export function FieldNote({ id, hint, error, isQuiet = false }: FieldNoteProps) {
  const isAnnounced = useHasFocusAt(id, error) && !isQuiet;
  const note = error ?? hint;
  if (!note) return null;
  return (
    <p
      // A new element: screen readers announce alerts that are inserted.
      key={String(isAnnounced)}
      id={id}
      role={isAnnounced ? 'alert' : undefined}
      className={`mt-1.5 flex items-start gap-1 text-caption ${error ? 'text-error' : 'text-text-tertiary'}`}
    >
      {error && <CircleAlert className="mt-px size-3.5 shrink-0" />}
      {note}
    </p>
  );
}

/**
 * Whether the field described by the note had the focus when its error appeared. Screen readers read the note of a field that gets the
 * focus, but not a note that changes later.
 */
function useHasFocusAt(noteId: string, error: ReactNode): boolean {
  const [hasFocus, setHasFocus] = useState(false);
  const cause = typeof error === 'string' ? error : Boolean(error);
  useLayoutEffect(() => {
    setHasFocus(Boolean(cause) && document.activeElement?.matches(`[aria-describedby~="${noteId}"]`) === true);
  }, [noteId, cause]);
  return hasFocus;
}

/** Focuses the first invalid field of a form, after its error is rendered. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
