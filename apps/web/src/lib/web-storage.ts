/** Web storage that survives a page load. Storage can be blocked (private windows): then nothing is stored. */
function ignoreErrors<Result>(use: () => Result): Result | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

type Kind = 'local' | 'session';
/** `session`: this tab only. */
const storage = (kind: Kind) => (kind === 'local' ? localStorage : sessionStorage);

export function storeItem(kind: Kind, key: string, value: string): void {
  ignoreErrors(() => storage(kind).setItem(key, value));
}

export function readItem(kind: Kind, key: string): string | null {
  return ignoreErrors(() => storage(kind).getItem(key)) ?? null;
}

export function removeItem(kind: Kind, key: string): void {
  ignoreErrors(() => storage(kind).removeItem(key));
}
