import { createContext, useContext } from 'react';

/**
 * Where menus, tooltips, popovers and options are rendered: at the end of the page's main landmark, or of the dialog they
 * belong to. At the end of `body` they would lie outside of all landmarks, and be hidden from screen readers by a dialog.
 */
export const PortalContainer = createContext<HTMLElement | null>(null);

export const usePortalContainer = () => useContext(PortalContainer);
