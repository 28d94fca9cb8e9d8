import clsx from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from '../../ui/card.tsx';
import { IconBox, type IconBoxTone } from '../../ui/icon-box.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { focusWhenLost } from './focus-when-lost.ts';

interface OnboardingScreenProps {
  icon: LucideIcon;
  tone?: IconBoxTone;
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

/** One state of a page. Where it takes the place of another, it takes over the focus that went with that one. */
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
