import { TOOLTIP_DELAY_MS } from '@brand-portal/contract/constants';
import { Tooltip as RadixTooltip } from 'radix-ui';
import {
  createContext,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  startTransition,
  useContext,
  useRef,
  useState,
} from 'react';
import { usePortalContainer } from './portal-container.ts';

interface TooltipProps {
  content: ReactNode;
  /** A single focusable element. */
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** Turns the tooltip off without remounting the child. */
  disabled?: boolean;
  /** For an element without its own click action: touch screens have no hover, so a press opens the tooltip. */
  openOnPress?: boolean;
}

const HasProvider = createContext(false);

/** Wraps a page: its tooltips share one delay, and after one was open the next opens at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <HasProvider value={true}>{children}</HasProvider>
    </RadixTooltip.Provider>
  );
}

export function Tooltip(props: TooltipProps) {
  const tooltip = <TooltipRoot {...props} />;
  // Standalone pages have one or two tooltips and no provider.
  return useContext(HasProvider) ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>;
}

function TooltipRoot(props: TooltipProps) {
  const { content, children, side = 'top', disabled = false, openOnPress = false } = props;
  const [open, setOpen] = useState(false);
  const scrolling = useScrollingIntoView();
  const container = usePortalContainer();
  // Otherwise it would be open once it is enabled again: Radix does not report that the pointer has left a closed tooltip.
  if (disabled && open) setOpen(false);
  const openByPress = (event: MouseEvent) => {
    // Otherwise Radix closes it.
    event.preventDefault();
    setOpen(true);
  };
  const change = (next: boolean) => {
    if (next) return setOpen(true);
    if (scrolling.isInProgress()) return;
    // Between blur and focus nothing has the focus. If an element of a dialog disappeared then, Radix would move the focus to
    // the dialog, and Tab would never get past the tooltip.
    if (document.activeElement === document.body) startTransition(() => setOpen(false));
    else setOpen(false);
  };
  return (
    <RadixTooltip.Root open={open} onOpenChange={change}>
      {/* In the capture phase, because a busy button replaces its own onClick. */}
      <RadixTooltip.Trigger
        asChild
        onFocus={scrolling.start}
        onBlur={scrolling.end}
        onClickCapture={openOnPress ? openByPress : undefined}
      >
        {children}
      </RadixTooltip.Trigger>
      {/* Once disabled it does not fade out: without its text it would be an empty box. */}
      {!disabled && (
        <RadixTooltip.Portal container={container}>
          <RadixTooltip.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-72 wrap-anywhere animate-fade-in text-pretty rounded-control bg-text px-2.5 py-1.5 text-background text-caption shadow-float"
          >
            {content}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      )}
    </RadixTooltip.Root>
  );
}

/**
 * An element that gets the focus may have to scroll into view, such as a badge in a wide table on a phone, and Radix
 * closes the tooltip on scroll. The browser reports that scroll with the next frame, so closing is ignored until then.
 */
function useScrollingIntoView() {
  const isInProgress = useRef(false);
  const end = () => {
    isInProgress.current = false;
  };
  const start = () => {
    isInProgress.current = true;
    requestAnimationFrame(() => requestAnimationFrame(end));
  };
  return { start, end, isInProgress: () => isInProgress.current };
}
