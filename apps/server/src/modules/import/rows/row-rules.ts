import { restoreFormulas, withoutApostrophe } from '../../../csv/formulas.ts';
import type { CatalogueName, CertificationNames } from './certification-names.ts';
import type { ColumnName, ColumnPlaces } from './columns.ts';
import { type Gtin, readGtin } from './gtin.ts';
import type { RowProblem } from './row-problem.ts';

/** What a good row says. */
export interface ImportRow extends Gtin {
  readonly name: string;
  /** Empty: the row says nothing of it. */
  readonly category: string;
  readonly certificate: { readonly certificationId: number; readonly externalId: string } | undefined;
  /** Whether it names the channel, which publishes it. */
  readonly publish: boolean;
}

export type RowVerdict =
  | { readonly row: ImportRow; readonly problems?: undefined }
  | { readonly problems: readonly RowProblem[] };

const LIMITS = { variant_name: 200, category: 200, certificate_id: 100 } as const;
const MAX_NORMALISED = 2_000;
/** As much of a wrong value as its message repeats; half of a character at the cut would be no JSON for PostgreSQL. */
const QUOTED_CHARACTERS = 60;
/** Invisible, and never meant: line breaks, tabs and the other characters that control something. */
const CONTROL = /\p{Cc}/u;
/** What a decoder writes where the bytes were no character. */
const DAMAGED = '\uFFFD';

/** Every rule that one row can break by itself; all of what is wrong is reported, not just the first. */
export function checkRow(
  cells: readonly string[],
  { count, places, isOwnFile }: ColumnPlaces,
  names: CertificationNames,
): RowVerdict {
  const ragged = findRaggedness(cells, count);
  if (ragged) return { problems: [ragged] };
  const problems: RowProblem[] = [];
  const text = (column: ColumnName) => readText(cells[places.get(column) ?? -1] ?? '', isOwnFile);

  const name = text('variant_name');
  const category = text('category');
  const externalId = text('certificate_id');
  const certificationName = text('certification_name');
  if (name === '') problems.push({ code: 'missing_value', field: 'variant_name' });
  checkText('variant_name', name, problems);
  const gtin = checkGtin(text('gtin'), problems);
  checkText('category', category, problems);
  checkText('certificate_id', externalId, problems);
  const certification = certificationName === '' ? undefined : checkCertification(certificationName, names, problems);
  if (externalId !== '' && certificationName === '') {
    problems.push({ code: 'certification_name_missing', field: 'certification_name' });
  }
  if (externalId === '' && certificationName !== '') {
    problems.push({ code: 'certificate_id_missing', field: 'certificate_id' });
  }
  if (!gtin || problems.length > 0) return { problems };
  const certificate = certification && { certificationId: certification.id, externalId };
  return { row: { ...gtin, name, category, certificate, publish: isChannel(text('publishing_channel')) } };
}

/** The one channel there is, as the screens and people call it. */
export function isChannel(name: string): boolean {
  return /^google( shopping)?$/i.test(name);
}

/** Cells that do not line up with the columns may all be in the wrong one: nothing else is said of such a row. */
function findRaggedness(cells: readonly string[], columns: number): RowProblem | undefined {
  if (cells.length < columns) return { code: 'too_few_cells', params: { cells: cells.length, columns } };
  const filled = cells.length > columns ? cells.findLastIndex((cell) => cell.trim() !== '') + 1 : 0;
  return filled > columns ? { code: 'too_many_cells', params: { cells: filled, columns } } : undefined;
}

/** One spelling of each accent, nothing around it, and without the apostrophe that keeps a spreadsheet from calculating. */
function readText(cell: string, isOwnFile: boolean): string {
  const trimmed = cell.trim();
  const text = withoutApostrophe(isOwnFile ? restoreFormulas(trimmed) : trimmed).trim();
  // Too long in any spelling, and normalising takes quadratic time on a hostile cell.
  return text.length > MAX_NORMALISED ? text : text.normalize('NFC');
}

function checkGtin(cell: string, problems: RowProblem[]): Gtin | undefined {
  if (cell === '') {
    problems.push({ code: 'missing_value', field: 'gtin' });
    return undefined;
  }
  const gtin = readGtin(cell);
  if (!('code' in gtin)) return gtin;
  problems.push({ ...gtin, field: 'gtin' });
  return undefined;
}

function checkCertification(
  cell: string,
  names: CertificationNames,
  problems: RowProblem[],
): CatalogueName | undefined {
  const found = names.find(cell);
  if (found.length === 1) return found[0];
  const field = 'certification_name';
  const name = cell.slice(0, QUOTED_CHARACTERS).toWellFormed();
  if (found.length === 0) {
    problems.push({ code: 'unknown_certification', field, params: { name, suggestion: names.suggest(cell) } });
  } else {
    const choices = found.filter((entry) => !entry.is_retired).map((entry) => `"${entry.name}" (${entry.body_name})`);
    problems.push({ code: 'ambiguous_certification', field, params: { name, choices } });
  }
  return undefined;
}

function checkText(field: keyof typeof LIMITS, value: string, problems: RowProblem[]): void {
  const limit = LIMITS[field];
  // The database counts characters, JavaScript's length counts some of them twice.
  const length = value.length > limit ? [...value].length : value.length;
  if (length > limit) problems.push({ code: 'too_long', field, params: { limit, length } });
  if (CONTROL.test(value)) problems.push({ code: 'control_characters', field });
  if (value.includes(DAMAGED)) problems.push({ code: 'damaged_characters', field });
}
