import { useEffect, useSyncExternalStore } from 'react';

/** A change of page that waits for the user's decision. */
interface HeldChange {
  stay: () => void;
  leave: () => void;
}

const dirtyForms = new Set<object>();
let held: HeldChange | undefined;
const listeners = new Set<() => void>();

function setHeld(change: HeldChange | undefined): void {
  held = change;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For the router. Returns false if there are no unsaved changes: the page may change at once. */
export function holdPage(change: HeldChange): boolean {
  if (dirtyForms.size === 0) return false;
  setHeld(change);
  return true;
}

/** For the router: nothing is waiting any more. */
export function releasePage(): void {
  setHeld(undefined);
}

/** They are saved or discarded, or what they belong to is deleted: the page may change without a question. */
export function dropUnsavedChanges(): void {
  dirtyForms.clear();
}

/** The browser asks before the tab is closed or reloaded. */
export function useAskBeforeUnload(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}

/** With unsaved changes, the page stays until the user has decided, even if the URL changes. */
export function useUnsavedChanges(isDirty: boolean): HeldChange | undefined {
  useAskBeforeUnload(isDirty);
  useEffect(() => {
    if (!isDirty) return;
    const form = {};
    dirtyForms.add(form);
    return () => {
      dirtyForms.delete(form);
      // Saved while the question was open.
      if (dirtyForms.size === 0) held?.leave();
    };
  }, [isDirty]);
  const change = useSyncExternalStore(subscribe, () => held);
  return isDirty ? change : undefined;
}
