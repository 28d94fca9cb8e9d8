import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  description?: string;
  /** The next step. */
  action?: ReactNode;
  /** Where the state is the whole page, its title is the page's. */
  heading?: 'h1' | 'h2' | 'h3';
}

export function EmptyState({ icon: Icon, title, description, action, heading: Heading = 'h2' }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-4 py-12 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-card border bg-surface text-text-tertiary">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <Heading className="text-balance font-semibold text-heading">{title}</Heading>
      {description && <p className="mt-1 text-balance text-body text-text-secondary">{description}</p>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
