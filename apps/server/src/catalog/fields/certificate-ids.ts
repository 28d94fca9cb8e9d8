const MAX_KEY_LENGTH = 200;

const DASHES = /[\p{Pd}\u2212\u02D7\u2043]/gu;
/** What a spreadsheet appends to a number. */
const DECIMALS = /^(\d+)[.,]0+$/;

/** As wide as a Chinese character. */
const WIDE_ASCII = /[\uFF01-\uFF5E]/g;

/** The spelling that is stored, validated and sent to Google: with plain dashes, and without a spreadsheet's '.0'. */
export function canonicalId(id: string): string {
  if (id.length > MAX_KEY_LENGTH) return id;
  return id
    .replaceAll(DASHES, '-')
    .replaceAll(WIDE_ASCII, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(DECIMALS, '$1');
}

/**
 * The normalised id: 'fsc‑c104882', 'FSC-C 104882' and 'FSC-C104882' are one certificate. Ignores case, spaces, invisible characters and
 * kinds of dashes, and the '.0' that a spreadsheet appends to a number.
 */
export function certificateKey(id: string): string {
  // No valid id is that long, and normalising takes quadratic time on a hostile one.
  if (id.length > MAX_KEY_LENGTH || /^[A-Z0-9/-]+$/.test(id)) return id;
  // NFKC would turn superscripts and fractions into other digits.
  const text = /\p{No}/u.test(id) ? id.normalize('NFC') : id.normalize('NFKC');
  const key = text
    .replaceAll(DASHES, '-')
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .replace(DECIMALS, '$1');
  // Some characters expand to many, and the size of an index entry is limited.
  return key === '' || key.length > MAX_KEY_LENGTH ? id : key;
}

/** By certification. Checked here, because PostgreSQL's regular expressions have no `\p{L}`. */
export type IdPatterns = ReadonlyMap<number, RegExp>;

export function compileIdPatterns(rows: readonly { id: number; id_pattern: string }[]): IdPatterns {
  return new Map(rows.map(({ id, id_pattern }) => [id, compileIdPattern(id_pattern)]));
}

/** Throws if the text is not a regular expression. */
export function compileIdPattern(pattern: string): RegExp {
  return new RegExp(pattern, 'u');
}

/** If the issuer documents no pattern, any id is well-formed. */
export function isWellFormed(patterns: IdPatterns, certificationId: number, externalId: string): boolean {
  return patterns.get(certificationId)?.test(externalId) ?? true;
}
