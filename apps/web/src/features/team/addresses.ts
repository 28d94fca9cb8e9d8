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
    // Quoted names, which may contain commas.
    .replaceAll(/"[^"\r\n]*"(?=\s*<)/g, ' ')
    // Last names, as Outlook writes them: `Torres, Ana <ana@example.com>`. With a dot inside a word it may be a mistyped address.
    .replaceAll(/(?<=^|[,;>\r\n\t])(?:[^<>@.,;\r\n\t]|\.(?=[ ,]))+,(?=[^<>@,;\r\n\t]*<)/g, ' ')
    .split(/[,;\r\n\t]+|(?<=>)/)
    .flatMap((part) => {
      const [, before = '', address] = /^([^<]*)<([^<>]+)>$/.exec(part) ?? [];
      const words = (address === undefined ? part : before).split(/\s+/);
      // In front of an address in angle brackets is the person's name, or another address.
      return address === undefined ? words : [...words.filter((word) => word.includes('@')), address];
    })
    .map((word) => word.trim().replace(/^(?:mailto:)?["']*|["'.]*$/gi, ''))
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
