import { DETAIL_FIELDS, type DetailField } from '@brand-portal/contract/import-mapping';
import type { CellFlaw } from '../../../csv/csv-file.ts';
import { certificateKey } from '../../certificates/certificate-ids.ts';
import { hasLostLetters, isSpreadsheetError, readText, repairDoubleEncoding } from './cell-text.ts';
import type { CatalogueName, CertificationNames } from './certification-names.ts';
import type { ColumnName, ColumnPlaces } from './columns.ts';
import { type Gtin, readGtin } from './gtin.ts';
import type { RowProblem } from './row-problem.ts';

/** What a good row says. */
export interface ImportRow extends Gtin {
  readonly name: string;
  /** Empty: the row says nothing of it. */
  readonly category: string;
  /** JSON of what it says of description, image link and product page, in this order; undefined: nothing. */
  readonly details: string | undefined;
  readonly certificate: NamedCertificate | undefined;
  /** As the row names it; empty where it does not. */
  readonly channel: string;
}

/** With its id as it is written, and as it is compared. */
export interface NamedCertificate {
  readonly certificationId: number;
  readonly externalId: string;
  readonly key: string;
  /** Its address at the issuer; undefined: nothing is said of it. */
  readonly link?: string | undefined;
}

export type RowVerdict =
  | { readonly row: ImportRow; readonly problems?: undefined }
  | { readonly problems: readonly RowProblem[] };

const LIMITS = {
  ...{ variant_name: 200, category: 200, certificate_id: 100 },
  ...{ description: 5_000, image_link: 2_000, product_page_url: 2_000, certificate_link: 2_000 },
} as const;
const QUOTED_CHARACTERS = 60;
/** Invisible, and never meant: line breaks, tabs and the other characters that control something. */
const CONTROL = /\p{Cc}/u;
/** What a decoder writes where the bytes were no character. */
const DAMAGED = '\uFFFD';

/** As spreadsheets write it; an id may well have an E among its digits. */
const SCIENTIFIC = /^\d+([.,]\d+)?e\+\d{1,3}$/i;

