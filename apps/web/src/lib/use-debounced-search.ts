import { SEARCH_DEBOUNCE_MS } from '@brand-portal/contract/constants';
import { useEffect, useEffectEvent, useState } from 'react';
import { tidySearch } from './list-view.ts';

/** The text in the search box, which becomes the search once nobody has typed for a moment. */
export function useDebouncedSearch(search: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(search);
  const [seen, setSeen] = useState(search);
  const [sent, setSent] = useState(search);

  // A search that is not the one sent from here comes from the address: the way back, or a link. One that was sent
  // may arrive when the next letter is already typed, and must not take it away.
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
    const next = tidySearch(text);
    if (next === sent) return;
    const timer = setTimeout(() => send(next), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, sent]);

  return [text, setText] as const;
}
