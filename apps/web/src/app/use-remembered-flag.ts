import { useState } from 'react';

function read(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'true';
  } catch {
    return false;
  }
}

/** A yes or no that this browser remembers, where it may. */
export function useRememberedFlag(key: string): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(key));
  const remember = (next: boolean) => {
    setValue(next);
    try {
      localStorage.setItem(key, String(next));
    } catch {
      // Storage can be refused (private windows); the choice then holds for this page only.
    }
  };
  return [value, remember];
}
