import clsx from 'clsx';
import { Label as RadixLabel } from 'radix-ui';
import type { ComponentProps } from 'react';

export function Label({ className, ...rest }: ComponentProps<typeof RadixLabel.Root>) {
  return <RadixLabel.Root {...rest} className={clsx('font-medium text-small text-text', className)} />;
}
