import { CircleAlert } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { Input } from './input.tsx';
import { Label } from './label.tsx';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  hint?: string;
  error?: string;
}

/** An input with its label, what helps to fill it in, and what is wrong with it. */
export function TextField({ label, hint, error, className, ...rest }: TextFieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={className}>
      <Label htmlFor={id} className="mb-1.5 block">
        {label}
      </Label>
      <Input
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <p
          id={`${id}-note`}
          className={`mt-1.5 flex items-start gap-1 text-caption ${error ? 'text-error' : 'text-text-tertiary'}`}
        >
          {error && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
          {note}
        </p>
      )}
    </div>
  );
}
