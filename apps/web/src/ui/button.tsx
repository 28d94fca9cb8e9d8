import clsx from 'clsx';
import { Slot } from 'radix-ui';
import { Children, type ComponentProps, cloneElement, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'regular' | 'dense' | 'icon' | 'icon-dense';

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-primary text-on-primary hover-enabled:bg-primary-hover',
  secondary: 'border bg-surface text-text hover-enabled:bg-surface-hover',
  ghost: 'text-text-secondary hover-enabled:bg-surface-hover hover-enabled:text-text',
  danger: 'bg-error text-on-error hover-enabled:brightness-90 dark:hover-enabled:brightness-110',
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
  /**
   * If set, even to false, the button reserves the width of the busy label: its width never changes. A busy button is
   * `aria-disabled`, because `disabled` would lose the focus.
   */
  busy?: boolean;
  /** Shown instead of the label while busy. */
  busyLabel?: string;
  icon?: ReactNode;
  /** Renders the one child, such as a link, as a button, with icon and busy state. */
  asChild?: boolean;
}

export function Button(props: ButtonProps) {
  const { variant = 'secondary', size = 'regular', busy, busyLabel, icon, asChild, className, children, ...rest } = props;
  const child = asChild ? Children.only(children as ReactElement<{ children?: ReactNode }>) : undefined;
  const label = child ? child.props.children : children;
  const content =
    busy === undefined ? (
      <>
        {icon}
        {label}
      </>
    ) : (
      <BusyContent busy={busy} busyLabel={busyLabel} icon={icon}>
        {label}
      </BusyContent>
    );
  const shared = {
    ...rest,
    'aria-disabled': busy || rest['aria-disabled'],
    'aria-busy': busy || undefined,
    onClick: busy ? (event: MouseEvent) => event.preventDefault() : rest.onClick,
    className: clsx(
      'inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium transition-[background-color,color,filter] disabled:cursor-not-allowed',
      busy ? 'cursor-not-allowed!' : 'disabled:opacity-50',
      variants[variant],
      sizes[size],
      className,
    ),
  };
  if (child) return <Slot.Root {...(shared as object)}>{cloneElement(child, undefined, content)}</Slot.Root>;
  return (
    <button {...shared} type={rest.type ?? 'button'}>
      {content}
    </button>
  );
}

/** The hidden label is laid out below the visible one, so the button is always as wide as the wider of the two. */
function BusyContent({ busy, busyLabel, icon, children }: Pick<ButtonProps, 'busy' | 'busyLabel' | 'icon' | 'children'>) {
  const hidden = busy ? children : (busyLabel ?? children);
  const hiddenHasIcon = busy ? icon !== undefined : true;
  return (
    <span
      data-hidden-label={typeof hidden === 'string' ? hidden : undefined}
      className={clsx('reserve-width', hiddenHasIcon && typeof hidden === 'string' && '[--hidden-icon:1.5rem]')}
    >
      <span className="flex items-center justify-center gap-2">
        {busy ? <Spinner /> : icon}
        {busy ? (busyLabel ?? children) : children}
      </span>
    </span>
  );
}
