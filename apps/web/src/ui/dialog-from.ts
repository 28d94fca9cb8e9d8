import { type ComponentType, createElement } from 'react';
import { type Load, useHasBeen, usePart } from '../lib/lazy.ts';
import { useSayNotOpened } from './use-opener.ts';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A dialog whose code is loaded when it is opened. It stays mounted after closing: it returns the focus. */
export function dialogFrom<Name extends string, Props extends DialogProps>(load: Load<Record<Name, ComponentType<Props>>>, name: Name) {
  return function LazyDialog(props: Props) {
    const hasBeenOpen = useHasBeen(props.open);
    const sayNotOpened = useSayNotOpened();
    const parts = usePart(load, props.open, () => {
      props.onOpenChange(false);
      sayNotOpened();
    });
    return hasBeenOpen && parts ? createElement(parts[name], props) : null;
  };
}
