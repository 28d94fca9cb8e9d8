import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from '../../ui/card.tsx';
import { IconBox, type IconBoxTone } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-header.tsx';

interface OnboardingScreenProps {
  icon: LucideIcon;
  tone?: IconBoxTone;
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

/** One state of a page. If it replaces another one that had the focus, its heading gets it. */
export function OnboardingScreen({ icon, tone = 'primary', title, isWide, children }: OnboardingScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another screen
  useEffect(() => focusWhenLost(heading.current), [title]);

  return (
    <Card className={clsx('my-4 w-full p-6', isWide ? 'max-w-lg' : 'max-w-md')}>
      <PageTitle parts={[title]} />
      <IconBox icon={icon} tone={tone} />
      <h1 ref={heading} tabIndex={-1} className="text-balance font-semibold text-title outline-none">
        {title}
      </h1>
      {children}
    </Card>
  );
}

/**
 * Focuses the element if nothing has the focus, for example because the pressed button is gone or disabled. If the user
 * has focused something else meanwhile, that is kept.
 */
export function focusWhenLost(element: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) element?.focus();
}
