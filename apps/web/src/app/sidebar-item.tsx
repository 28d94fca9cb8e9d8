import clsx from 'clsx';
import type { ReactElement, ReactNode } from 'react';
import { Tooltip } from '../ui/tooltip.tsx';
import { useClamped } from '../ui/use-clamped.ts';

/** Classes of all rows of the sidebar; in the narrow one a row is a square with an icon. */
export function sidebarItemClasses(isWide: boolean): string {
  return clsx(
    'control-height flex shrink-0 items-center rounded-control font-medium text-text-secondary transition-colors',
    'hover:bg-surface-hover hover:text-text aria-[current=page]:bg-primary-bg aria-[current=page]:text-primary',
    isWide ? 'w-full gap-2.5 px-2.5 text-left' : 'w-11 justify-center gap-1',
  );
}

interface SidebarItemProps {
  isWide: boolean;
  icon: ReactNode;
  label: string;
  /** Wraps the content in a link or a button. */
  children: (content: ReactNode) => ReactElement;
  /** After the label. */
  end?: ReactNode;
}

/** An icon with its label; the narrow sidebar shows the label in a tooltip. */
export function SidebarItem({ isWide, icon, label, children, end }: SidebarItemProps) {
  const { ref, isClamped } = useClamped<HTMLSpanElement>(label);
  return (
    <Tooltip content={label} side="right" disabled={isWide && !isClamped}>
      {children(
        <>
          {icon}
          <span ref={ref} className={isWide ? 'min-w-0 flex-1 truncate' : 'sr-only'}>
            {label}
          </span>
          {end}
        </>,
      )}
    </Tooltip>
  );
}
