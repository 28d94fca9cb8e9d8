import { SignInCard } from './sign-in-card.tsx';
import { useSignIn } from './use-sign-in.ts';

export function SignInPage() {
  const { signIn, isSigningIn, failure } = useSignIn();
  return <SignInCard failure={failure} isSigningIn={isSigningIn} onSignIn={() => void signIn()} />;
}
