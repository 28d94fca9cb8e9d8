import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { readView, type VariantsView, writeView } from './variants-view.ts';

interface ChangeOptions {
  /** For what nobody would want to go back to, such as half a word. */
  replace?: boolean;
}

export function useVariantsView() {
  const [params, setParams] = useSearchParams();
  // A search that was typed may be sent right after a filter was chosen, before the page shows that: each change builds
  // on the one before it, not on what is shown.
  const latest = useRef(params);
  useLayoutEffect(() => {
    latest.current = params;
  }, [params]);

  /** Whatever changes, one starts to read at the first page again, unless it is the page that changes. */
  const changeView = (change: Partial<VariantsView>, { replace = false }: ChangeOptions = {}) => {
    latest.current = writeView(latest.current, { ...readView(latest.current), page: 1, ...change });
    setParams(latest.current, { replace });
  };

  return { view: readView(params), changeView };
}
