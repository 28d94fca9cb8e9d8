import { DEFAULT_VARIANT_ORDERING, type Language } from '@brand-portal/contract/constants';
import type { ChosenVariantsExport, VariantExportQuery } from '@brand-portal/contract/variants';
import { type Db, inSnapshot } from '../../db/database.ts';
import { ofThisRead } from '../../db/reads.ts';
import { type ExportFile, toExportFile } from '../../files/xlsx/export-file.ts';
import { invalidFields, selectionChanged } from '../../lib/errors.ts';
import { type ColumnName, EXPORT_NAME, type StateColumn } from '../fields/columns.ts';
import { type ExportedVariant, listChosen, listExported } from './variant-export.queries.ts';
import { preferOrderedIndexes } from './variant-pages.queries.ts';
import { listVariantIds, listVariants, requireFilterKey, toMatch, toOrder } from './variants.ts';

const BATCH = 1_000;
/** The import's columns come first and in its order, so that the file can be edited and uploaded again. */
const COLUMNS: Readonly<Record<ColumnName | StateColumn, number>> = {
  variant_name: 40,
  gtin: 18,
  category: 24,
  publishing_channel: 20,
  certificate_id: 24,
  certification_name: 28,
  description: 40,
  image_link: 32,
  product_page_url: 32,
  certificate_link: 32,
  published: 12,
  certificate_status: 16,
  certificate_expires_on: 16,
  channel_state: 14,
  channel_reason: 40,
};
const SHEETS: Readonly<Record<Language, string>> = { en: 'Products', es: 'Productos' };

/**
 * Exports the list, or a selection of it. Reads in batches with backpressure, each batch with its own snapshot: a slow download holds
 * neither a connection nor a snapshot.
 */
export async function exportVariants(
  db: Db,
  brandId: number,
  {
    ids,
    except_ids: exceptIds,
    expected,
    filter_key: key,
    format,
    apostrophe,
    ...query
  }: VariantExportQuery & Partial<ChosenVariantsExport>,
  language: Language,
): Promise<ExportFile> {
  const { ordering = DEFAULT_VARIANT_ORDERING } = query;
  const count = async () => (await listVariants(db, brandId, { ...query, page_size: 1 })).count;
  if (ids && key !== undefined) throw invalidFields({ filter_key: 'belongs to a filter' });
  requireFilterKey(brandId, query, key);
  if (expected !== undefined) {
    if (ids) throw invalidFields({ expected: 'belongs to a filter' });
    const matching = exceptIds?.length ? (await listVariantIds(db, brandId, query, exceptIds)).length : await count();
    if (matching !== expected) throw selectionChanged(matching);
  }
  const list = { ...(await toMatch(db, query)), order: toOrder(ordering), exceptIds };
  const read = (after: ExportedVariant | undefined) =>
    inSnapshot(db, async (db) => {
      if (ids) return listChosen(db, brandId, list, ids, after, BATCH);
      await preferOrderedIndexes(db);
      return listExported(db, brandId, list, after, BATCH);
    });
  // Before the response starts, so that an error still gets an error response.
  const first = await read(undefined);
  async function* batches() {
    let next = Promise.resolve(first);
    for (;;) {
      const batch = await next;
      const isLast = batch.length < BATCH;
      if (!isLast) {
        // The database reads the next batch while this one is written.
        next = read(batch.at(-1));
        next.catch(() => undefined);
      }
      yield batch;
      if (isLast) return;
    }
  }
  const isWhole = first.length < BATCH;
  const total = isWhole ? first.length : ids || exceptIds?.length ? undefined : await count();
  const sheet = SHEETS[language];
  const exported = { name: EXPORT_NAME, sheet, columns: COLUMNS, batches: ofThisRead(batches()), toRows, total };
  return toExportFile(exported, { format, apostrophe }, language);
}

/** One row per certificate, or one row without. */
function toRows({ gtin, name, category, published, certificates, ...variant }: ExportedVariant): string[][] {
  const product = [name, gtin, category, published ? 'Google' : ''];
  const state = String(published);
  const channel = [variant.channel_state ?? '', variant.channel_reason ?? ''];
  const { description = '', image_link = '', product_page_url = '' } = variant.details;
  const details = [description, image_link, product_page_url];
  if (certificates.length === 0) return [[...product, '', '', ...details, '', state, '', '', ...channel]];
  return certificates.map(({ certification, external_id, link, status, expires_on }) => [
    ...product,
    external_id,
    certification,
    ...details,
    link,
    state,
    status,
    expires_on ?? '',
    ...channel,
  ]);
}
