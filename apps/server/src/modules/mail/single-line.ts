/** Line breaks, other control characters, and marks that change the text direction. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** Users choose their names. A name must not start a new header or paragraph in a mail. */
export function singleLine(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
}

/** Marks that are not seen and change the order of what is. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u2060\ufeff]/g;
/** Where a mail program would recognise an address: after a scheme, after "www", and before the last part of a host's name. */
const IN_ADDRESS =
  /(?<=\p{L}):(?=\S)|(?<=\bwww)[.。．｡․]|(?<=[\p{L}\p{M}\p{N}-])[.。．｡․](?=xn--|[\p{L}\p{M}]{2,}(?![\p{L}\p{M}\p{N}-]))/giu;

const MAX_LENGTH = 80;
const MAX_PERSON_LENGTH = 60;

/** A name or an id in a mail. Mail programs make links of addresses in plain text: a space in them prevents it. */
export function unlinked(text: string): string {
  return singleLine(text).replace(INVISIBLE, '').replace(IN_ADDRESS, '$& ');
}

/** The name of a brand, which stands in quotation marks: it must not end them, nor fill the mail. */
export function brandInMail(name: string): string {
  return cut(unlinked(name).replace(/["“”„«»]/g, "'"), MAX_LENGTH);
}

/** The name of a person, which stands in our sentences: letters alone, so that it contains no sentence, address or number to call. */
export function personInMail(name: string): string {
  const letters = singleLine(name)
    .replace(/\S*\p{N}\S*/gu, '')
    .replace(/[^\p{L}\p{M}\p{Zs}'’·-]+/gu, ' ');
  return cut(singleLine(letters), MAX_PERSON_LENGTH);
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length
    ? text
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}
