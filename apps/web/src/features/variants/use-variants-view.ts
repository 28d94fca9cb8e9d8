import { useSearchParams } from 'react-router';
import { readView, type VariantsView, writeView } from './variants-view.ts';

interface ChangeOptions {
  /** For what nobody would want to go back to, such as half a word. */
  replace?: boolean;
}

export function useVariantsView() {
  const [params, setParams] = useSearchParams();
  const view = readView(params);

  /** Whatever changes, one starts to read at the first page again, unless it is the page that changes. */
  const changeView = (change: Partial<VariantsView>, { replace = false }: ChangeOptions = {}) => {
    setParams(writeView(params, { ...view, page: 1, ...change }), { replace });
  };

  return { view, changeView };
}
