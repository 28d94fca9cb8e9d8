import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  tone?: IconBoxTone;
  title: string;
  description?: string;
  /** The next step. */
  action?: ReactNode;
  /** Where the state is the whole page, its title is the page's. */
  heading?: 'h1' | 'h2' | 'h3';
}

/** What stands where there is nothing to show. */
export function EmptyState(props: EmptyStateProps) {
  const { icon, tone = 'neutral', title, description, action, heading: Heading = 'h2' } = props;
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center">
      <IconBox icon={icon} tone={tone} />
      <Heading className="text-balance font-semibold text-heading">{title}</Heading>
      {description && <p className="mt-1 text-balance text-body text-text-secondary">{description}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

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
