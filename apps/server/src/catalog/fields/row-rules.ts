import { DETAIL_FIELDS, DETAILS, type DetailField, VARIANT_FIELDS } from '@brand-portal/contract/variant-fields';
import type { CellFlaw } from '../../files/csv/csv-file.ts';
import {
  hasLostLetters,
  hasLostLettersInName,
  isSpreadsheetBoolean,
  isSpreadsheetDate,
  isSpreadsheetError,
  readText,
  repairDoubleEncoding,
} from './cell-text.ts';
import { canonicalId, certificateKey } from './certificate-ids.ts';
import type { CatalogueName, CertificationNames } from './certification-names.ts';
import { type ColumnName, type ColumnPlaces, list } from './columns.ts';
import { type Gtin, readGtin } from './gtin.ts';
import type { RowProblem } from './row-problem.ts';

/** The content of a valid row. */
export interface ImportRow extends Gtin {
  readonly name: string;
  /** Empty: not given. */
  readonly category: string;
  /** JSON of the details in the order of their declaration, so that rows can be compared as text. Undefined: none given. */
  readonly details: string | undefined;
  readonly certificate: NamedCertificate | undefined;
  /** The channel's name in the row; empty if there is none. */
  readonly channel: string;
}

/** The id as written, and normalised for comparison. */
export interface NamedCertificate {
  readonly certificationId: number;
  readonly externalId: string;
  readonly key: string;
  /** The certificate's page at the issuer. Undefined: not given. */
  readonly link?: string | undefined;
}

/** What an invalid row says all the same: its GTIN and the values that have no error. Other rows of the GTIN may contradict it. */
export type KnownContent = Pick<ImportRow, 'gtin14'> & Partial<Pick<ImportRow, 'name' | 'category' | 'details' | 'certificate'>>;

export type RowVerdict =
  | { readonly row: ImportRow; readonly problems?: undefined }
  | { readonly problems: readonly RowProblem[]; readonly known?: KnownContent | undefined };

/** The columns whose cells are free text. */
const TEXTS = {
  variant_name: VARIANT_FIELDS.name,
  category: VARIANT_FIELDS.category,
  certificate_id: { kind: 'line', maxLength: 100 },
  certificate_link: { kind: 'link', maxLength: 2_000 },
  ...DETAILS,
} as const satisfies Partial<Record<ColumnName, object>>;
const QUOTED_CHARACTERS = 60;
/** Invisible and never intended: line breaks, tabs and other control characters. */
const CONTROL = /\p{Cc}/u;
/** The replacement character, which a decoder writes for invalid bytes. */
const DAMAGED = '\uFFFD';

/** Scientific notation as spreadsheets write it. Stricter than usual, because an id may contain an E. */
const SCIENTIFIC = /^\d+([.,]\d+)?e\+\d{1,3}$/i;

/** Applies all rules that concern a single row. Reports all errors, not only the first. */
export function checkRow(
  cells: readonly string[],
  { count, needed, places, origin, addedFrom }: ColumnPlaces,
  names: CertificationNames,
  flaws?: ReadonlyMap<number, CellFlaw>,
): RowVerdict {
  const broken = findSwallowedRows(cells) ?? findRaggedness(cells.slice(0, addedFrom), count, needed);
  if (broken) return { problems: [broken] };
  const problems: RowProblem[] = [];
  const text = (field: ColumnName) => {
    const place = places.get(field);
    if (place === undefined) return '';
    const value = readText(cells[place] ?? '', origin);
    const flaw = flaws?.get(place);
    if (!flaw) return refuseSpreadsheetError(field, value, problems);
    problems.push({ code: `cell_${flaw}`, field, params: { value: quote(value) } });
    return undefined;
  };

  const name = checkName(text('variant_name'), problems);
  const gtin = checkGtin(text('gtin'), problems);
  const category = text('category');
  checkText('category', category, problems);
  const certificate = checkCertificate(text, names, problems);
  const details = checkDetails(text, problems);
  const channel = text('publishing_channel');
  const json = Object.keys(details).length > 0 ? JSON.stringify(details) : undefined;
  if (gtin && name && category !== undefined && channel !== undefined && problems.length === 0)
    return { row: { ...gtin, name, category, details: json, certificate, channel } };
  if (!gtin) return { problems };
  const isRight = (...fields: readonly ColumnName[]) => !problems.some(({ field }) => field && fields.includes(field));
  const known = {
    gtin14: gtin.gtin14,
    name: isRight('variant_name') ? name : undefined,
    category: isRight('category') ? category : undefined,
    details: isRight(...DETAIL_FIELDS) ? json : undefined,
    certificate,
  };
  return { problems, known };
}

const FORM_FIELDS = [...(['variant_name', 'gtin', 'category', 'certificate_id', 'certificate_link'] as const), ...DETAIL_FIELDS] as const;
type FormField = (typeof FORM_FIELDS)[number];

