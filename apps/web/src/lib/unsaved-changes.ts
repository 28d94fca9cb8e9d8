import { useEffect, useState, useSyncExternalStore } from 'react';

/** A change of page that waits for the user's decision. */
interface HeldChange {
  stay: () => void;
  leave: () => void;
}

const dirtyForms = new Set<object>();
const runningCalls = new Set<object>();
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

/**
 * For the router. Returns false if the page may change at once: there are no unsaved changes, and no running call whose
 * result Back would hide. Only Back and Forward wait for a call: links are below its dialog, and the app itself may
 * have to change the page, for example when the session ends.
 */
export function holdPage(change: HeldChange, isBackOrForward: boolean): boolean {
  if (isBackOrForward && runningCalls.size > 0) {
    change.stay();
    return true;
  }
  if (dirtyForms.size === 0) return false;
  setHeld(change);
  return true;
}

export const hasUnsavedChanges = (): boolean => dirtyForms.size > 0;

/** For the router: nothing is waiting any more. */
export function releasePage(): void {
  setHeld(undefined);
}

/** They are saved or discarded, or what they belong to is deleted: the page may change without a question. */
export function dropUnsavedChanges(): void {
  dirtyForms.clear();
  runningCalls.clear();
}

function askBeforeUnload(isNeeded: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => isNeeded() && event.preventDefault();
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}

/** Adds the entry, and lets the browser ask before unload while it is there. Returns a function that removes it. */
function register(entries: Set<object>, entry: object): () => void {
  entries.add(entry);
  const stopAsking = askBeforeUnload(() => entries.has(entry));
  return () => {
    stopAsking();
    entries.delete(entry);
  };
}

/** The browser asks before the tab is closed or reloaded. */
export function useAskBeforeUnload(isNeeded: boolean): void {
  useEffect(() => (isNeeded ? askBeforeUnload(() => true) : undefined), [isNeeded]);
}

/** While a call runs, Back and Forward do nothing: the user would not see its result. */
export function useRunningCall(isRunning: boolean): void {
  useEffect(() => (isRunning ? register(runningCalls, {}) : undefined), [isRunning]);
}

/** With unsaved changes, the page stays until the user has decided, even if the URL changes. Of several forms, one asks. */
export function useUnsavedChanges(isDirty: boolean): HeldChange | undefined {
  const [form] = useState({});
  useEffect(() => {
    if (!isDirty) return;
    const remove = register(dirtyForms, form);
    return () => {
      remove();
      // Saved while the question was open.
      if (dirtyForms.size === 0) held?.leave();
      else setHeld(held);
    };
  }, [isDirty, form]);
  return useSyncExternalStore(subscribe, () => ([...dirtyForms].at(-1) === form ? held : undefined));
}
