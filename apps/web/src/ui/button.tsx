import clsx from 'clsx';
import { Slot } from 'radix-ui';
import type { ComponentProps, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'regular' | 'dense' | 'icon' | 'icon-dense';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-on-primary lit:bg-primary-hover',
  secondary: 'border bg-surface text-text lit:bg-surface-hover',
  ghost: 'text-text-secondary lit:bg-surface-hover lit:text-text',
  danger: 'bg-error text-on-error lit:brightness-90 dark:lit:brightness-110',
};

const sizes: Record<ButtonSize, string> = {
  regular: 'control-height px-3.5 text-body',
  dense: 'control-height-dense px-2.5 text-small',
  icon: 'control-height aspect-square',
  'icon-dense': 'control-height-dense aspect-square',
};

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Given at all, room for the busy label is kept from the start: the width never changes. */
  busy?: boolean;
  /** What goes on, in place of the label. */
  busyLabel?: string;
  /** Busy, it does nothing and looks so, but keeps the focus, which the browser's `disabled` would lose. */
  focusableWhileBusy?: boolean;
  icon?: ReactNode;
  /** Gives the look to the one child, for links that look like buttons. */
  asChild?: boolean;
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'regular',
    busy,
    busyLabel,
    focusableWhileBusy = false,
    icon,
    asChild,
    className,
    children,
    ...rest
  } = props;
  const look = clsx(
    'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium transition-[background-color,color,filter] disabled:cursor-not-allowed',
    busy ? 'cursor-not-allowed!' : 'disabled:opacity-50',
    variants[variant],
    sizes[size],
    className,
  );
  if (asChild) {
    return (
      <Slot.Root {...(rest as object)} className={look}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      {...rest}
      type={rest.type ?? 'button'}
      disabled={rest.disabled || (busy && !focusableWhileBusy)}
      aria-disabled={(busy && focusableWhileBusy) || rest['aria-disabled']}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
      aria-busy={busy || undefined}
      className={look}
    >
      {busy === undefined ? (
        <>
          {icon}
          {children}
        </>
      ) : (
        <BusyContent busy={busy} busyLabel={busyLabel} icon={icon}>
          {children}
        </BusyContent>
      )}
    </button>
  );
}

/** The label that is not shown lies unseen below the one that is, so that the wider of the two decides the width. */
function BusyContent({
  busy,
  busyLabel,
  icon,
  children,
}: Pick<ButtonProps, 'busy' | 'busyLabel' | 'icon' | 'children'>) {
  const unseen = busy ? children : (busyLabel ?? children);
  const unseenHasIcon = busy ? icon !== undefined : true;
  return (
    <span
      data-unseen={typeof unseen === 'string' ? unseen : undefined}
      className={clsx('keeps-room', unseenHasIcon && typeof unseen === 'string' && '[--unseen-icon:1.5rem]')}
    >
      <span className="flex items-center justify-center gap-2">
        {busy ? <Spinner /> : icon}
        {busy ? (busyLabel ?? children) : children}
      </span>
    </span>
  );
}
