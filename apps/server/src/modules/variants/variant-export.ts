import { Readable } from 'node:stream';
import { DEFAULT_VARIANT_ORDERING, type Language } from '@brand-portal/contract/constants';
import type { VariantExportQuery } from '@brand-portal/contract/variants';
import { BYTE_ORDER_MARK, keepDigits, toCsvLines } from '../../csv/csv-writer.ts';
import { neutraliseFormulas } from '../../csv/formulas.ts';
import { type Db, inSnapshot } from '../../db/database.ts';
import { WORKBOOK_TYPE, writeWorkbook } from '../../xlsx/workbook-writer.ts';
import { COLUMNS, STATE_COLUMNS } from '../import/rows/columns.ts';
import { toGtinPart, toPatterns } from './search-terms.ts';
import { type ExportedVariant, listExported, toSearchKey } from './variant-export.queries.ts';
import { preferOrderedIndexes } from './variant-pages.queries.ts';
import { toOrder } from './variants.ts';

const BATCH = 1_000;
const HEADER: string[] = [...COLUMNS, ...STATE_COLUMNS];
const WIDTHS = [40, 18, 24, 20, 24, 28, 16, 16, 14, 40];

/**
 * What the list shows, as a file whose first columns are those of the import: it can be corrected and uploaded again. Read in batches, each of its
 * own moment, as fast as it is downloaded: a slow download holds neither connection nor snapshot.
 */
export async function exportVariants(
  db: Db,
  brandId: number,
  { format, search, has_certs, published, ordering = DEFAULT_VARIANT_ORDERING }: VariantExportQuery,
  language: Language,
): Promise<{ fileName: string; content: Readable; type?: string }> {
  const list = {
    filters: { published, hasCerts: has_certs },
    order: toOrder(ordering),
    patterns: search?.trim() ? await findPatterns(db, search.trim()) : undefined,
  };
  const read = (after: ExportedVariant | undefined) =>
    inSnapshot(db, async (db) => {
      await preferOrderedIndexes(db);
      return listExported(db, brandId, list, after, BATCH);
    });
  // Before anything is sent: a failure can still be answered as such.
  const first = await read(undefined);
  async function* rows(): AsyncGenerator<string[][]> {
    yield [HEADER];
    for (let batch = first; batch.length > 0; batch = await read(batch.at(-1))) {
      yield batch.flatMap(toRows);
      if (batch.length < BATCH) return;
    }
  }
  if (format === 'csv') return { fileName: 'product-variants.csv', content: Readable.from(toCsv(rows(), language)) };
  const sheet = { name: 'Products', widths: WIDTHS, hasHeader: true, rows: rows() };
  return { fileName: 'product-variants.xlsx', content: writeWorkbook([sheet]), type: WORKBOOK_TYPE };
}

async function findPatterns(db: Db, search: string) {
  return toPatterns({ name: await toSearchKey(db, search), gtin: toGtinPart(search) });
}

/** One for each certificate, or one without. */
function toRows({ gtin, name, category, published, certificates, ...variant }: ExportedVariant): string[][] {
  const channel = published ? 'Google' : '';
  const state = [variant.channel_state ?? '', variant.channel_reason ?? ''];
  if (certificates.length === 0) return [[name, gtin, category, channel, '', '', '', '', ...state]];
  return certificates.map(({ certification, external_id, status, expires_on }) => [
    ...[name, gtin, category, channel, external_id, certification],
    ...[status, expires_on ?? '', ...state],
  ]);
}

/** Spreadsheets split at commas where people write 1.5, and at semicolons where they write 1,5. */
const DELIMITERS: Readonly<Record<Language, string>> = { en: ',', es: ';' };
const GTIN = COLUMNS.indexOf('gtin');

async function* toCsv(batches: AsyncIterable<string[][]>, language: Language): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  for await (const rows of batches) {
    const cells = rows.map((row) =>
      row.map((cell, place) => (place === GTIN ? keepDigits(cell) : neutraliseFormulas(cell))),
    );
    yield toCsvLines(cells, DELIMITERS[language]);
  }
}
