import { DEFAULT_VARIANT_ORDERING, type Language } from '@brand-portal/contract/constants';
import { DETAIL_FIELDS, mapFields } from '@brand-portal/contract/variant-fields';
import type { ChosenVariantsExport, VariantExportQuery } from '@brand-portal/contract/variants';
import { type Db, inSnapshot } from '../../db/database.ts';
import { ofThisRead } from '../../db/reads.ts';
import { type ExportFile, toExportFile } from '../../files/xlsx/export-file.ts';
import { invalidFields, selectionChanged } from '../../lib/errors.ts';
import { type ColumnName, EXPORT_NAME, type StateColumn, WIDTHS } from '../fields/columns.ts';
import { type ExportedVariant, listChosen, listExported } from './variant-export.queries.ts';
import { preferOrderedIndexes } from './variant-pages.queries.ts';
import { listVariantIds, listVariants, requireFilterKey, toMatch, toOrder } from './variants.ts';

const BATCH = 1_000;
/** The import's columns come first and in its order, so that the file can be edited and uploaded again. */
const COLUMNS: Readonly<Record<ColumnName | StateColumn, number>> = {
  ...WIDTHS,
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

const NO_CERTIFICATE = { external_id: '', certification: '', link: '', status: '', expires_on: '' };

/** One row per certificate, or one row without. */
function toRows({ gtin, name, category, published, details, certificates, channel_state, channel_reason }: ExportedVariant) {
  const shown = certificates.length > 0 ? certificates : [NO_CERTIFICATE];
  const shownDetails = mapFields(DETAIL_FIELDS, (field) => details[field] ?? '');
  return shown.map(
    ({ certification, external_id, link, status, expires_on }): Record<keyof typeof COLUMNS, string> => ({
      variant_name: name,
      gtin,
      category,
      publishing_channel: published ? 'Google' : '',
      certificate_id: external_id,
      certification_name: certification,
      ...shownDetails,
      certificate_link: link,
      published: String(published),
      certificate_status: status,
      certificate_expires_on: expires_on ?? '',
      channel_state: channel_state ?? '',
      channel_reason: channel_reason ?? '',
    }),
  );
}