/** Every rule that one row can break by itself; all of what is wrong is reported, not just the first. */
export function checkRow(
  cells: readonly string[],
  { count, needed, places, isOwnFile, addedFrom }: ColumnPlaces,
  names: CertificationNames,
  flaws?: ReadonlyMap<number, CellFlaw>,
): RowVerdict {
  const broken = findSwallowedRows(cells) ?? findRaggedness(cells.slice(0, addedFrom), count, needed);
  if (broken) return { problems: [broken] };
  const problems: RowProblem[] = [];
  const text = (field: ColumnName) => {
    const place = places.get(field) ?? -1;
    const value = readText(cells[place] ?? '', isOwnFile);
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
  if (!gtin || !name || category === undefined || channel === undefined || problems.length > 0) return { problems };
  const said = Object.keys(details).length > 0 ? JSON.stringify(details) : undefined;
  return { row: { ...gtin, name, category, details: said, certificate, channel } };
}

const FORM_FIELDS = [
  ...(['variant_name', 'gtin', 'category', 'certificate_id', 'certificate_link'] as const),
  ...DETAIL_FIELDS,
] as const;
type FormField = (typeof FORM_FIELDS)[number];

export interface CheckedForm {
  /** What the fields say, as it is to be stored; those that were not given are absent. */
  readonly values: Readonly<Partial<Record<FormField, string>>>;
  readonly gtin14: string | undefined;
  readonly problems: readonly RowProblem[];
}

/** The same rules for what somebody types into a form. Only the fields that are given are judged. */
export function checkForm(entered: Readonly<Partial<Record<FormField, string>>>): CheckedForm {
  const problems: RowProblem[] = [];
  const text = (field: ColumnName) => {
    const value = entered[field as FormField];
    return value === undefined ? undefined : refuseSpreadsheetError(field, readText(value, false), problems);
  };
  const variant_name = checkName(text('variant_name'), problems);
  const gtin = checkGtin(text('gtin'), problems);
  const category = text('category');
  checkText('category', category, problems);
  const certificate_id = checkCertificateId(text('certificate_id'), problems);
  if (certificate_id === '') problems.push({ code: 'missing_value', field: 'certificate_id' });
  const details = checkDetails(text, problems);
  const certificate_link = checkAddress('certificate_link', text('certificate_link'), problems);
  const said = { variant_name, gtin: gtin?.gtin, category, certificate_id, certificate_link, ...details };
  const given = FORM_FIELDS.filter((field) => entered[field] !== undefined);
  const values = Object.fromEntries(given.map((field) => [field, said[field] ?? '']));
  return { values, gtin14: gtin?.gtin14, problems };
}

type EnteredCertificate = Readonly<Record<'certification_name' | 'certificate_id', string>>;
type CertificateField = keyof EnteredCertificate | 'certificate_link';

/** The same for a certificate alone, of which both fields are needed. */
export function checkCertificateForm(
  entered: EnteredCertificate,
  names: CertificationNames,
): { readonly certificate: NamedCertificate | undefined; readonly problems: readonly RowProblem[] } {
  const problems: RowProblem[] = [];
  const text = (field: CertificateField) =>
    field === 'certificate_link' ? '' : refuseSpreadsheetError(field, readText(entered[field], false), problems);
  const certificate = checkCertificate(text, names, problems);
  if (!certificate && problems.length === 0) {
    problems.push({ code: 'missing_value', field: 'certification_name' });
    problems.push({ code: 'missing_value', field: 'certificate_id' });
  }
  return { certificate, problems };
}

/** Undefined where nothing is said of one, or something wrong. */
function checkCertificate(
  text: (field: CertificateField) => string | undefined,
  names: CertificationNames,
  problems: RowProblem[],
): NamedCertificate | undefined {
  const externalId = checkCertificateId(text('certificate_id'), problems);
  const name = text('certification_name');
  const certification = name ? checkCertification(name, names, problems) : undefined;
  if (externalId && name === '') {
    problems.push({ code: 'certification_name_missing', field: 'certification_name', value: quote(externalId) });
  }
  if (externalId === '' && name) {
    problems.push({ code: 'certificate_id_missing', field: 'certificate_id', value: quote(name) });
  }
  const link = checkAddress('certificate_link', text('certificate_link'), problems);
  if (link && externalId === '' && name === '') {
    problems.push({ code: 'certificate_link_alone', field: 'certificate_link', value: quote(link) });
  }
  if (!certification || !externalId) return undefined;
  const said = { certificationId: certification.id, externalId, key: certificateKey(externalId) };
  return link ? { ...said, link } : said;
}

function checkName(name: string | undefined, problems: RowProblem[]): string | undefined {
  if (name === '') problems.push({ code: 'missing_value', field: 'variant_name' });
  checkText('variant_name', name, problems);
  return name;
}

function checkCertificateId(id: string | undefined, problems: RowProblem[]): string | undefined {
  checkText('certificate_id', id, problems);
  if (id && SCIENTIFIC.test(id)) {
    problems.push({ code: 'certificate_id_scientific', field: 'certificate_id', params: { value: quote(id) } });
  }
  return id;
}

function refuseSpreadsheetError(field: ColumnName, value: string, problems: RowProblem[]): string | undefined {
  if (!isSpreadsheetError(value)) return value;
  problems.push({ code: 'spreadsheet_error', field, params: { value: quote(value) } });
  return undefined;
}

/** Line breaks are spaces: Google shows a description as one paragraph. */
function checkDetails(
  text: (field: ColumnName) => string | undefined,
  problems: RowProblem[],
): Partial<Record<DetailField, string>> {
  const said: Partial<Record<DetailField, string>> = {};
  for (const field of DETAIL_FIELDS) {
    const cell = text(field);
    if (!cell) continue;
    if (field !== 'description') {
      said[field] = cell;
      checkAddress(field, cell, problems);
      continue;
    }
    said[field] = cell.replaceAll(/\s+/g, ' ');
    checkText(field, said[field], problems);
  }
  return said;
}

function checkAddress(
  field: 'image_link' | 'product_page_url' | 'certificate_link',
  value: string | undefined,
  problems: RowProblem[],
): string | undefined {
  checkText(field, value, problems);
  if (value && !isWebAddress(value)) problems.push({ code: 'not_a_web_address', field, value: quote(value) });
  return value;
}

function isWebAddress(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' && url.hostname.includes('.') && !url.username && !url.password;
}

/** The one channel there is, as the screens and people call it. */
export function isChannel(name: string): boolean {
  return /^google( shopping)?$/i.test(name);
}

/** A line inside a cell that looks like a row of its own, by its GTIN. */
const SWALLOWED_ROW = /[\r\n][^\r\n]*(?<=[\r\n,;\t|^"' ])\d{8,14}(?=[\r\n,;\t|^"' ]|$)/;

/** A quote that opens where none was meant takes everything up to the next one into its cell. */
function findSwallowedRows(cells: readonly string[]): RowProblem | undefined {
  const cell = cells.find((cell) => (cell.includes('\n') || cell.includes('\r')) && SWALLOWED_ROW.test(cell));
  return cell === undefined
    ? undefined
    : { code: 'stray_quote', params: { lines: cell.trimEnd().split(/\r\n|\r|\n/).length - 1 } };
}

/** Cells that do not line up with the columns may all be in the wrong one: nothing else is said of such a row. */
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
  problems.push({ ...gtin, field: 'gtin', value: quote(cell.replace(/^'/, '')) });
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
  const name = quote(cell);
  if (found.length === 0) {
    problems.push({ code: 'unknown_certification', field, params: { name, suggestion: names.suggest(cell) } });
  } else {
    const choices = found.filter((entry) => !entry.is_retired).map((entry) => `"${entry.name}" (${entry.body_name})`);
    problems.push({ code: 'ambiguous_certification', field, params: { name, choices } });
  }
  return undefined;
}

function checkText(field: keyof typeof LIMITS, value: string | undefined, problems: RowProblem[]): void {
  if (!value) return;
  const limit = LIMITS[field];
  // The database counts characters, JavaScript's length counts some of them twice.
  const length = value.length > limit ? [...value].length : value.length;
  if (length > limit) {
    problems.push({ code: 'too_long', field, value: quote(value), params: { limit, length } });
    return;
  }
  if (CONTROL.test(value)) problems.push({ code: 'control_characters', field, value: quote(value) });
  if (value.includes(DAMAGED)) problems.push({ code: 'damaged_characters', field, value: quote(value) });
  if (hasLostLetters(value)) problems.push({ code: 'lost_letters', field, params: { value: quote(value) } });
  const repaired = repairDoubleEncoding(value);
  if (repaired)
    problems.push({ code: 'double_encoded', field, params: { value: quote(value), repaired: quote(repaired) } });
}

/** As much of a wrong value as its message repeats; half of a character at the cut would be no JSON for PostgreSQL. */
function quote(value: string): string {
  const short = value.length > QUOTED_CHARACTERS ? `${value.slice(0, QUOTED_CHARACTERS)}…` : value;
  return short.toWellFormed().replaceAll(/\p{Cc}/gu, '␣');
}
