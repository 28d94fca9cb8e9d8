import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useFormat } from '../lib/format.ts';
import { useTabStop } from './data-table-keys.ts';
import { Tooltip } from './tooltip.tsx';

interface OverflowListProps<Item> {
  /** Accessible name. */
  label: string;
  items: readonly Item[];
  itemKey: (item: Item) => string;
  /** How many are shown before the rest is collapsed. */
  limit: number;
  renderItem: (item: Item) => ReactNode;
  /** One of the collapsed items, as a line or two of text. */
  renderHidden: (item: Item) => ReactNode;
  /** Accessible name of the number, such as '3 more certifications'. */
  hiddenLabel: (count: number) => string;
  /** Colour classes of the number, such as those of the most severe collapsed item. */
  hiddenClasses?: (hidden: readonly Item[]) => string;
  className?: string;
}

/** One line of items. Those beyond the limit collapse into a number that lists them on hover, focus and press. */
export function OverflowList<Item>(props: OverflowListProps<Item>) {
  const { label, items, itemKey, limit, renderItem, renderHidden, hiddenLabel, hiddenClasses, className } = props;
  const format = useFormat();
  const tabStop = useTabStop();
  const hidden = items.slice(limit);
  return (
    <ul aria-label={label} className={clsx('flex items-center gap-1.5', className)}>
      {items.slice(0, limit).map((item) => (
        <li key={itemKey(item)} className="min-w-0">
          {renderItem(item)}
        </li>
      ))}
      {hidden.length > 0 && (
        <li>
          <Tooltip
            openOnPress
            content={
              <ul className="flex flex-col gap-2 py-0.5">
                {hidden.map((item) => (
                  <li key={itemKey(item)}>{renderHidden(item)}</li>
                ))}
              </ul>
            }
          >
            <button
              type="button"
              tabIndex={tabStop}
              aria-label={hiddenLabel(hidden.length)}
              className={clsx(
                'touch-area inline-flex h-6 items-center rounded-full border px-2 font-medium text-caption transition-colors max-md:min-w-11 max-md:justify-center',
                hiddenClasses?.(hidden) ?? 'text-text-secondary hover:bg-background-secondary',
              )}
            >
              +{format.number(hidden.length)}
            </button>
          </Tooltip>
        </li>
      )}
    </ul>
  );
}
