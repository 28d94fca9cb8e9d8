import clsx from 'clsx';
import { CalendarDays } from 'lucide-react';
import { type Ref, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../lib/i18n.ts';
import { Button } from './button.tsx';
import { readDay, writeDay } from './days.ts';
import { FieldNote, Input, Label } from './field.tsx';
import { MonthGrid } from './month-grid.tsx';
import { Popover } from './popover.tsx';

interface DayFieldProps {
  label: string;
  /** Such as 2027-01-31; empty if there is none. */
  value: string;
  /** Undefined: what is typed names no day, yet. */
  onChange: (day: string | undefined) => void;
  min?: string | undefined;
  max?: string | undefined;
  hint?: string;
  error?: string | undefined;
  /** Beside the label. */
  isInline?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/**
 * A date in the member's language. The browser's own field for dates has the browser's language, whatever the page says, so a day and a
 * month could change places.
 */
export function DayField(props: DayFieldProps) {
  const { label, value, onChange, min, max, hint, error, isInline = false, ref } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const [typed, setTyped] = useState<{ text: string; value: string; isLeft: boolean }>();
  // What was typed for another value is outdated.
  const draft = typed?.value === value ? typed : undefined;
  const isUnreadable = draft?.isLeft === true && readDay(draft.text, language, true) === undefined;
  const note = error ?? (isUnreadable ? t('day_field.unreadable') : undefined);

  const read = (text: string, isLeft: boolean) => {
    const day = readDay(text, language, isLeft);
    setTyped(isLeft && day !== undefined ? undefined : { text, value: day ?? value, isLeft });
    if (day === undefined || day !== value) onChange(day);
  };
  return (
    <div className={clsx(isInline && 'flex min-w-0 flex-wrap items-center gap-x-2 max-md:basis-full')}>
      {isInline ? (
        <label htmlFor={id} className="shrink-0 text-small text-text-secondary max-md:w-12">
          {label}
        </label>
      ) : (
        <Label htmlFor={id} className="mb-1.5 block">
          {label}
        </Label>
      )}
      <div className={clsx('relative', isInline ? 'min-w-0 max-md:flex-1 md:w-38' : 'max-w-60')}>
        <Input
          ref={ref}
          id={id}
          value={draft?.text ?? writeDay(value, language)}
          placeholder={t('day_field.placeholder')}
          autoComplete="off"
          onChange={({ target }) => read(target.value, false)}
          onBlur={() => draft && read(draft.text, true)}
          aria-invalid={note ? true : undefined}
          aria-describedby={note || hint ? `${id}-note` : undefined}
          className="pr-9 max-md:pr-12"
        />
        <Popover
          label={t('day_field.choose', { label })}
          trigger={
            <Button
              variant="ghost"
              size="icon-dense"
              aria-label={t('day_field.choose', { label })}
              icon={<CalendarDays className="size-4" />}
              className="-translate-y-1/2 absolute top-1/2 right-0.5 border-2 border-transparent bg-clip-padding"
            />
          }
        >
          {(close) => (
            <MonthGrid
              value={value}
              min={min}
              max={max}
              onPick={(day) => {
                setTyped(undefined);
                onChange(day);
                close();
              }}
            />
          )}
        </Popover>
      </div>
      <div className={clsx(isInline && 'basis-full')}>
        <FieldNote id={`${id}-note`} {...(hint !== undefined && { hint })} error={note} />
      </div>
    </div>
  );
}
