import clsx from 'clsx';
import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

type AlertTone = 'info' | 'success' | 'warning' | 'error';

const tones = {
  info: { icon: Info, className: 'bg-primary-bg text-primary' },
  success: { icon: CircleCheck, className: 'bg-success-bg text-success' },
  warning: { icon: TriangleAlert, className: 'bg-warning-bg text-warning' },
  error: { icon: TriangleAlert, className: 'bg-error-bg text-error' },
} as const;

interface AlertProps {
  tone: AlertTone;
  className?: string;
  children: ReactNode;
}

/** An inline message. Screen readers announce errors and warnings when they appear. */
export function Alert({ tone, className, children }: AlertProps) {
  const { icon: Icon, className: toneClasses } = tones[tone];
  const isUrgent = tone === 'error' || tone === 'warning';
  return (
    <div
      role={isUrgent ? 'alert' : 'status'}
      className={clsx('flex items-start gap-2 rounded-control px-3 py-2 text-small', toneClasses, className)}
    >
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 text-pretty">{children}</div>
    </div>
  );
}
