import { createHash } from 'node:crypto';
import {
  ASK_FOR_MAPPING,
  type ColumnMapping,
  type ColumnQuestion,
  type ColumnReason,
  type FoundColumn,
} from '@brand-portal/contract/import-mapping';
import { readText } from '../catalog/fields/cell-text.ts';
import { certificateKey, compileIdPattern } from '../catalog/fields/certificate-ids.ts';
import { type CatalogueName, createCertificationNames } from '../catalog/fields/certification-names.ts';
import {
  COLUMNS,
  type ColumnName,
  type ColumnPlaces,
  findColumns,
  findKnownColumn,
  hasRequiredColumns,
  keyOf,
  lastFilled,
  list,
  MAX_HEADER_LENGTH,
  REQUIRED_COLUMNS,
  shorten,
} from '../catalog/fields/columns.ts';
import { readGtin } from '../catalog/fields/gtin.ts';
import type { ImportTexts } from '../catalog/fields/import-texts.ts';
import type { ImportWarning } from '../catalog/fields/row-problem.ts';
import { isChannel } from '../catalog/fields/row-rules.ts';
import type { Table } from '../files/csv/csv-file.ts';
import { FileRefusal } from '../files/csv/file-refusal.ts';
import { type HeaderRank, LIKELY, POSSIBLE, SURE } from '../files/csv/header-row.ts';
import { AppError } from '../lib/errors.ts';
import type { ChosenMapping, MappingRequest, Mappings, RememberedColumn } from './mapping.queries.ts';
import { fieldOfSynonym, mayMeanCertificateId } from './rows/column-synonyms.ts';

/** Rows read to guess the columns. */
const SAMPLED_ROWS = 50;
const SHOWN_SAMPLES = 3;
/** Limit of the columns offered. Proposed columns are always included. */
const OFFERED_COLUMNS = 60;
/** A column is recognised by its content if this share of its values matches. */
const AGREEING_SHARE = 0.8;
const MAX_VALUE_LENGTH = 200;

/** Parses the form's field. An invalid mapping is refused before anything else happens. */
export function readMapping(text: string, texts: ImportTexts['uploads']): MappingRequest {
  const asked = ASK_FOR_MAPPING.find((word) => word === text);
  if (asked) return asked;
  const mapping = parseJson(text);
  const isObject = typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping);
  const entries = isObject ? Object.entries(mapping) : [];
  const isMapping = entries.every(([column, field]) => /^\d{1,4}$/.test(column) && COLUMNS.some((name) => name === field));
  if (entries.length === 0 || !isMapping) throw new AppError('malformed_request', texts.no_mapping);
  const fields = entries.map(([, field]) => String(field));
  const twice = fields.find((field, index) => fields.indexOf(field) !== index);
  if (twice !== undefined) throw new AppError('csv_rejected', texts.field_twice(twice));
  return mapping as ColumnMapping;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Ranks rows as headers by names from the template, from earlier choices, and synonyms. A product row is never a header. */
export function rankHeader(mappings: Mappings = new Map()): HeaderRank {
  const rank = (cells: readonly string[]) => {
    if (hasRequiredColumns(cells)) return SURE;
    if (cells.some(isGtin)) return 0;
    if (mappings.size > 0 && findRemembered(cells, mappings)) return SURE;
    const fields = cells.map(fieldNamedBy);
    if (REQUIRED_COLUMNS.every((name) => fields.includes(name))) return LIKELY;
    if (fields.includes('gtin')) return POSSIBLE;
    // A product may well be called "Item".
    return fields.includes('variant_name') ? POSSIBLE / 2 : 0;
  };
  return Object.assign(rank, { fieldOf: fieldNamedBy });
}

/**
 * Whether a row has names of columns in place of GTIN and name: the second header of a file in two languages, or one in the middle of
 * files that were put together.
 */
export function repeatsHeader(cells: readonly string[], { places }: ColumnPlaces): boolean {
  const fieldIn = (column: ColumnName) => fieldNamedBy(cells[places.get(column) ?? -1] ?? '');
  return fieldIn('gtin') === 'gtin' && fieldIn('variant_name') !== undefined;
}

