import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type FunctionComponent,
  lazy,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';
import { loadTexts, type TextFile } from './i18n.ts';

/** Loads a part of the app, and remembers it. */
export interface Load<Module> {
  (): Promise<Module>;
  loaded?: Module;
}

/** Loads the code of a part and its texts at the same time. */
export function withTexts<Module>(importCode: () => Promise<Module>, ...texts: TextFile[]): Load<Module> {
  const load: Load<Module> = async () => {
    const [module] = await Promise.all([importCode(), ...texts.map(loadTexts)]);
    load.loaded = module;
    return module;
  };
  return load;
}

/** What starts over the parts whose code could not be loaded: `lazy` keeps its failure. */
const startOver = new Set<() => void>();

/** Call it once a failure is shown: what is rendered later is loaded anew. Before, React would load in a loop. */
export function forgetFailures(): void {
  for (const start of startOver) start();
  startOver.clear();
}

/**
 * A component of such a part, loaded when it is first rendered. If its code is there already, it renders at once: `lazy` would show
 * the fallback first, and React keeps a fallback for 300 ms.
 */
// biome-ignore lint/suspicious/noExplicitAny: as in the types of `lazy`; the props are checked where it is rendered.
export function lazyFrom<Name extends string, Module extends Record<Name, ComponentType<any>>>(load: Load<Module>, name: Name) {
  type Props = ComponentProps<Module[Name]>;
  const pick = (module: Module): FunctionComponent<Props> => module[name] as FunctionComponent<Props>;
  const loadLater = () =>
    lazy(async () => {
      try {
        return { default: pick(await load()) };
      } catch (error) {
        startOver.add(() => {
          Later = loadLater();
        });
        throw error;
      }
    });
  let Later = loadLater();
  return function LazyPart(props: Props) {
    // Chosen once: a component of another type would lose its state.
    const [Component] = useState(() => (load.loaded ? pick(load.loaded) : Later));
    return createElement(Component as FunctionComponent<Props>, props);
  };
}

/**
 * The code of a part that only shows once something is opened; loaded when it is wanted. If it cannot be loaded, the page stays as it
 * is, and the next time tries again: once it is wanted anew, or for something else.
 */
export function usePart<Module>(load: Load<Module>, wantedFor: boolean | string, onFailure?: () => void): Module | undefined {
  const [, setLoaded] = useState(false);
  const fail = useEffectEvent(() => onFailure?.());
  // As rendered: it may come between the rendering and the effect.
  const part = load.loaded;
  useEffect(() => {
    if (!wantedFor || part) return;
    let isCurrent = true;
    const finish = (isLoaded: boolean) => () => {
      if (!isCurrent) return;
      if (isLoaded) setLoaded(true);
      else fail();
    };
    load().then(finish(true), finish(false));
    return () => {
      isCurrent = false;
    };
  }, [load, wantedFor, part]);
  return part;
}

/** True from the first time on. For a panel that is rendered once it was opened: a page must not need its code before. */
export function useHasBeen(state: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(state);
  if (state && !hasBeen) setHasBeen(true);
  return hasBeen;
}
