import { TOOLTIP_DELAY_MS } from '@brand-portal/contract/constants';
import { Tooltip as RadixTooltip } from 'radix-ui';
import { createContext, type MouseEvent, type ReactElement, type ReactNode, useContext, useRef, useState } from 'react';
import { usePortalContainer } from './portal-container.ts';

interface TooltipProps {
  content: ReactNode;
  /** One focusable element. */
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** For what only sometimes needs one: the element inside stays the same. */
  disabled?: boolean;
  /** For an element that does nothing else when pressed. A finger cannot hover: it opens the tooltip so. */
  openOnPress?: boolean;
}

const HasProvider = createContext(false);

/** Around a page: its tooltips share one delay, and once one was open the next opens at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <RadixTooltip.Provider delayDuration={TOOLTIP_DELAY_MS}>
      <HasProvider value={true}>{children}</HasProvider>
    </RadixTooltip.Provider>
  );
}

export function Tooltip(props: TooltipProps) {
  const tooltip = <TooltipRoot {...props} />;
  // Pages that stand alone have one or two, and no provider around them.
  return useContext(HasProvider) ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>;
}

function TooltipRoot(props: TooltipProps) {
  const { content, children, side = 'top', disabled = false, openOnPress = false } = props;
  const [open, setOpen] = useState(false);
  const scrolling = useScrollingIntoView();
  const openByPress = (event: MouseEvent) => {
    // Otherwise Radix closes it.
    event.preventDefault();
    setOpen(true);
  };
  return (
    <RadixTooltip.Root
      open={open && !disabled}
      onOpenChange={(next) => (next || !scrolling.isUnderWay()) && setOpen(next)}
    >
      {/* On the way down: a busy button keeps what comes up to it to itself. */}
      <RadixTooltip.Trigger
        asChild
        onFocus={scrolling.start}
        onBlur={scrolling.end}
        onClickCapture={openOnPress ? openByPress : undefined}
      >
        {children}
      </RadixTooltip.Trigger>
      <RadixTooltip.Portal container={usePortalContainer()}>
        <RadixTooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-72 animate-fade-in text-pretty rounded-control bg-text px-2.5 py-1.5 text-background text-caption shadow-float"
        >
          {content}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

/**
 * What gets the focus may have to scroll into view, as a badge in a wide table does on a phone, and Radix closes the tooltip of
 * whatever scrolls. That scrolling is told with the next frame.
 */
function useScrollingIntoView() {
  const isUnderWay = useRef(false);
  const end = () => {
    isUnderWay.current = false;
  };
  const start = () => {
    isUnderWay.current = true;
    requestAnimationFrame(() => requestAnimationFrame(end));
  };
  return { start, end, isUnderWay: () => isUnderWay.current };
}
