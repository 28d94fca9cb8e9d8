import clsx from 'clsx';
import type { ComponentProps } from 'react';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return (
    <input
      {...rest}
      className={clsx(
        'control-height field-edge w-full min-w-0 text-ellipsis rounded-control bg-surface px-3 text-text transition-colors placeholder:text-text-tertiary',
        'disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-error',
        // Below 16 px iOS zooms the page when the field is focused.
        'max-md:text-base',
        className,
      )}
    />
  );
}
