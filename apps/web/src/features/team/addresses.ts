import { emailKey } from '@brand-portal/contract/people';

export interface Addresses {
  /** Without duplicates, in the first spelling. */
  readonly emails: readonly string[];
  /** Parts that are clearly not an address; the server validates the others. */
  readonly wrong: readonly string[];
  /** Number of duplicates that were left out. */
  readonly repeated: number;
}

/**
 * Parses addresses separated by commas, semicolons, spaces or line breaks; also as mail programs write them: `Ana
 * Torres <ana@example.com>`.
 */
export function readAddresses(text: string): Addresses {
  const written = text
    .split(/[,;\r\n\t]+|(?<=>)/)
    .flatMap((part) => /<([^<>]+)>/.exec(part)?.[1] ?? part.split(/\s+/))
    .map((word) => word.trim())
    .filter(Boolean);
  const emails = new Map<string, string>();
  const wrong = new Set<string>();
  for (const word of written) {
    if (!/^[^\s@]+@[^\s@]+$/.test(word)) wrong.add(word);
    else if (!emails.has(emailKey(word))) emails.set(emailKey(word), word);
  }
  const repeated = written.filter((word) => !wrong.has(word)).length - emails.size;
  return { emails: [...emails.values()], wrong: [...wrong], repeated };
}
