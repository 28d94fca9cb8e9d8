import clsx from 'clsx';
import { Store } from 'lucide-react';
import { useState } from 'react';

const sizes = {
  small: { box: 'size-6 rounded-md', icon: 'size-3.5', pixels: 24 },
  large: { box: 'size-11 rounded-control', icon: 'size-5', pixels: 44 },
} as const;

interface BrandLogoProps {
  logo: string | null;
  size?: keyof typeof sizes;
  /** The brand's name, if it is not shown beside the logo: its initials replace a missing logo. */
  initialsOf?: string;
}

/** First letters of the first two words, or the first two letters of a single word. */
function initialsOfName(name: string): string {
  const [first = name.trim(), second] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Decorative: shown beside the brand's name, or in a link with a tooltip. */
export function BrandLogo({ logo, size = 'large', initialsOf }: BrandLogoProps) {
  const [broken, setBroken] = useState<string>();
  const { box, icon, pixels } = sizes[size];
  return (
    <span className={clsx('grid shrink-0 place-items-center overflow-hidden border bg-background-secondary text-text-tertiary', box)}>
      {logo && logo !== broken ? (
        <img
          src={logo}
          alt=""
          width={pixels}
          height={pixels}
          loading="lazy"
          decoding="async"
          // The logo's host must not learn which page shows it.
          referrerPolicy="no-referrer"
          onError={() => setBroken(logo)}
          className="size-full bg-surface object-contain"
        />
      ) : initialsOf ? (
        // Rendered by CSS, so that screen readers do not read them besides the name.
        <span
          aria-hidden="true"
          data-initials={initialsOfName(initialsOf)}
          className="font-semibold text-[0.6875rem] text-text-secondary leading-none before:content-[attr(data-initials)]"
        />
      ) : (
        <Store className={icon} />
      )}
    </span>
  );
}
