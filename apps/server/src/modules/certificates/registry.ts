import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { audit } from '../audit/audit.ts';
import { getCatalogueEntry } from './catalogue.ts';
import { certificateKey } from './certificate-key.ts';
import {
  analyzeRegistries,
  copyStaged,
  createStaging,
  deleteRegistry,
  distinguishStaged,
  listRegistrySummaries,
  type MergeCounts,
  mergeListed,
  type RegistryEntry,
  type RegistrySummary,
  upsertRegistry,
} from './registry.queries.ts';
import { revalidateBrandsWith } from './validation.ts';

interface Source {
  readonly certification: string;
  readonly entries: AsyncIterable<RegistryEntry>;
  /** What their positions count. */
  readonly unit: 'Row' | 'Entry';
  /** Entries that the source does not have go; otherwise they stay. */
  readonly replace: boolean;
}

interface Loaded extends MergeCounts {
  readonly certification: string;
  readonly entries: number;
  /** Brands whose certificates are validated anew. */
  readonly brands: number;
}

/** All of it or nothing: whoever validates meanwhile sees the registry as it was before. */
export async function loadRegistry(db: Db, { certification, entries, unit, replace }: Source): Promise<Loaded> {
  const loaded = await inTransaction(db, async (db) => {
    const { id, name } = await getCatalogueEntry(db, certification);
    await createStaging(db);
    await copyStaged(db, entries, certificateKey);
    const { entries: read, contradiction } = await distinguishStaged(db);
    if (contradiction) {
      const { external_certificate_id, first, last } = contradiction;
      throw new AppError(
        'validation_failed',
        `${unit} ${first} and ${unit.toLowerCase()} ${last} of the file contradict each other about "${external_certificate_id}".`,
      );
    }
    await upsertRegistry(db, id);
    const counts = await mergeListed(db, id, replace);
    const brands = await revalidateBrandsWith(db, id);
    const details = { certification: name, entries: read, ...counts };
    await audit(db, { brandId: null, userId: null, action: 'registry.loaded', details });
    return { ...details, brands };
  });
  await analyzeRegistries(db);
  return loaded;
}

/** As if it had never been loaded: what it validated waits for the operator again. */
export function removeRegistry(db: Db, certification: string): Promise<{ certification: string; brands: number }> {
  return inTransaction(db, async (db) => {
    const { id, name } = await getCatalogueEntry(db, certification);
    if (!(await deleteRegistry(db, id))) {
      throw new AppError('not_found', `There is no registry of ${name} to remove.`);
    }
    const brands = await revalidateBrandsWith(db, id);
    await audit(db, { brandId: null, userId: null, action: 'registry.removed', details: { certification: name } });
    return { certification: name, brands };
  });
}

export function listRegistries(db: Db): Promise<RegistrySummary[]> {
  return listRegistrySummaries(db);
}
