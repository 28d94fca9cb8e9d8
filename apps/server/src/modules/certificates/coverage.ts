import type { Language } from '@brand-portal/contract/constants';
import type { Coverage, CoverageAnswer } from '@brand-portal/contract/coverage';
import type { ExportFormat } from '@brand-portal/contract/exports';
import type { Db } from '../../db/database.ts';
import { type ExportFile, toExportFile } from '../../xlsx/export-file.ts';
import { inKeptBrand, isBrandDeleted } from '../writes/brand-lock.ts';
import { type BrandByBrand, beginLongWork, endLongWork, workBrandByBrand } from '../writes/due-work.ts';
import {
  type CoverageCount,
  countCoverage,
  findKeptCounts,
  isLargeBrand,
  keepCounts,
  listCertificationNames,
  listMissing,
  listNamedVariants,
  type NamedVariant,
} from './coverage.queries.ts';

const BATCH = 1_000;
const COLUMNS = { missing_certification: 28, gtin: 16, variant_name: 40, category: 24 };
const SHEETS: Readonly<Record<Language, string>> = { en: 'Missing certifications', es: 'Certificaciones que faltan' };

/**
 * Counted on request, which reads all variants. Of large brands a job counts it after writes, and what it counted last is returned: with the
 * time, which is null until the first time.
 */
export async function getCoverage(db: Db, brandId: number): Promise<CoverageAnswer> {
  if (!(await isLargeBrand(db, brandId))) return { results: await withNames(db, await countCoverage(db, brandId)) };
  const kept = await findKeptCounts(db, brandId);
  return {
    results: await withNames(db, kept?.counts ?? []),
    counted_at: kept?.counted_at.toISOString() ?? null,
  };
}

async function withNames(db: Db, counts: readonly CoverageCount[]): Promise<Coverage[]> {
  const names = await listCertificationNames(
    db,
    counts.map(({ certification_id }) => certification_id),
  );
  const known = new Map(counts.map((count) => [count.certification_id, count]));
  return names.flatMap(({ id, name }) => {
    const count = known.get(id);
    return count ? { ...count, certification_name: name } : [];
  });
}

/** Returns of how many brands. */
export function countDueCoverage(db: Db, options?: BrandByBrand): Promise<number> {
  return workBrandByBrand(db, 'count_coverage', (brandId) => countBrand(db, brandId), options);
}

async function countBrand(db: Db, brandId: number): Promise<number> {
  const begun = await beginLongWork(db, brandId, 'count_coverage');
  if (!begun) return 0;
  if (await isBrandDeleted(db, brandId)) return 0;
  const counted_at = new Date();
  const counts = await countCoverage(db, brandId);
  await inKeptBrand(db, brandId, (db) => keepCounts(db, brandId, { counts, counted_at }), { name: 'coverage' });
  await endLongWork(db, brandId, 'count_coverage', begun);
  return 1;
}

interface MissingRow extends NamedVariant {
  readonly certification_name: string;
}

/** Siblings without a certification: one row for each variant and certification. */
export async function exportCoverage(
  db: Db,
  brandId: number,
  format: ExportFormat,
  language: Language,
): Promise<ExportFile> {
  const missing = await listMissing(db, brandId);
  async function* batches(): AsyncGenerator<MissingRow[]> {
    for (let start = 0; start < missing.length; start += BATCH) {
      const wanted = missing.slice(start, start + BATCH);
      const ids = wanted.map(({ variant_id }) => variant_id);
      const found = new Map((await listNamedVariants(db, brandId, ids)).map((variant) => [variant.id, variant]));
      yield wanted.flatMap(({ certification_name, variant_id }) => {
        const variant = found.get(variant_id);
        // Deleted in the meantime.
        return variant ? { certification_name, ...variant } : [];
      });
    }
  }
  const exported = {
    ...{ name: 'coverage', sheet: SHEETS[language], columns: COLUMNS },
    ...{ batches: batches(), total: missing.length },
    toRows: ({ certification_name, gtin, name, category }: MissingRow) => [[certification_name, gtin, name, category]],
  };
  return toExportFile(exported, format, language);
}
