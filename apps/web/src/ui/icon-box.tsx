import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';

const tones = {
  neutral: 'border bg-surface text-text-tertiary',
  primary: 'bg-primary-bg text-primary',
  success: 'bg-success-bg text-success',
  error: 'bg-error-bg text-error',
} as const;

export type IconBoxTone = keyof typeof tones;

/** The picture above a message that is a whole page, or a whole part of one. */
export function IconBox({ icon: Icon, tone }: { icon: LucideIcon; tone: IconBoxTone }) {
  return (
    <span className={clsx('mb-4 grid size-11 place-items-center rounded-card', tones[tone])}>
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}
