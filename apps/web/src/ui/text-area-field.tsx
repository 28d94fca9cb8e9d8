import { type ComponentProps, useId } from 'react';
import { FieldNote } from './field-note.tsx';
import { Label } from './label.tsx';

interface TextAreaFieldProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string;
  hint?: string;
  error?: string;
}

/** The same as a text field, for several lines. */
export function TextAreaField({ label, hint, error, className, ...rest }: TextAreaFieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <Label htmlFor={id} className="mb-1.5 block">
        {label}
      </Label>
      <textarea
        rows={4}
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className="field-edge block w-full min-w-0 rounded-control bg-surface px-3 py-2 text-text transition-colors aria-invalid:border-error max-md:text-base"
      />
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}
