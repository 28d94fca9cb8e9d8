import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { type CsvError, parse } from 'csv-parse';
import { AppError } from '../../errors.ts';
import { isDay } from './days.ts';
import { readJsonObjects } from './json-objects.ts';
import type { RegistryEntry } from './registry.queries.ts';

/** What a file says about one certificate; `active` and `expires_on` may be left out. */
const FIELDS = ['certificate_id', 'active', 'expires_on'] as const;
type Field = (typeof FIELDS)[number];

const WORDS = new Map([
  ...['', 'true', 'yes', '1', 'active'].map((word) => [word, true] as const),
  ...['false', 'no', '0', 'inactive'].map((word) => [word, false] as const),
]);

/** The entries of a CSV or JSON file as they are read. Ends in one sentence where it is not such a file. */
export async function* readRegistryFile(path: string): AsyncGenerator<RegistryEntry> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw refuse(`There is no file ${path}.`);
  await access(path, constants.R_OK).catch(() => {
    throw refuse(`${path} cannot be read: its permissions do not allow it.`);
  });
  const kind = extname(path).toLowerCase();
  if (kind === '.csv') yield* readCsv(path);
  else if (kind === '.json') yield* readJson(path);
  else throw refuse(`${path} must be a file that ends in .csv or .json.`);
}

async function* readCsv(path: string): AsyncGenerator<RegistryEntry> {
  const parser = createReadStream(path).pipe(
    parse({ bom: true, delimiter: [',', ';', '\t'], trim: true, skip_empty_lines: true, info: true }),
  );
  let columns: ReadonlyMap<Field, number> | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (columns) {
        const values = columns;
        yield toEntry(info.records + info.empty_lines, 'Row', (field) => record[values.get(field) ?? -1]);
      } else {
        columns = findColumns(record);
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : refuse(explainCsvError(error as CsvError));
  }
  if (!columns) throw refuse(`${path} is empty: its first row must name the columns ${FIELDS.join(', ')}.`);
}

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly records: number; readonly empty_lines: number };
}

function findColumns(header: readonly string[]): ReadonlyMap<Field, number> {
  const names = header.map((name) => name.toLowerCase().replace(/[\s_-]+/g, '_'));
  const columns = new Map(
    FIELDS.map((field) => [field, names.indexOf(field)] as const).filter(([, index]) => index >= 0),
  );
  if (!columns.has('certificate_id')) {
    throw refuse(`The first row must name the columns ${FIELDS.join(', ')}; there is no certificate_id.`);
  }
  return columns;
}

/** The library's own messages speak of its options. */
function explainCsvError({ code, message, lines }: CsvError & { lines?: number }): string {
  if (code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH')
    return `Line ${lines} does not have as many cells as the first.`;
  return lines === undefined ? message : `Line ${lines} is not CSV: its quotes do not match.`;
}

async function* readJson(path: string): AsyncGenerator<RegistryEntry> {
  let position = 0;
  for await (const object of readJsonObjects(createReadStream(path, 'utf8'))) {
    position += 1;
    yield toEntry(position, 'Entry', (field) => (object as Partial<Record<Field, unknown>>)[field]);
  }
}

function toEntry(position: number, unit: 'Row' | 'Entry', read: (field: Field) => unknown): RegistryEntry {
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