function fieldNamedBy(cell: string): ColumnName | undefined {
  return findKnownColumn(cell) ?? fieldOfSynonym(cell);
}

export interface MappedColumns {
  /** The file's header with the chosen columns renamed. It is stored and written into the download of rejected rows. */
  readonly header: readonly string[];
  readonly columns: ColumnPlaces;
  readonly warnings: readonly ImportWarning[];
  /** Whether the file calls the name's column something else, so that a mapping decided. */
  readonly isNameMapped: boolean;
  /** The member's choice, to be remembered. */
  readonly chosen?: ChosenMapping;
}

export type Catalogue = readonly (CatalogueName & { readonly id_pattern: string | null })[];

interface MappingContext {
  readonly mapping: MappingRequest | undefined;
  readonly mappings: Mappings;
  readonly catalogue: Catalogue;
  readonly isText: boolean;
}

/** Maps the columns by the form, else by an earlier choice, else by name. If that is not enough, it asks the member instead of guessing. */
export async function mapColumns(table: Table, context: MappingContext): Promise<MappedColumns> {
  const { mapping, mappings, isText } = context;
  const earlier = findRemembered(table.header, mappings);
  const remembered = besideOwnNames(table.header, placeColumns(table.header, earlier ?? []));
  const chosen = typeof mapping === 'object' ? placeMapping(mapping, table.header) : undefined;
  const places = chosen ?? (mapping === 'choose' ? new Map<number, ColumnName>() : remembered);
  refuseOneColumn(table.header);
  refuseProduct(table, places);
  const ask = () => askForColumns(table, context, chosen ?? remembered);
  if (mapping === 'choose') throw new FileRefusal('unmapped_columns', { columns: '', question: await ask() });

  const header = places.size > 0 ? renameColumns(table.header, places) : table.header;
  const columns = await findOrAsk(() => findColumns(header, isText), ask);
  if (mapping === 'ask' && !earlier && columns.unknown.length > 0) {
    const question = await ask();
    const likely = question.columns.filter(({ reason }) => reason === 'name' || reason === 'content');
    const names = list(likely.map((column) => column.header));
    if (likely.length > 0) throw new FileRefusal('unmapped_columns', { columns: names, question });
  }

  const warnings: ImportWarning[] = [];
  const { firstHeaderRow: first, headerRow: second } = table;
  if (first < second) warnings.push({ code: 'two_header_rows', params: { first, second } });
  else if (table.headerRow > 1) warnings.push({ code: 'header_row', params: { row: table.headerRow } });
  const renamed = [...places].sort(([a], [b]) => a - b).filter(([place, field]) => findKnownColumn(table.header[place] ?? '') !== field);
  if (renamed.length > 0) {
    const names = list(renamed.map(([place, field]) => `${describeCell(table.header[place] ?? '')} → ${field}`));
    warnings.push({ code: chosen ? 'chosen_columns' : 'remembered_columns', params: { columns: names } });
  }
  return {
    header,
    columns,
    warnings,
    isNameMapped: findKnownColumn(table.header[columns.places.get('variant_name') ?? -1] ?? '') !== 'variant_name',
    ...(chosen && { chosen: toRemembered(table.header, chosen) }),
  };
}

/** Text that was pasted into a spreadsheet's first column, and lines that are in quotes as a whole. */
function refuseOneColumn(header: readonly string[]): void {
  const [only = '', ...others] = header.filter((cell) => cell.trim() !== '');
  if (others.length > 0 || only.length > MAX_VALUE_LENGTH * 10) return;
  const isSplit = [',', ';', '\t', '|'].some((separator) => rankHeader()(only.split(separator)) >= LIKELY);
  if (isSplit) throw new FileRefusal('one_column', { header: describeCell(only) });
}

/** A file whose first row is a product has no column names, and the product would be lost as the header. */
function refuseProduct({ header, headerRow }: Table, places: ReadonlyMap<number, ColumnName>): void {
  if (hasRequiredColumns(header)) return;
  const product = header.find((cell, place) => (places.size === 0 || places.get(place) === 'gtin') && isGtin(cell));
  if (product !== undefined) throw new FileRefusal('no_header', { row: headerRow, value: describeCell(product) });
}

