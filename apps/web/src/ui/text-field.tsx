import { type ComponentProps, useId } from 'react';
import { FieldNote } from './field-note.tsx';
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
  return (
    <div className={className}>
      <Label htmlFor={id} className="mb-1.5 block">
        {label}
      </Label>
      <Input
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      />
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}
