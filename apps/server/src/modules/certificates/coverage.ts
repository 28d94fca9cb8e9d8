import type { Language } from '@brand-portal/contract/constants';
import type { Coverage, CoverageAnswer } from '@brand-portal/contract/coverage';
import type { DigitsExportQuery } from '@brand-portal/contract/exports';
import type { Db } from '../../db/database.ts';
import { type ExportFile, toExportFile } from '../../xlsx/export-file.ts';
import { findKeptCounts, isLargeBrand } from '../writes/kept-counts.ts';
import {
  type CoverageCount,
  countCertifications,
  listCertificationNames,
  listMissing,
  listNamedVariants,
  type NamedVariant,
} from './coverage.queries.ts';

const BATCH = 1_000;
const COLUMNS = { missing_certification: 28, gtin: 16, variant_name: 40, category: 24 };
const SHEETS: Readonly<Record<Language, string>> = { en: 'Missing certifications', es: 'Certificaciones que faltan' };

export async function getCoverage(db: Db, brandId: number): Promise<CoverageAnswer> {
  if (!(await isLargeBrand(db, brandId))) return { results: await withNames(db, await countCoverage(db, brandId)) };
  const kept = await findKeptCounts<CoverageCount[]>(db, brandId, 'coverage');
  return {
    results: await withNames(db, kept?.counts ?? []),
    counted_at: kept?.counted_at.toISOString() ?? null,
  };
}

export function countCoverage(db: Db, brandId: number): Promise<CoverageCount[]> {
  return countCertifications(db, brandId);
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

interface MissingRow extends NamedVariant {
  readonly certification_name: string;
}

/** Siblings without a certification: one row for each variant and certification. */
export async function exportCoverage(
  db: Db,
  brandId: number,
  query: DigitsExportQuery,
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
  return toExportFile(exported, query, language);
}
