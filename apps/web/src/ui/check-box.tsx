import clsx from 'clsx';
import type { ChangeEvent } from 'react';

interface CheckBoxProps {
  label: string;
  /** `mixed`: some of several are checked. */
  checked: boolean | 'mixed';
  /** `withShift`: Shift was held down. */
  onChange: (checked: boolean, options: { withShift: boolean }) => void;
  tabIndex?: 0 | -1;
  className?: string;
}

/** A checkbox without visible text. Its label element enlarges the touch target. */
export function CheckBox({ label, checked, onChange, tabIndex, className }: CheckBoxProps) {
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    // The native event of a checkbox's change is a click.
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
