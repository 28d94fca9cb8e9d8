const MAX_KEY_LENGTH = 200;

/**
 * The form by which ids of one certification are compared: 'fsc‑c104882', 'FSC-C 104882' and 'FSC-C104882' are one certificate. Without case,
 * spaces and invisible characters, with one kind of dash, and without the '.0' that a spreadsheet puts behind a number.
 */
export function certificateKey(id: string): string {
  if (/^[A-Z0-9/-]+$/.test(id)) return id;
  // Superscripts and fractions would become other digits.
  const text = /\p{No}/u.test(id) ? id.normalize('NFC') : id.normalize('NFKC');
  const key = text
    .replaceAll(/[\p{Pd}\u2212\u02D7\u2043]/gu, '-')
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase()
    .replace(/^(\d+)[.,]0+$/, '$1');
  // Some characters become many, and an index entry has its limits.
  return key === '' || key.length > MAX_KEY_LENGTH ? id : key;
}

/** By certification. PostgreSQL's expressions do not know `\p{L}`, so ids are compared with their documented form here. */
export type IdPatterns = ReadonlyMap<number, RegExp>;

export function compileIdPatterns(rows: readonly { id: number; id_pattern: string }[]): IdPatterns {
  return new Map(rows.map(({ id, id_pattern }) => [id, compileIdPattern(id_pattern)]));
}

/** Throws where the text is no expression. */
export function compileIdPattern(pattern: string): RegExp {
  return new RegExp(pattern, 'u');
}

/** A certification whose issuer documents no form takes any id. */
export function isWellFormed(patterns: IdPatterns, certificationId: number, externalId: string): boolean {
  return patterns.get(certificationId)?.test(externalId) ?? true;
}
