import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface FieldNoteProps {
  id: string;
  hint?: string;
  /** Takes the place of the hint. */
  error?: ReactNode;
}

/** Below a field: what helps to fill it in, or what is wrong with it. */
export function FieldNote({ id, hint, error }: FieldNoteProps) {
  const note = error ?? hint;
  if (!note) return null;
  return (
    <p id={id} className={`mt-1.5 flex items-start gap-1 text-caption ${error ? 'text-error' : 'text-text-tertiary'}`}>
      {error && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
      {note}
    </p>
  );
}
