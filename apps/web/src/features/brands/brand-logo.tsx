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
}

/** Decoration: it stands beside the brand's name. */
export function BrandLogo({ logo, size = 'large' }: BrandLogoProps) {
  const [broken, setBroken] = useState<string>();
  const { box, icon, pixels } = sizes[size];
  return (
    <span
      className={clsx(
        'grid shrink-0 place-items-center overflow-hidden border bg-background-secondary text-text-tertiary',
        box,
      )}
    >
      {!logo || logo === broken ? (
        <Store aria-hidden="true" className={icon} />
      ) : (
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
      )}
    </span>
  );
}
