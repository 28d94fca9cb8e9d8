import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconBox, type IconBoxTone } from './icon-box.tsx';

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
