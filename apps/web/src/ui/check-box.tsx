import clsx from 'clsx';
import type { ChangeEvent } from 'react';

interface CheckBoxProps {
  label: string;
  /** `mixed`: of several, some are checked. */
  checked: boolean | 'mixed';
  /** `withShift`: clicked or pressed while Shift is held down. */
  onChange: (checked: boolean, options: { withShift: boolean }) => void;
  tabIndex?: 0 | -1;
  className?: string;
}

/** A box without visible text. Around it there is room for a finger. */
export function CheckBox({ label, checked, onChange, tabIndex, className }: CheckBoxProps) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    // The browser tells a change of a box by its click.
    const { shiftKey } = event.nativeEvent as MouseEvent;
    onChange(event.target.checked, { withShift: shiftKey === true });
  };
  return (
    <label className={clsx('grid cursor-pointer select-none place-items-center', className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked === true}
        tabIndex={tabIndex}
        ref={(input) => {
          if (input) input.indeterminate = checked === 'mixed';
        }}
        onChange={change}
        className="size-4 cursor-pointer accent-primary"
      />
    </label>
  );
}
