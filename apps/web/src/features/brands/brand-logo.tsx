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
  /** The brand's name, where there is no room for it: without a logo its initials tell it from others. */
  initialsOf?: string;
}

/** Two letters: of the first two words, or the first two of one word. */
function initialsOfName(name: string): string {
  const [first = name.trim(), second] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = second ? [...first].slice(0, 1).concat([...second].slice(0, 1)) : [...first].slice(0, 2);
  return letters.join('').toUpperCase();
}

/** Decoration: it stands beside the brand's name, or beside a tooltip with it. */
export function BrandLogo({ logo, size = 'large', initialsOf }: BrandLogoProps) {
  const [broken, setBroken] = useState<string>();
  const { box, icon, pixels } = sizes[size];
  return (
    <span
      className={clsx(
        'grid shrink-0 place-items-center overflow-hidden border bg-background-secondary text-text-tertiary',
        box,
      )}
    >
      {logo && logo !== broken ? (
        <img
          src={logo}
          alt=""
          width={pixels}
          height={pixels}
          loading="lazy"
          decoding="async"
          // Whoever hosts the logo need not learn which page shows it.
          referrerPolicy="no-referrer"
          onError={() => setBroken(logo)}
          className="size-full bg-surface object-contain"
        />
      ) : initialsOf ? (
        // Drawn rather than written: the name is said already.
        <span
          aria-hidden="true"
          data-initials={initialsOfName(initialsOf)}
          className="font-semibold text-[0.6875rem] text-text-secondary leading-none before:content-[attr(data-initials)]"
        />
      ) : (
        <Store aria-hidden="true" className={icon} />
      )}
    </span>
  );
}