export interface CheckedForm {
  /** The given fields, normalised for storage. */
  readonly values: Readonly<Partial<Record<FormField, string>>>;
  readonly gtin14: string | undefined;
  readonly problems: readonly RowProblem[];
}

/** The same rules for a form. Checks only the fields that are given. */
export function checkForm(entered: Readonly<Partial<Record<FormField, string>>>): CheckedForm {
  const problems: RowProblem[] = [];
  const text = (field: ColumnName) => {
    const value = entered[field as FormField];
    return value === undefined ? undefined : refuseSpreadsheetError(field, readText(value), problems);
  };
  const variant_name = checkName(text('variant_name'), problems);
  const gtin = checkGtin(text('gtin'), problems);
  const category = text('category');
  checkText('category', category, problems);
  const certificate_id = checkCertificateId(text('certificate_id'), problems);
  if (certificate_id === '') problems.push({ code: 'missing_value', field: 'certificate_id' });
  const details = checkDetails(text, problems);
  const certificate_link = text('certificate_link');
  checkText('certificate_link', certificate_link, problems);
  const checked = { variant_name, gtin: gtin?.gtin, category, certificate_id, certificate_link, ...details };
  const given = FORM_FIELDS.filter((field) => entered[field] !== undefined);
  const values = Object.fromEntries(given.map((field) => [field, checked[field] ?? '']));
  return { values, gtin14: gtin?.gtin14, problems };
}

type EnteredCertificate = Readonly<Record<'certification_name' | 'certificate_id', string>>;
type CertificateField = keyof EnteredCertificate | 'certificate_link';

/** The same for a certificate alone. Both fields are required. */
export function checkCertificateForm(
  entered: EnteredCertificate,
  names: CertificationNames,
): { readonly certificate: NamedCertificate | undefined; readonly problems: readonly RowProblem[] } {
  const problems: RowProblem[] = [];
  const text = (field: CertificateField) =>
    field === 'certificate_link' ? '' : refuseSpreadsheetError(field, readText(entered[field]), problems);
  const certificate = checkCertificate(text, names, problems);
  if (!certificate && problems.length === 0) {
    problems.push({ code: 'missing_value', field: 'certification_name' });
    problems.push({ code: 'missing_value', field: 'certificate_id' });
  }
  return { certificate, problems };
}

/** Undefined if the row has no certificate, or an invalid one. */
function checkCertificate(
  text: (field: CertificateField) => string | undefined,
  names: CertificationNames,
  problems: RowProblem[],
): NamedCertificate | undefined {
  const before = problems.length;
  const externalId = checkCertificateId(text('certificate_id'), problems);
  const name = text('certification_name');
  const certification = name ? checkCertification(name, names, problems) : undefined;
  if (externalId && name === '') {
    problems.push({ code: 'certification_name_missing', field: 'certification_name', value: quote(externalId) });
  }
  if (externalId === '' && name) {
    problems.push({ code: 'certificate_id_missing', field: 'certificate_id', value: quote(name) });
  }
  const link = text('certificate_link');
  checkText('certificate_link', link, problems);
  if (link && externalId === '' && name === '') {
    problems.push({ code: 'certificate_link_alone', field: 'certificate_link', value: quote(link) });
  }
  if (!certification || !externalId || problems.length > before) return undefined;
  return { certificationId: certification.id, externalId, key: certificateKey(externalId), ...(link && { link }) };
}

function checkName(name: string | undefined, problems: RowProblem[]): string | undefined {
  if (name === '') problems.push({ code: 'missing_value', field: 'variant_name' });
  checkText('variant_name', name, problems);
  return name;
}

