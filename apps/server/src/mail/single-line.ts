import { withoutInvisible } from '../lib/invisible.ts';

/** Line breaks, other control characters, and marks that change the text direction. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Users choose their names. A name must not start a new header or paragraph in a mail. */
export function singleLine(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
}

const DOT = '[.。．｡․]';
/** Where a mail program would recognise an address. */
const IN_ADDRESS = new RegExp(
  [
    // https://…
    ':(?=/)',
    // tel:…
    '(?<=\\b(?:mailto|tel|sms|callto|skype)):(?=\\S)',
    // www.…
    `(?<=\\bwww)${DOT}`,
    // ….com. Not in names such as s.Oliver: hosts of one letter exist almost only under short endings (t.me, x.com).
    `(?<=[\\p{L}\\p{M}\\p{N}-])${DOT}(?!(?<=(?:^|\\s)\\p{L}.)\\p{L}{4,}(?:\\s|$))(?=xn--|[\\p{L}\\p{M}]{2,}(?![\\p{L}\\p{M}\\p{N}-]))`,
  ].join('|'),
  'giu',
);

/** Ordinary names are shorter; a longer one would fill the mail. */
const MAX_LENGTH = 80;

/** A name or an id in a mail. Mail programs make links of addresses in plain text: a space in them prevents it. */
export function unlinked(text: string): string {
  return singleLine(withoutInvisible(text)).replace(IN_ADDRESS, '$& ');
}

/** The name of a brand, which stands in quotation marks: it must not end them, nor fill the mail. */
export function brandInMail(name: string): string {
  return cut(unlinked(name).replace(/["“”„‟«»‹›❝❞〝〞＂]/g, "'"));
}

/** All but letters, digits, and what names have in any script: apostrophes, hyphens, middle dots, commas, brackets, invisible joiners (Persian). */
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}\p{Zs}\p{Pd}\u200c-\u200d'’‘´`·・‧׳״,&().]+/gu;
/** A dot that does not belong to an initial or an abbreviation, such as "Dr." and "Jr.": it could end a sentence. */
const FULL_STOP = /(?<!(?<![\p{L}\p{M}])\p{Lu}[\p{L}\p{M}]{0,3})\./gu;

/** The name of a person, which stands in our sentences: it must contain no sentence, address or number to call. */
export function personInMail(name: string): string {
  const isLikePhone = (name.match(/\p{N}/gu)?.length ?? 0) > 2;
  const words = singleLine(name)
    .split(' ')
    .filter((word) => !word.includes('@') && !(isLikePhone && /\p{N}/u.test(word)));
  const shown = singleLine(unlinked(words.join(' ')).replace(NOT_IN_NAMES, ' ').replace(FULL_STOP, ' '));
  return /\p{L}/u.test(shown) ? cut(shown) : '';
}

function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_LENGTH) return text;
  const kept = characters.slice(0, MAX_LENGTH - 1).join('');
  return `${kept.trimEnd()}…`;
}
