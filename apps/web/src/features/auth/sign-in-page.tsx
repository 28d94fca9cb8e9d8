import { useLayoutEffect, useRef } from 'react';
import { SignInCard } from './sign-in-card.tsx';
import { useSignIn } from './use-sign-in.ts';

export function SignInPage() {
  const { signIn, isSigningIn, failure } = useSignIn();
  return <SignInCard failure={failure} isSigningIn={isSigningIn} onSignIn={() => void signIn()} buttonRef={useFocusOfFirstPaint()} />;
}

/** Set by a script in index.html while its button has the focus; stays after that button is removed. */
const FOCUSED = 'data-sign-in-focused';

/** If the prerendered button had the focus when the app replaced it, focuses the new one. */
function useFocusOfFirstPaint() {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const root = document.documentElement;
    if (root.hasAttribute(FOCUSED) && document.activeElement === document.body) ref.current?.focus();
    root.removeAttribute(FOCUSED);
  }, []);
  return ref;
}
