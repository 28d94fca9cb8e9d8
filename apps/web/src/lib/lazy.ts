import { type ComponentType, lazy, useState } from 'react';
import { loadTexts, type TextFile } from './i18n.ts';

/** Loads a part of the app: its code, and its texts at the same time. */
export function withTexts<Module>(importCode: () => Promise<Module>, ...texts: TextFile[]): () => Promise<Module> {
  return async () => (await Promise.all([importCode(), ...texts.map(loadTexts)]))[0];
}

/** A component of such a part, loaded when it is first rendered. */
// biome-ignore lint/suspicious/noExplicitAny: as in the types of `lazy`; the props are checked where it is rendered.
export function lazyFrom<Name extends string, Module extends Record<Name, ComponentType<any>>>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazy(async () => ({ default: (await load())[name] }));
}

/** True from the first time on. For a panel that is rendered once it was opened: a page must not need its code before. */
export function useHasBeen(state: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(state);
  if (state && !hasBeen) setHasBeen(true);
  return hasBeen;
}
