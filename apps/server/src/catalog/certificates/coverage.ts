import type { Language } from '@brand-portal/contract/constants';
import type { Coverage, CoverageAnswer } from '@brand-portal/contract/coverage';
import type { DigitsExportQuery } from '@brand-portal/contract/exports';
import type { Db } from '../../db/database.ts';
import { ofThisRead } from '../../db/reads.ts';
import { type ExportFile, toExportFile } from '../../files/xlsx/export-file.ts';
import { findKeptCounts, isLargeBrand } from '../../writes/kept-counts.ts';
import {
  type CoverageCount,
  countCertifications,
  listCertificationNames,
  listMissing,
  listNamedVariants,
  listOwnCertifications,
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
export async function exportCoverage(db: Db, brandId: number, query: DigitsExportQuery, language: Language): Promise<ExportFile> {
  // One certification at a time: of a large brand, all of them would fill the memory.
  async function* batches(): AsyncGenerator<MissingRow[]> {
    for (const { id, name: certification_name } of await listOwnCertifications(db, brandId)) {
      const missing = await listMissing(db, brandId, id);
      for (let start = 0; start < missing.length; start += BATCH) {
        const variants = await listNamedVariants(db, brandId, missing.slice(start, start + BATCH));
        yield variants.map((variant) => ({ certification_name, ...variant }));
      }
    }
  }
  const { results } = await getCoverage(db, brandId);
  const exported = {
    name: 'coverage',
    sheet: SHEETS[language],
    columns: COLUMNS,
    ...{
      batches: ofThisRead(batches()),
      total: results.reduce((sum, { siblings_without }) => sum + siblings_without, 0),
    },
    toRows: ({ certification_name, gtin, name, category }: MissingRow) => [
      { missing_certification: certification_name, gtin, variant_name: name, category },
    ],
  };
  return toExportFile(exported, query, language);
}
