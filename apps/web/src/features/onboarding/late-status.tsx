import { useEffect, useState } from 'react';

const PAUSE_MS = 1_000;

/** Read out once the text has stayed the same for a while, so that nobody is talked over at every key. */
export function LateStatus({ text }: { text: string }) {
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p role="status" className="sr-only">
      {spoken}
    </p>
  );
}