function isGtin(cell: string): boolean {
  return 'gtin' in readGtin(cell.trim());
}

/** Adds the question about columns to the error if required columns are missing. */
async function findOrAsk<T>(find: () => T, ask: () => Promise<ColumnQuestion>): Promise<T> {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof FileRefusal) || error.reason !== 'missing_columns') throw error;
    const { columns, found } = error.params as { columns: string; found: string };
    throw new FileRefusal('missing_columns', { columns, found, question: await ask() });
  }
}

function placeMapping(mapping: ColumnMapping, header: readonly string[]): Map<number, ColumnName> {
  const places = new Map(Object.entries(mapping).map(([column, field]) => [Number(column), field]));
  const outside = [...places.keys()].find((place) => place >= header.length);
  if (outside === undefined) return places;
  throw new FileRefusal('no_such_column', { column: outside + 1, columns: header.length });
}

/** Known column names that were not chosen are put in brackets, so that they are ignored like unknown ones. */
function renameColumns(header: readonly string[], places: ReadonlyMap<number, ColumnName>): string[] {
  return header.map((cell, place) => places.get(place) ?? (findKnownColumn(cell) ? `(${cell.trim()})` : cell));
}

/** Ignores the order of the names. */
function hashNames(header: readonly string[]): string {
  const keys = header.slice(0, lastFilled(header) + 1).map(keyOfColumn);
  return hash(keys.sort());
}

/** Depends on the order of the names, and includes blank ones. */
function hashOrder(header: readonly string[]): string {
  return hash({ order: header.map(keyOfColumn) });
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function findRemembered(header: readonly string[], mappings: Mappings): readonly RememberedColumn[] | undefined {
  return mappings.get(hashOrder(header)) ?? mappings.get(hashNames(header));
}

function keyOfColumn(cell: string): string {
  const text = cell.trim();
  return text.length > MAX_HEADER_LENGTH ? createHash('sha256').update(text).digest('hex') : keyOf(text.normalize('NFC'));
}

/** Stores columns by name. If a chosen column has no unique name, the mapping is only for files with the columns in this order. */
function toRemembered(header: readonly string[], places: ReadonlyMap<number, ColumnName>): ChosenMapping {
  const keys = header.map(keyOfColumn);
  const columns = [...places].map(([place, field]) => {
    const key = keys[place] ?? '';
    return { key, nth: keys.slice(0, place).filter((other) => other === key).length, field };
  });
  const isByName = columns.every(({ key }) => key !== '' && keys.indexOf(key) === keys.lastIndexOf(key));
  const [byName, byOrder] = [hashNames(header), hashOrder(header)];
  return isByName ? { headerHash: byName, otherHash: byOrder, columns } : { headerHash: byOrder, otherHash: byName, columns };
}

function placeColumns(header: readonly string[], columns: readonly RememberedColumn[]): Map<number, ColumnName> {
  if (columns.length === 0) return new Map();
  const keys = header.map(keyOfColumn);
  const places = columns.map(({ key, nth, field }) => {
    const found = keys.flatMap((other, place) => (other === key ? [place] : []))[nth];
    return [found ?? -1, field] as const;
  });
  return new Map(places.filter(([place]) => place >= 0));
}

/** A header that has the required columns under the template's names needs no mapping for these and its other known columns. */
function besideOwnNames(header: readonly string[], places: Map<number, ColumnName>): Map<number, ColumnName> {
  if (places.size === 0 || !hasRequiredColumns(header)) return places;
  const known = header.map(findKnownColumn);
  const others = [...places].filter(([place, field]) => !known[place] && !known.includes(field));
  return new Map([...known.flatMap((field, place) => (field ? [[place, field] as const] : [])), ...others]);
}

/** The question: the file's columns, and a proposal for each. */
async function askForColumns(table: Table, { catalogue }: MappingContext, given: ReadonlyMap<number, ColumnName>): Promise<ColumnQuestion> {
  const rows = await sampleRows(table);
  const tests = contentTests(catalogue);
  const candidates = table.header.map((cell, place) => ({
    place,
    header: describeCell(cell),
    values: rows.map((cells) => readText(cells[place] ?? '').slice(0, MAX_VALUE_LENGTH)).filter((value) => value !== ''),
    known: findKnownColumn(cell),
    synonym: fieldOfSynonym(cell),
    isAmbiguous: mayMeanCertificateId(cell),
  }));
  const proposals =
    given.size > 0
      ? new Map([...given].map(([place, field]) => [place, { field, reason: 'remembered' as const }]))
      : propose(candidates, tests);
  const columns = candidates
    .filter(({ header, values }) => header !== '' || values.length > 0)
    .filter(({ place }, index) => index < OFFERED_COLUMNS || proposals.has(place))
    .map(
      ({ place, header, values }): FoundColumn => ({
        column: place,
        header,
        samples: [...new Set(values.map(describeCell))].slice(0, SHOWN_SAMPLES),
        field: proposals.get(place)?.field ?? null,
        reason: proposals.get(place)?.reason ?? null,
      }),
    );
  return { ...(table.sheet !== undefined && { sheet: table.sheet }), header_row: table.headerRow, columns };
}

async function sampleRows(table: Table): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const batch of table.rows()) {
    rows.push(...batch.slice(0, SAMPLED_ROWS - rows.length).map(({ cells }) => cells));
    if (rows.length >= SAMPLED_ROWS) break;
  }
  return rows;
}

