import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { UNSAFE_createBrowserHistory as createBrowserHistory, matchRoutes, type Path, Router } from 'react-router';
import { holdPage, releasePage } from '../lib/unsaved-changes.ts';
import { routes } from './routes.tsx';

const pageAt = (location: Partial<Path>) => matchRoutes(routes, location)?.at(-1)?.route;

/**
 * `BrowserRouter` renders every change of the URL as a transition. Here only a change of page is one: the old page
 * stays until the new one's code is loaded. Changes within a page (panel, filter, sort) render at once.
 */
export function AppRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ action, location }, setState] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => {
    let last = history.location;
    /** Entries of the history between the shown page and the URL, while the user is asked about unsaved changes. */
    let distance = 0;
    const stay = () => (distance === 0 ? history.replace(last, last.state) : history.go(-distance));
    return history.listen(({ action, location, delta }) => {
      const show = () => {
        const isSamePage = location.pathname === last.pathname || pageAt(location) === pageAt(last);
        last = location;
        distance = 0;
        releasePage();
        if (isSamePage) setState({ action, location });
        else startTransition(() => setState({ action, location }));
      };
      distance += delta ?? 0;
      if (location.pathname === last.pathname || !holdPage({ stay, leave: show }, action === 'POP')) show();
    });
  }, [history]);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
