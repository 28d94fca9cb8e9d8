import { createContext, useContext } from 'react';

/**
 * The element that menus, tooltips, popovers and listboxes are rendered into: the end of the page's main landmark, or
 * of the dialog they belong to. At the end of `body` they would be outside of all landmarks, and a modal dialog would
 * hide them from screen readers.
 */
export const PortalContainer = createContext<HTMLElement | null>(null);

export const usePortalContainer = () => useContext(PortalContainer);
