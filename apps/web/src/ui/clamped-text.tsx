import clsx from 'clsx';
import { useTabStop } from './data-table-keys.ts';
import { Tooltip } from './tooltip.tsx';
import { useClamped } from './use-clamped.ts';

const clamps = { 1: 'line-clamp-1 break-all', 2: 'line-clamp-2', 3: 'line-clamp-3' } as const;

interface ClampedTextProps {
  text: string;
  lines?: keyof typeof clamps;
  className?: string;
}

/** Text that is truncated where it does not fit. Truncated, it shows all of it in a tooltip on hover, focus and press. */
export function ClampedText({ text, lines = 1, className }: ClampedTextProps) {
  const tabStop = useTabStop();
  const { ref, isClamped } = useClamped<HTMLSpanElement>(text);
  return (
    <Tooltip content={text} disabled={!isClamped} openOnPress>
      <span
        ref={ref}
        // Focusable if truncated, so that keyboard users can read the tooltip.
        tabIndex={isClamped ? tabStop : undefined}
        className={clsx('wrap-anywhere rounded-sm', clamps[lines], isClamped && 'relative z-10', className)}
      >
        {text}
      </span>
    </Tooltip>
  );
}
