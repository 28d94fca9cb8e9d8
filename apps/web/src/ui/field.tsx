import clsx from 'clsx';
import { CircleAlert } from 'lucide-react';
import { Label as RadixLabel } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';

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
}

/** Help text or error below a field. */
export function FieldNote({ id, hint, error }: FieldNoteProps) {
  const note = error ?? hint;
  if (!note) return null;
  return (
    <p id={id} className={`mt-1.5 flex items-start gap-1 text-caption ${error ? 'text-error' : 'text-text-tertiary'}`}>
      {error && <CircleAlert className="mt-px size-3.5 shrink-0" />}
      {note}
    </p>
  );
}

/** Focuses the first invalid field of a form, after its error is rendered. */
export function focusFirstInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
