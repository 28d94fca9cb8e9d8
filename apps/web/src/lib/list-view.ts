import { useLayoutEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { readView, type VariantsView, writeView } from './variants-view.ts';

interface ChangeOptions {
  /** For an address that nobody would want to go back to. */
  replace?: boolean;
}

/** What the browser's history remembers of an entry: whether its search was typed here. */
interface EntryState {
  isTyped?: boolean;
}

export function useVariantsView() {
  const [params, setParams] = useSearchParams();
  const state: EntryState | null = useLocation().state;
  const isTyped = state?.isTyped === true;
  // A search that was typed may be sent right after a filter was chosen, before the page shows that: each change builds
  // on the one before it, not on what is shown.
  const latest = useRef({ params, isTyped });
  useLayoutEffect(() => {
    latest.current = { params, isTyped };
  }, [params, isTyped]);

  /** Whatever changes, one starts to read at the first page again, unless it is the page that changes. */
  const change = (change: Partial<VariantsView>, replace: boolean, isTyped: boolean) => {
    const next = writeView(latest.current.params, { ...readView(latest.current.params), page: 1, ...change });
    latest.current = { params: next, isTyped };
    setParams(next, { replace, state: { isTyped } satisfies EntryState });
  };

  return {
    view: readView(params),
    changeView: (next: Partial<VariantsView>, { replace = false }: ChangeOptions = {}) => change(next, replace, false),
    /** The first letters are a step of history, so that the way back leads to where they were typed; more letters are not. */
    changeSearch: (search: string) => change({ search }, latest.current.isTyped, true),
  };
}
