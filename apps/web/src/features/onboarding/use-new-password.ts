import { brokenPasswordRules } from '@brand-portal/contract/onboarding';
import { useState } from 'react';

/** A password, the same again, and what is still wrong with the two. */
export function useNewPassword() {
  const [password, setPassword] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const broken = brokenPasswordRules(password);
  const isMatching = password === confirmed;
  return {
    password,
    setPassword,
    confirmed,
    setConfirmed,
    broken,
    isMatching,
    /** Not the same yet, but right so far: no reason to shout at somebody who is still writing. */
    isOnTheWay: !isMatching && password.startsWith(confirmed),
    isIncomplete: password === '' || confirmed === '',
    isAcceptable: broken.length === 0 && isMatching,
  };
}
export type NewPassword = ReturnType<typeof useNewPassword>;
