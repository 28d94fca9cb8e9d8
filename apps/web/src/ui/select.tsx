import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { useOpener } from './use-opener.ts';

interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  /** Shown below the label in the list. */
  hint?: string;
}

interface SelectProps<Value extends string> {
  /** Accessible name; alternatively pass the id of the visible label in `labelledBy`. */
  label?: string;
  labelledBy?: string;
  describedBy?: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  size?: 'regular' | 'dense';
  disabled?: boolean;
  className?: string;
}

/**
 * A select-only combobox on a non-modal popover. Radix's select is modal: while it is open it hides the whole page,
 * with its landmarks and headings, from screen readers.
 */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelledBy, describedBy, value, options, onChange, size = 'regular', disabled, className } = props;
  const { isOpen, setOpen, parts, buttonProps, contentProps } = useOpener('listbox');
  const listRef = useRef<HTMLDivElement>(null);
  const typeAhead = useTypeAhead();
  const selected = options.findIndex((option) => option.value === value);
  const labels = options.map((option) => option.label);

  const choose = (next: Value) => {
    setOpen(false);
    if (next !== value) onChange(next);
  };
  const focusOption = (index: number) => {
    const option = listRef.current?.children[Math.min(Math.max(index, 0), options.length - 1)];
    if (option instanceof HTMLElement) option.focus();
  };

  const onTriggerKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      return;
    }
    // Like a native select, typing selects without opening the list.
    const found = options[typeAhead(event, labels, selected)];
    if (found) choose(found.value);
  };

  const onListKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const focused = [...event.currentTarget.children].indexOf(document.activeElement as Element);
    const found = typeAhead(event, labels, focused);
    const targets: Record<string, number> = {
      ArrowDown: focused + 1,
      ArrowUp: focused - 1,
      Home: 0,
      End: options.length - 1,
    };
    const target = targets[event.key];
    if (found >= 0) focusOption(found);
    else if (target !== undefined) focusOption(target);
    else if (event.key !== 'Tab') return;
    // Tab is prevented as well: the list closes by selecting or by Escape.
    event.preventDefault();
  };

  return (
    <>
      <button
        {...buttonProps}
        type="button"
        role="combobox"
        aria-expanded={isOpen}
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={onTriggerKeyDown}
        className={clsx(
          'field-edge inline-flex items-center justify-between gap-2 whitespace-nowrap rounded-control bg-surface text-text transition-colors',
          'enabled:hover:bg-surface-hover disabled:cursor-not-allowed disabled:opacity-60',
          size === 'dense' ? 'control-height-dense px-2 text-small' : 'control-height px-3',
          className,
        )}
      >
        <span className="min-w-0 truncate">{labels[selected]}</span>
        <ChevronDown className="size-4 shrink-0 text-text-tertiary" />
      </button>
      {parts && (
        <parts.PopoverContent
          {...contentProps}
          ref={listRef}
          role="listbox"
          aria-label={label}
          aria-labelledby={labelledBy}
          align="start"
          sideOffset={4}
          onKeyDown={onListKeyDown}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusOption(selected);
          }}
          className="max-h-(--radix-popover-content-available-height) min-w-(--radix-popover-trigger-width) overflow-y-auto p-1"
        >
          {options.map((option) => (
            <button
              type="button"
              key={option.value}
              role="option"
              aria-selected={option.value === value}
              tabIndex={-1}
              onClick={() => choose(option.value)}
              onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
              className={clsx(
                'relative flex w-full cursor-default select-none flex-col items-start justify-center rounded-md pr-8 pl-2 text-left text-small text-text focus-visible:-outline-offset-2 focus:bg-surface-hover',
                option.hint ? 'py-1.5' : 'control-height-dense',
              )}
            >
              {option.label}
              {option.hint && (
                <>
                  {/* For screen readers, which read both as the option's name. */ ' '}
                  <span className="max-w-56 truncate text-caption text-text-secondary">{option.hint}</span>
                </>
              )}
              {option.value === value && <Check className="absolute inset-y-0 right-2 my-auto size-4 text-primary" />}
            </button>
          ))}
        </parts.PopoverContent>
      )}
    </>
  );
}

const TYPING_PAUSE_MS = 1_000;

/**
 * Index of the next label that starts with the text typed without a pause; -1 if there is none, or if the key is not a
 * character.
 */
function useTypeAhead() {
  const typed = useRef({ text: '', at: 0 });
  return (event: KeyboardEvent, labels: string[], current: number): number => {
    const { key, timeStamp } = event;
    const before = timeStamp - typed.current.at < TYPING_PAUSE_MS ? typed.current.text : '';
    // A leading space is not part of the text: it presses the button.
    if (key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey || (key === ' ' && before === '')) return -1;
    event.preventDefault();
    const text = before + key.toLowerCase();
    typed.current = { text, at: timeStamp };
    // The same letter repeated moves to the next label that starts with it.
    const isRepeated = [...text].every((letter) => letter === text[0]);
    const wanted = isRepeated ? key.toLowerCase() : text;
    const from = Math.max(isRepeated ? current + 1 : current, 0);
    const order = labels.map((_, index) => (from + index) % labels.length);
    return order.find((index) => labels[index]?.toLowerCase().startsWith(wanted)) ?? -1;
  };
}
