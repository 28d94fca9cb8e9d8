import { type ComponentProps, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../lib/format.ts';
import { FieldNote, Input, Label } from './field.tsx';

interface FieldTexts {
  label: string;
  hint?: string;
  error?: ReactNode;
}

/** An input with label, hint and error. */
export function TextField({ label, hint, error, className, maxLength, ...rest }: FieldTexts & Omit<ComponentProps<'input'>, 'id'>) {
  const tooLong = useTooLong(rest.value, maxLength);
  return (
    <Field label={label} hint={hint} className={className} error={tooLong ?? error}>
      {(described) => <Input {...rest} {...described} />}
    </Field>
  );
}

/** The same for multi-line text. */
export function TextAreaField({ label, hint, error, className, maxLength, ...rest }: FieldTexts & Omit<ComponentProps<'textarea'>, 'id'>) {
  const tooLong = useTooLong(rest.value, maxLength);
  return (
    <Field label={label} hint={hint} className={className} error={tooLong ?? error}>
      {(described) => (
        <textarea
          rows={4}
          {...rest}
          {...described}
          className="field-edge block w-full min-w-0 rounded-control bg-surface px-3 py-2 text-text transition-colors aria-invalid:border-error max-md:text-base"
        />
      )}
    </Field>
  );
}

/** In place of the browser's `maxLength`, which cuts a long paste without a word. The server refuses it. */
function useTooLong(value: unknown, maxLength: number | undefined): string | undefined {
  const { t } = useTranslation();
  const format = useFormat();
  if (maxLength === undefined || typeof value !== 'string') return undefined;
  // Counted as the server does: an emoji is one character.
  if (value.length <= maxLength || [...value].length <= maxLength) return undefined;
  return t('ui.too_long', { max: format.number(maxLength) });
}

interface FieldProps {
  label: string;
  hint: string | undefined;
  error: ReactNode;
  className: string | undefined;
  children: (described: { id: string; 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }) => ReactNode;
}

function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId();
  return (
    <div className={className}>
      <Label htmlFor={id} className="mb-1.5 block">
        {label}
      </Label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error || hint ? `${id}-note` : undefined,
      })}
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  );
}
