import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

interface ExplainedButtonProps extends ComponentProps<typeof Button> {
  /** Given, the button does nothing, looks so, and says this under the pointer, on focus and when pressed. */
  disabledReason?: string | undefined;
  /** Given, it says this as well, and works nevertheless. */
  hint?: string | undefined;
}

/** The browser's own `disabled` would take it out of the tab order, and nobody there could learn the reason. */
export function ExplainedButton(props: ExplainedButtonProps) {
  const { disabledReason, hint, disabled, onClick, className, ...rest } = props;
  const isDisabled = disabledReason !== undefined;
  const said = disabledReason ?? hint;
  return (
    <Tooltip content={said} disabled={said === undefined} openOnPress={isDisabled}>
      <Button
        {...rest}
        disabled={disabled && !isDisabled}
        aria-disabled={isDisabled || undefined}
        onClick={isDisabled ? undefined : onClick}
        className={clsx(isDisabled && 'cursor-not-allowed!', isDisabled && !rest.busy && 'opacity-50', className)}
      />
    </Tooltip>
  );
}
