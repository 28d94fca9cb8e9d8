import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  tone?: IconBoxTone;
  title: string;
  description?: string;
  action?: ReactNode;
  /** `h1` if the empty state is the whole page. */
  heading?: 'h1' | 'h2' | 'h3';
}

/** Placeholder for a list without rows. */
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

/** The icon above a message that fills a page or a section. */
export function IconBox({ icon: Icon, tone }: { icon: LucideIcon; tone: IconBoxTone }) {
  return (
    <span className={clsx('mb-4 grid size-11 place-items-center rounded-card', tones[tone])}>
      <Icon className="size-5" />
    </span>
  );
}
