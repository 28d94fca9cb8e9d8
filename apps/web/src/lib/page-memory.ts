/** Web storage that survives a page load. Storage can be blocked (private windows): then nothing is stored. */
function attempt<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

type Kind = 'local' | 'session';
/** `session`: this tab only. */
const storage = (kind: Kind) => (kind === 'local' ? localStorage : sessionStorage);

export function keep(kind: Kind, key: string, value: string): void {
  attempt(() => storage(kind).setItem(key, value));
}

export function recall(kind: Kind, key: string): string | null {
  return attempt(() => storage(kind).getItem(key)) ?? null;
}

export function forget(kind: Kind, key: string): void {
  attempt(() => storage(kind).removeItem(key));
}