function checkCertificateId(entered: string | undefined, problems: RowProblem[]): string | undefined {
  // Keeps the digits in a spreadsheet (`keepDigits`), and belongs to no id.
  const id = entered === undefined ? undefined : canonicalId(entered.replace(/^'(?=\d)/, ''));
  checkText('certificate_id', id, problems);
  if (id && SCIENTIFIC.test(id)) {
    problems.push({ code: 'certificate_id_scientific', field: 'certificate_id', params: { value: quote(id) } });
  }
  if (id && isSpreadsheetDate(id)) {
    problems.push({ code: 'cell_date', field: 'certificate_id', params: { value: quote(id) } });
  }
  if (!id || !isSpreadsheetBoolean(id)) return id;
  problems.push({ code: 'certificate_id_boolean', field: 'certificate_id', params: { value: id } });
  return undefined;
}

function refuseSpreadsheetError(field: ColumnName, value: string, problems: RowProblem[]): string | undefined {
  if (!isSpreadsheetError(value)) return value;
  problems.push({ code: 'spreadsheet_error', field, params: { value: quote(value) } });
  return undefined;
}

function checkDetails(text: (field: ColumnName) => string | undefined, problems: RowProblem[]): Partial<Record<DetailField, string>> {
  const details: Partial<Record<DetailField, string>> = {};
  for (const field of DETAIL_FIELDS) {
    const cell = text(field);
    if (!cell) continue;
    // Google shows a description as one paragraph.
    details[field] = TEXTS[field].kind === 'text' ? cell.replaceAll(/\s+/g, ' ') : cell;
    checkText(field, details[field], problems);
  }
  return details;
}

function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.hostname.includes('.') && !url.username && !url.password;
}

/** There is one channel; these are its names on the screens and in use. */
export function isChannel(name: string): boolean {
  return /^google( shopping)?$/i.test(name);
}

/** A line inside a cell that has a GTIN, so it is probably a row of its own. */
const SWALLOWED_ROW = /[\r\n][^\r\n]*(?<=[\r\n,;\t|^"' ])\d{8,14}(?=[\r\n,;\t|^"' ]|$)/;

/** A stray opening quote swallows all text up to the next quote into one cell. */
function findSwallowedRows(cells: readonly string[]): RowProblem | undefined {
  const cell = cells.find((cell) => (cell.includes('\n') || cell.includes('\r')) && SWALLOWED_ROW.test(cell));
  return cell === undefined ? undefined : { code: 'stray_quote', params: { lines: cell.trimEnd().split(/\r\n|\r|\n/).length - 1 } };
}

/** If the number of cells does not match, any cell may be in the wrong column. So no other errors of such a row are reported. */
function findRaggedness(cells: readonly string[], columns: number, needed: number): RowProblem | undefined {
  if (cells.length < needed) return { code: 'too_few_cells', params: { cells: cells.length, columns } };
  const filled = cells.length > columns ? cells.findLastIndex((cell) => cell.trim() !== '') + 1 : 0;
  return filled > columns ? { code: 'too_many_cells', params: { cells: filled, columns } } : undefined;
}

function checkGtin(cell: string | undefined, problems: RowProblem[]): Gtin | undefined {
  if (cell === undefined) return undefined;
  if (cell === '') {
    problems.push({ code: 'missing_value', field: 'gtin' });
    return undefined;
  }
  const gtin = readGtin(cell);
  if (!('code' in gtin)) return gtin;
  if (isSpreadsheetDate(cell)) problems.push({ code: 'cell_date', field: 'gtin', params: { value: quote(cell) } });
  else problems.push({ ...gtin, field: 'gtin', value: quote(cell.replace(/^'/, '')) });
  return undefined;
}

function checkCertification(cell: string, names: CertificationNames, problems: RowProblem[]): CatalogueName | undefined {
  const found = names.find(cell);
  if (found.length === 1) return found[0];
  const field = 'certification_name';
  const name = quote(cell);
  const several = found.length === 0 ? names.listSeveral(cell) : [];
  const meant = found.length === 0 ? names.listBeginning(cell) : found;
  if (several.length > 0) {
    const named = list(several.map((entry) => entry.name));
    problems.push({ code: 'several_certifications', field, params: { name, names: named } });
  } else if (meant.length > 0) {
    const choices = meant.filter((entry) => !entry.is_retired).map((entry) => ({ name: entry.name, body: entry.body_name }));
    problems.push({ code: 'ambiguous_certification', field, params: { name, choices } });
  } else problems.push({ code: 'unknown_certification', field, params: { name, suggestion: names.suggest(cell) } });
  return undefined;
}

function checkText(field: keyof typeof TEXTS, value: string | undefined, problems: RowProblem[]): void {
  if (!value) return;
  checkCharacters(field, value, problems);
  if (TEXTS[field].kind === 'link' && !isWebAddress(value)) problems.push({ code: 'not_a_web_address', field, value: quote(value) });
}

function checkCharacters(field: keyof typeof TEXTS, value: string, problems: RowProblem[]): void {
  const { kind, maxLength: limit } = TEXTS[field];
  // The database counts characters; JavaScript's length counts some of them twice.
  const length = value.length > limit ? [...value].length : value.length;
  if (length > limit) {
    problems.push({ code: 'too_long', field, value: quote(value), params: { limit, length } });
    return;
  }
  if (CONTROL.test(value)) problems.push({ code: 'control_characters', field, value: quote(value) });
  if (value.includes(DAMAGED)) problems.push({ code: 'damaged_characters', field, value: quote(value) });
  const isLost = kind === 'line' ? hasLostLettersInName(value) : hasLostLetters(value);
  if (isLost) problems.push({ code: 'lost_letters', field, params: { value: quote(value) } });
  const repaired = repairDoubleEncoding(value);
  if (repaired) problems.push({ code: 'double_encoded', field, params: { value: quote(value), repaired: quote(repaired) } });
}

/** Cuts a value for a message. Half a surrogate pair at the cut becomes U+FFFD: PostgreSQL rejects JSON that contains one. */
function quote(value: string): string {
  const short = value.length > QUOTED_CHARACTERS ? `${value.slice(0, QUOTED_CHARACTERS)}…` : value;
  return short.toWellFormed().replaceAll(/\p{Cc}/gu, '␣');
}
