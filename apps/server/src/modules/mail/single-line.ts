/** Line breaks and other controls, and the marks that make a text read in another direction than it is written. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** People choose their names: those must not begin a new header in a mail, nor a paragraph of their own in its text. */
export function singleLine(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
}
