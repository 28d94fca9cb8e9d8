import { TOOLTIP_DELAY_MS } from '@brand-portal/contract/constants';
import { Slot } from 'radix-ui';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { usePart } from '../lib/lazy.ts';
import { loadFloating, prepareFloating } from './use-opener.ts';

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

interface OpenTooltip {
  close: () => void;
  /** The pointer is on its way from the element to the tooltip, or away from both. */
  isPointerLeaving: boolean;
}

/** There is one at most: the next one closes it. */
let openTooltip: OpenTooltip | undefined;
let closedAt = 0;
/** Within this time after a tooltip the next one opens at once. */
const NEXT_WITHIN_MS = 300;

export function Tooltip(props: TooltipProps) {
  const { content, children, side = 'top', disabled = false, openOnPress = false } = props;
  const [open, setOpen] = useState(false);
  const own = useRef<OpenTooltip>(undefined);
  const trigger = useRef<HTMLElement>(null);
  const timer = useRef(0);
  const isEntered = useRef(false);
  const isPressed = useRef(false);
  const scrolling = useScrollingIntoView();
  const id = useId();
  // Otherwise it would be open once it is enabled again.
  if (disabled && open) setOpen(false);

  const show = () => {
    clearTimeout(timer.current);
    setOpen(true);
  };
  const close = () => {
    clearTimeout(timer.current);
    if (scrolling.isInProgress()) return;
    // Between blur and focus nothing has the focus. If an element of a dialog disappeared then, Radix would move the focus to
    // the dialog, and Tab would never get past the tooltip.
    if (document.activeElement === document.body) startTransition(() => setOpen(false));
    else setOpen(false);
  };
  const closeForNext = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    openTooltip?.close();
    const current = { close: () => closeForNext(), isPointerLeaving: false };
    openTooltip = current;
    own.current = current;
    return () => {
      own.current = undefined;
      if (openTooltip !== current) return;
      openTooltip = undefined;
      closedAt = Date.now();
    };
  }, [open]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const onPointerMove = (event: PointerEvent) => {
    if (own.current) own.current.isPointerLeaving = false;
    // On its way to another tooltip the pointer may pass over this element.
    if (event.pointerType === 'touch' || isEntered.current || openTooltip?.isPointerLeaving) return;
    isEntered.current = true;
    if (openTooltip || Date.now() - closedAt < NEXT_WITHIN_MS) return show();
    prepareFloating();
    timer.current = window.setTimeout(show, TOOLTIP_DELAY_MS);
  };
  const onPointerLeave = () => {
    clearTimeout(timer.current);
    isEntered.current = false;
    if (own.current) own.current.isPointerLeaving = true;
    // Radix closes an open tooltip when the pointer is away from both; before its code is there, there is nothing to go to.
    if (open && !loadFloating.loaded) close();
  };
  const onPointerDown = () => {
    if (open) close();
    isPressed.current = true;
    const release = () => {
      isPressed.current = false;
    };
    document.addEventListener('pointerup', release, { once: true });
  };
  const onClick = (event: MouseEvent) => {
    if (!openOnPress || isRowPress(event.currentTarget)) return close();
    if (disabled) return;
    event.preventDefault();
    show();
  };
  return (
    <>
      <Slot.Root
        ref={trigger}
        aria-describedby={open ? id : undefined}
        onPointerMove={onPointerMove}
        onPointerLeave={onPointerLeave}
        onPointerDown={onPointerDown}
        // In the capture phase, because a busy button replaces its own onClick.
        onClickCapture={onClick}
        onFocus={() => {
          scrolling.start();
          if (!isPressed.current) show();
        }}
        onBlur={() => {
          scrolling.end();
          close();
        }}
      >
        {children}
      </Slot.Root>
      {open && !disabled && (
        <Content id={id} side={side} trigger={trigger} onOpenChange={close} onFailure={() => setOpen(false)}>
          {content}
        </Content>
      )}
    </>
  );
}

type ContentProps = Parameters<NonNullable<(typeof loadFloating)['loaded']>['TooltipContent']>[0];

/** A press on text in a row that opens a panel is for the panel, which says the same and more. */
function isRowPress(trigger: EventTarget): boolean {
  return trigger instanceof Element && trigger.closest('button, a, [data-opens]')?.matches('[data-opens]') === true;
}

/** What is in the tooltip, as soon as the code for it is there. */
function Content({ onFailure, ...props }: ContentProps & { onFailure: () => void }) {
  const parts = usePart(loadFloating, true, onFailure);
  return parts && <parts.TooltipContent {...props} />;
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
