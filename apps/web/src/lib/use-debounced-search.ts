import { MAX_SEARCH_LENGTH, SEARCH_DEBOUNCE_MS } from '@brand-portal/contract/constants';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { normalizeSearch } from './list-view.ts';

/** The text in the search box; debounced, it becomes the search. */
export function useDebouncedSearch(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const [seen, setSeen] = useState(search);
  const [sent, setSent] = useState(search);

  // A search that this hook did not send comes from the URL: Back, or a link. One that it did send may arrive after the
  // next letter was typed, and must not overwrite it.
  if (search !== seen) {
    setSeen(search);
    if (search !== sent) {
      setSent(search);
      setText(search);
    }
  }

  const send = useEffectEvent((next: string) => {
    setSent(next);
    if (next !== search) onSearch(next);
  });
  useEffect(() => {
    const next = normalizeSearch(text);
    if (next === sent) return;
    const timer = setTimeout(() => send(next), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sent]);

  return [text, setText] as const;
}

/** A list's search field. `clear` and `focus` are for buttons that disappear when pressed: the field gets the focus. */
export function useSearchField(search: string, onSearch: (search: string) => void) {
  const [value, onChange] = useDebouncedSearch(search, onSearch);
  const inputRef = useRef<HTMLInputElement>(null);
  const focus = () => inputRef.current?.focus();
  const clear = () => {
    onChange('');
    focus();
  };
  return { field: { value, onChange, inputRef, maxLength: MAX_SEARCH_LENGTH }, clear, focus };
}
