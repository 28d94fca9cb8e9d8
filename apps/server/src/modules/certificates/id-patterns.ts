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
