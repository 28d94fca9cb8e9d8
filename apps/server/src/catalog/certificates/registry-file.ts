import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { openCsv } from '../../files/csv/csv-file.ts';
import { FileRefusal } from '../../files/csv/file-refusal.ts';
import { SURE } from '../../files/csv/header-row.ts';
import { AppError } from '../../lib/errors.ts';
import { isDay } from './days.ts';
import { readJsonObjects } from './json-objects.ts';
import type { RegistryEntry } from './registry.queries.ts';

/** One entry of a file. `active` and `expires_on` are optional. */
const FIELDS = ['certificate_id', 'active', 'expires_on'] as const;
type Field = (typeof FIELDS)[number];
type Unit = 'Row' | 'Entry';

const WORDS = new Map([
  ...['', 'true', 'yes', '1', 'active'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'inactive'].map((word) => [word, false] as const),
]);

/** The unit of positions in such a file. */
export function unitOf(path: string): Unit {
  return extensionOf(path) === '.json' ? 'Entry' : 'Row';
}

/** Streams the entries of a CSV or JSON file. Throws one sentence if it is neither. */
export async function* readRegistryFile(path: string): AsyncGenerator<RegistryEntry> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw refuse(`There is no file ${path}.`);
  await access(path, constants.R_OK).catch(() => {
    throw refuse(`${path} cannot be read: its permissions do not allow it.`);
  });
  const kind = extensionOf(path);
  if (kind === '.csv') yield* readCsv(path);
  else if (kind === '.json') yield* readJson(path);
  else throw refuse(`${path} must be a file that ends in .csv or .json.`);
}

function extensionOf(path: string): string {
  return extname(path).toLowerCase();
}

async function* readCsv(path: string): AsyncGenerator<RegistryEntry> {
  try {
    const rank = (header: readonly string[]) => (header.some((name) => keyOf(name) === 'certificate_id') ? SURE : 0);
    const table = await openCsv({ read: () => createReadStream(path) }, rank);
    const columns = findColumns(table.header);
    for await (const records of table.rows()) {
      for (const { row, cells } of records) {
        if (cells.length !== table.header.length) throw refuse(`Row ${row} does not have as many cells as the first.`);
        yield toEntry(row, 'Row', (field) => cells[columns.get(field) ?? -1]);
      }
    }
  } catch (error) {
    throw error instanceof FileRefusal ? refuse(explainRefusal(path, error)) : error;
  }
}

function explainRefusal(path: string, { reason, params }: FileRefusal): string {
  if (reason === 'empty_file') return `${path} is empty: its first row must name the columns ${FIELDS.join(', ')}.`;
  if (reason === 'too_many_rows' && params && 'limit' in params)
    return `${path} has more than ${params.limit} rows. In a .json file, with one object per line, there is no such limit.`;
  if (params && 'row' in params) {
    if (reason === 'open_quote') return `Row ${params.row} has a quote that is never closed.`;
    if (reason === 'row_too_long') return `Row ${params.row} is too long to be one of a CSV file.`;
  }
  return `${path} is not a CSV file.`;
}

function keyOf(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '_');
}

function findColumns(header: readonly string[]): ReadonlyMap<Field, number> {
  const names = header.map(keyOf);
  const columns = new Map(FIELDS.map((field) => [field, names.indexOf(field)] as const).filter(([, index]) => index >= 0));
  if (!columns.has('certificate_id')) {
    throw refuse(`The first row must name the columns ${FIELDS.join(', ')}; there is no certificate_id.`);
  }
  return columns;
}

async function* readJson(path: string): AsyncGenerator<RegistryEntry> {
  let position = 0;
  for await (const object of readJsonObjects(createReadStream(path, 'utf8'))) {
    position += 1;
    yield toEntry(position, 'Entry', (field) => (object as Partial<Record<Field, unknown>>)[field]);
  }
}

function toEntry(position: number, unit: Unit, read: (field: Field) => unknown): RegistryEntry {
  const text = (field: Field) => String(read(field) ?? '').trim();
  const externalId = text('certificate_id');
  const active = WORDS.get(text('active').toLowerCase());
  const expiresOn = text('expires_on');
  if (externalId === '') throw refuse(`${unit} ${position} has no certificate_id.`);
  if (externalId.length > 100) throw refuse(`${unit} ${position} has a certificate_id of more than 100 characters.`);
  if (/\p{Cc}/u.test(externalId)) throw refuse(`${unit} ${position} has control characters in its certificate_id.`);
  if (active === undefined) {
    throw refuse(`${unit} ${position}: active must be true or false, not "${text('active')}".`);
  }
  if (expiresOn !== '' && !isDay(expiresOn)) {
    throw refuse(`${unit} ${position}: expires_on must be a day such as 2027-01-31, not "${expiresOn}".`);
  }
  return { position, externalId, active, expiresOn: expiresOn || null };
}

function refuse(sentence: string): AppError {
  return new AppError('validation_failed', sentence);
}
