import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Tooltip } from './tooltip.tsx';

interface ExplainedButtonProps extends ComponentProps<typeof Button> {
  /** Disables the button, and is shown in a tooltip on hover, focus and press. */
  disabledReason?: string | undefined;
  /** Shown in the same tooltip; the button stays enabled. */
  hint?: string | undefined;
}

/** Uses `aria-disabled`: with `disabled` the button could not be focused, and keyboard users would not get the reason. */
export function ExplainedButton(props: ExplainedButtonProps) {
  const { disabledReason, hint, disabled, onClick, className, ...rest } = props;
  const isDisabled = disabledReason !== undefined;
  const explanation = disabledReason ?? hint;
  return (
    <Tooltip content={explanation} disabled={explanation === undefined} openOnPress={isDisabled}>
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
