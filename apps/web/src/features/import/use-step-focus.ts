import { useEffect, useRef } from 'react';
import { bringIntoView } from './dialog-parts.tsx';
import type { UploadState } from './upload-state.ts';

/** The focused element may disappear or become disabled in the next step: moves the focus to where the user continues. */
export function useStepFocus(state: UploadState) {
  const chooseRef = useRef<HTMLButtonElement>(null);
  const uploadRef = useRef<HTMLButtonElement>(null);
  const outcomeRef = useRef<HTMLElement>(null);
  const { step } = state;
  const isCancelled = step === 'chosen' && state.cancelled !== undefined;
  const lastStep = useRef(step);
  useEffect(() => {
    if (step === lastStep.current) return;
    lastStep.current = step;
    if (step === 'idle') chooseRef.current?.focus();
    // After a cancellation the focus stays: the next Enter must not upload the file again.
    else if (step === 'chosen') isCancelled ? bringIntoView(outcomeRef.current) : uploadRef.current?.focus();
    else {
      outcomeRef.current?.focus({ preventScroll: true });
      outcomeRef.current?.scrollIntoView({ block: 'start' });
    }
  }, [step, isCancelled]);
  return { chooseRef, uploadRef, outcomeRef };
}
