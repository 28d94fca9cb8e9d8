import clsx from 'clsx';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Input } from './field.tsx';

export interface ListboxOption {
  id: string;
  label: string;
  /** Type of the option, in small print after the label. */
  kind?: string;
  onSelect: () => void;
}

interface FilteredListboxProps {
  label: string;
  placeholder: string;
  resultsLabel: string;
  emptyText: string;
  options: readonly ListboxOption[];
  /** Options from a server-side search, listed after those that match by label. */
  found?: readonly ListboxOption[];
  onType?: (text: string) => void;
  onSelected: () => void;
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** All words typed must occur in the label, in any order; case and accents are ignored. */
export function matchesText(label: string, text: string): boolean {
  return plain(text)
    .split(/\s+/)
    .every((word) => plain(label).includes(word));
}

/** A text field above the options that match it. The focus stays in the field; arrow keys move, Enter selects. */
export function FilteredListbox(props: FilteredListboxProps) {
  const { label, placeholder, resultsLabel, emptyText, options, found: foundElsewhere = [], onType, onSelected } = props;
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = [...options.filter((option) => matchesText(option.label, text)), ...foundElsewhere];
  const current = found[Math.min(chosen, found.length - 1)];
  const optionId = (option: ListboxOption) => `${listId}-${option.id}`;

  useEffect(() => {
    if (current) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  const select = (option: ListboxOption) => {
    onSelected();
    option.onSelect();
  };
  const move = (event: KeyboardEvent) => {
    const index = current ? found.indexOf(current) : 0;
    const last = found.length - 1;
    const next = { ArrowDown: index === last ? 0 : index + 1, ArrowUp: index === 0 ? last : index - 1 }[event.key];
    if (next !== undefined) setChosen(Math.max(next, 0));
    else if (event.key === 'Enter' && current) select(current);
    else return;
    event.preventDefault();
  };

  return (
    <div className="flex flex-col gap-2 pt-1">
      <Input
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          onType?.(event.target.value);
          setChosen(0);
        }}
        onKeyDown={move}
      />
      {/* Fixed height, so that typing does not resize the list. */}
      <div className="h-80 max-h-[50dvh] overflow-y-auto">
        <div ref={list} id={listId} role="listbox" aria-label={resultsLabel}>
          {found.map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys.
            <div
              key={option.id}
              id={optionId(option)}
              role="option"
              tabIndex={-1}
              aria-selected={option === current}
              onClick={() => select(option)}
              onPointerMove={() => setChosen(found.indexOf(option))}
              className={clsx(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 max-md:min-h-11',
                option === current && 'bg-primary-bg text-primary',
              )}
            >
              <span className="min-w-0 flex-1 truncate">{option.label}</span>{' '}
              <span className="shrink-0 text-caption text-text-secondary">{option.kind}</span>
            </div>
          ))}
        </div>
        <p role="status" className={clsx('px-3 py-2 text-text-secondary', found.length > 0 && 'sr-only')}>
          {found.length === 0 && emptyText}
        </p>
      </div>
    </div>
  );
}