type ContentTests = Partial<Record<ColumnName, (value: string) => boolean>>;

function contentTests(catalogue: Catalogue): ContentTests {
  const names = createCertificationNames(catalogue);
  const patterns = catalogue.flatMap(({ id_pattern }) => (id_pattern ? [compileIdPattern(id_pattern)] : []));
  return {
    gtin: isGtin,
    certification_name: (value) => names.find(value).length > 0,
    // Some ids are plain numbers, which look the same as a price. So an id must contain a non-digit.
    certificate_id: (value) => /\D/.test(value) && patterns.some((pattern) => pattern.test(certificateKey(value))),
    publishing_channel: isChannel,
  };
}

interface Candidate {
  readonly place: number;
  readonly values: readonly string[];
  readonly known: ColumnName | undefined;
  readonly synonym: ColumnName | undefined;
  /** The synonym is one of certification_name and may mean certificate_id as well. */
  readonly isAmbiguous: boolean;
}

interface Proposal {
  readonly place: number;
  readonly field: ColumnName;
  readonly reason: ColumnReason;
  readonly weight: number;
}

/** Greedy matching, highest score first. Each column gets at most one field, each field at most one column. */
function propose(candidates: readonly Candidate[], tests: ContentTests): Map<number, Proposal> {
  const pairs = candidates.flatMap((candidate) => COLUMNS.flatMap((field) => scoreProposal(candidate, field, tests[field]) ?? []));
  const proposals = new Map<number, Proposal>();
  for (const pair of pairs.sort((a, b) => b.weight - a.weight || a.place - b.place)) {
    const isTaken = proposals.has(pair.place) || [...proposals.values()].some(({ field }) => field === pair.field);
    if (!isTaken) proposals.set(pair.place, pair);
  }
  return proposals;
}

/** A matching name with contradicting values scores lower than matching values without a name. */
function scoreProposal(
  { place, values, known, synonym, isAmbiguous }: Candidate,
  field: ColumnName,
  test: ContentTests[ColumnName],
): Proposal | undefined {
  if (known === field) return { place, field, reason: 'known', weight: 4 };
  if (known) return undefined;
  const agreeing = test ? values.filter(test).length : 0;
  const agrees = agreeing > 0 && agreeing >= values.length * AGREEING_SHARE;
  if (synonym !== field) {
    if (agrees) return { place, field, reason: 'content', weight: 1 };
    return isAmbiguous && field === 'certificate_id' ? { place, field, reason: 'name', weight: 0.3 } : undefined;
  }
  const isDoubtful = values.length === 0 || (test !== undefined && !agrees);
  return { place, field, reason: 'name', weight: isDoubtful ? (isAmbiguous ? 0.4 : 0.5) : agrees ? 3 : 2 };
}

/** For display, and for JSON in the database, which cannot store control characters. */
function describeCell(cell: string): string {
  return shorten(
    cell
      .slice(0, MAX_VALUE_LENGTH)
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim(),
  );
}
