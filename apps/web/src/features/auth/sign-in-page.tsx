import { SignInCard } from './sign-in-card.tsx';
import { useAccountCreatedToast } from './use-account-created-toast.ts';
import { useSignIn } from './use-sign-in.ts';

export function SignInPage() {
  const { signIn, isSigningIn, failure } = useSignIn();
  useAccountCreatedToast();
  return <SignInCard failure={failure} isSigningIn={isSigningIn} onSignIn={() => void signIn()} />;
}
