import clsx from 'clsx';
import { CircleAlert, CircleCheck, CircleDot, Clock, Info, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

type BadgeTone = 'neutral' | 'success' | 'warning' | 'error' | 'info';

const tones: Record<BadgeTone, { className: string; icon: LucideIcon }> = {
  neutral: { className: 'bg-background-secondary text-text-secondary dark:bg-border', icon: CircleDot },
  success: { className: 'bg-success-bg text-success', icon: CircleCheck },
  warning: { className: 'bg-warning-bg text-warning', icon: Clock },
  error: { className: 'bg-error-bg text-error', icon: CircleAlert },
  info: { className: 'bg-primary-bg text-primary', icon: Info },
};

interface BadgeProps extends ComponentProps<'span'> {
  tone?: BadgeTone;
  /** Each tone has its own icon by default, so that its meaning does not depend on colour alone. */
  icon?: LucideIcon;
}

export function Badge({ tone = 'neutral', icon, className, children, ...rest }: BadgeProps) {
  const Icon = icon ?? tones[tone].icon;
  return (
    <span
      {...rest}
      className={clsx(
        'inline-flex h-6 max-w-full items-center gap-1 rounded-full px-2 font-medium text-caption',
        tones[tone].className,
        className,
      )}
    >
      <Icon className="size-3.5 shrink-0" />
      <span className="truncate">{children}</span>
    </span>
  );
}
