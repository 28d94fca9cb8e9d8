import { emailKey } from '@brand-portal/contract/people';

export interface Addresses {
  /** Each once, as it was written first. */
  readonly emails: readonly string[];
  /** What looks like no address; the server judges the others. */
  readonly wrong: readonly string[];
  /** How many were left out because they were there before. */
  readonly repeated: number;
}

/** Addresses between commas, semicolons, spaces and line breaks; also as mail programs write them: `Ana Torres <ana@example.com>`. */
export function readAddresses(text: string): Addresses {
  const written = text
    .split(/[,;\r\n\t]+/)
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
