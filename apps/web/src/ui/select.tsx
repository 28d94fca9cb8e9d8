import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import { Select as RadixSelect } from 'radix-ui';
import { useLayoutEffect, useState } from 'react';
import { readCspNonce } from '../lib/csp-nonce.ts';

interface SelectOption<Value extends string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string> {
  /** Said to screen readers; or the id of the visible label in `labelledBy`. */
  label?: string;
  labelledBy?: string;
  value: Value;
  options: readonly SelectOption<Value>[];
  onChange: (value: Value) => void;
  size?: 'regular' | 'dense';
  disabled?: boolean;
  className?: string;
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, labelledBy, value, options, onChange, size = 'regular', disabled, className } = props;
  const [isOpen, setOpen] = useState(false);
  usePageOutOfReach(isOpen);
  return (
    <RadixSelect.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      onOpenChange={setOpen}
      disabled={disabled}
    >
      <RadixSelect.Trigger
        aria-label={label}
        aria-labelledby={labelledBy}
        className={clsx(
          'field-edge inline-flex items-center justify-between gap-2 whitespace-nowrap rounded-control bg-surface text-text transition-colors',
          'enabled:hover:bg-surface-hover disabled:cursor-not-allowed disabled:opacity-60',
          size === 'dense' ? 'control-height-dense px-2 text-small' : 'control-height px-3',
          className,
        )}
      >
        <RadixSelect.Value />
        <RadixSelect.Icon>
          <ChevronDown aria-hidden="true" className="size-4 text-text-tertiary" />
        </RadixSelect.Icon>
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-appear overflow-hidden rounded-control border bg-surface shadow-float"
        >
          <RadixSelect.Viewport nonce={readCspNonce()} className="p-1">
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                className="control-height-dense relative flex cursor-default select-none items-center rounded-md pr-8 pl-2 text-small text-text focus-visible:-outline-offset-2 data-highlighted:bg-surface-hover"
              >
                <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
                <RadixSelect.ItemIndicator className="absolute right-2">
                  <Check aria-hidden="true" className="size-4 text-primary" />
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}

/** While its options are shown, Radix hides the page from screen readers: what they cannot read, no key may reach. */
function usePageOutOfReach(isOutOfReach: boolean): void {
  useLayoutEffect(() => {
    const page = document.getElementById('root');
    if (!page || !isOutOfReach) return;
    page.inert = true;
    return () => {
      page.inert = false;
    };
  }, [isOutOfReach]);
}
