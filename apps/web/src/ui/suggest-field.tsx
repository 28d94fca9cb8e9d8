import clsx from 'clsx';
import { Popover as RadixPopover } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { matchesText } from './filtered-listbox.tsx';
import { usePortalContainer } from './portal-container.ts';
import { TextField } from './text-field.tsx';

interface SuggestFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  suggestions: readonly string[];
  error?: ReactNode;
  required?: boolean;
}

/** A text field that suggests values and accepts others. The focus stays in the field; arrow keys move, Enter selects. */
export function SuggestField({ value, onChange, suggestions, ...rest }: SuggestFieldProps) {
  const [isWanted, setWanted] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const listId = useId();
  const anchor = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found = suggestions.filter((suggestion) => matchesText(suggestion, value));
  const isOpen = isWanted && found.length > 0 && !(found.length === 1 && found[0] === value);
  const index = chosen === undefined ? -1 : found.indexOf(chosen);

  useEffect(() => {
    if (index >= 0) list.current?.children[index]?.scrollIntoView({ block: 'nearest' });
  }, [index]);

  const close = () => {
    setWanted(false);
    setChosen(undefined);
  };
  const select = (suggestion: string) => {
    onChange(suggestion);
    close();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const current = found[index];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setWanted(true);
      const from = event.key === 'ArrowUp' && index < 0 ? 0 : index;
      setChosen(found.at((from + (event.key === 'ArrowDown' ? 1 : -1)) % found.length));
    } else if (event.key === 'Enter' && isOpen && current !== undefined) select(current);
    else return;
    event.preventDefault();
  };

  return (
    <RadixPopover.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <RadixPopover.Anchor ref={anchor}>
        <TextField
          {...rest}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && index >= 0 ? `${listId}-${index}` : undefined}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
            setWanted(true);
            setChosen(undefined);
          }}
          onClick={() => setWanted(true)}
          onBlur={close}
          onKeyDown={onKeyDown}
        />
      </RadixPopover.Anchor>
      <RadixPopover.Portal container={usePortalContainer()}>
        <RadixPopover.Content
          ref={list}
          id={listId}
          role="listbox"
          aria-label={rest.label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => anchor.current?.contains(event.target as Node) && event.preventDefault()}
          // Keeps the focus in the field.
          onPointerDown={(event) => event.preventDefault()}
          className="z-50 max-h-[min(16rem,var(--radix-popover-content-available-height))] w-(--radix-popover-trigger-width) animate-appear overflow-y-auto rounded-control border bg-surface p-1 shadow-float"
        >
          {found.map((suggestion, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
            <div
              key={suggestion}
              id={`${listId}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === index}
              onClick={() => select(suggestion)}
              onPointerMove={() => setChosen(suggestion)}
              className={clsx(
                'control-height-dense flex cursor-default select-none items-center rounded-md px-2 text-small',
                at === index && 'bg-surface-hover',
              )}
            >
              {suggestion}
            </div>
          ))}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
