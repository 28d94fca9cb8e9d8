import { type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import { UNSAFE_createBrowserHistory as createBrowserHistory, matchRoutes, type Path, Router } from 'react-router';
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
    return history.listen(({ action, location }) => {
      const isSamePage = location.pathname === last.pathname || pageAt(location) === pageAt(last);
      last = location;
      if (isSamePage) setState({ action, location });
      else startTransition(() => setState({ action, location }));
    });
  }, [history]);
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
