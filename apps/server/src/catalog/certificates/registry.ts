import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { certificateKey } from '../fields/certificate-ids.ts';
import { getCatalogueEntry } from './catalogue.ts';
import {
  analyzeRegistries,
  copyStaged,
  createStaging,
  dedupeStaged,
  deleteRegistry,
  findPreviousLoad,
  listRegistrySummaries,
  type MergeCounts,
  mergeListed,
  type RegistryEntry,
  type RegistrySummary,
  restorePrevious,
  upsertRegistry,
} from './registry.queries.ts';
import { type Effect, previewValidation, revalidateBrandsWith } from './validation.ts';

interface Source {
  readonly certification: string;
  readonly entries: AsyncIterable<RegistryEntry>;
  /** The unit of their positions. */
  readonly unit: 'Row' | 'Entry';
  /** Whether entries that the source does not have are deleted. */
  readonly replace: boolean;
}

interface Changed {
  readonly certification: string;
  /** Brands whose certificates are validated again. */
  readonly brands: number;
  /** Of a preview: which statuses would change. */
  readonly effects: readonly Effect[];
}

interface Loaded extends MergeCounts, Changed {
  readonly entries: number;
}

/** Thrown to roll back the transaction of a preview. */
class PreviewEnds<Result> extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('This was a preview');
    this.result = result;
  }
}

/** A preview makes the change, computes its effect on validation, and rolls back. */
async function changeRegistry<Result extends { readonly certificationId: number }>(
  db: Db,
  isPreview: boolean,
  change: (db: Db) => Promise<Result>,
): Promise<Omit<Result, 'certificationId'> & { brands: number; effects: readonly Effect[] }> {
  try {
    return await inTransaction(db, async (db) => {
      const { certificationId, ...result } = await change(db);
      if (isPreview) {
        throw new PreviewEnds({ ...result, brands: 0, effects: await previewValidation(db, certificationId) });
      }
      return { ...result, brands: await revalidateBrandsWith(db, certificationId), effects: [] };
    });
  } catch (error) {
    if (error instanceof PreviewEnds) return error.result;
    throw error;
  }
}

interface ChangeOptions {
  /** Rolls back at the end. */
  readonly isPreview?: boolean;
  /** The staff user. Null: the operator's command line. */
  readonly userId?: number | null;
}

/** One transaction: concurrent validation sees the old registry. */
export async function loadRegistry(
  db: Db,
  { certification, entries, unit, replace }: Source,
  { isPreview = false }: ChangeOptions = {},
): Promise<Loaded> {
  const loaded = await changeRegistry(db, isPreview, async (db) => {
    const { id, name } = await getCatalogueEntry(db, certification);
    await createStaging(db);
    await copyStaged(db, entries, certificateKey);
    const { entries: read, contradiction } = await dedupeStaged(db);
    if (contradiction) {
      const { external_certificate_id, first, last } = contradiction;
      throw new AppError(
        'validation_failed',
        `${unit} ${first} and ${unit.toLowerCase()} ${last} of the file contradict each other about "${external_certificate_id}".`,
      );
    }
    // A file that was cut off would make all certificates invalid.
    if (read === 0) {
      throw new AppError(
        'validation_failed',
        'The file has no entries. To do without a registry, remove it: "certificates registry remove".',
      );
    }
    const isFirst = await upsertRegistry(db, id);
    const counts = await mergeListed(db, id, { replace, isFirst });
    const details = { certification: name, entries: read, ...counts };
    await audit(db, { brandId: null, userId: null, action: 'registry.loaded', details });
    return { ...details, certificationId: id };
  });
  if (!isPreview) await analyzeRegistries(db);
  return loaded;
}

/** Restores the registry from before its last load. Only one step back; after a first load there is no registry left. */
export function rollBackRegistry(
  db: Db,
  certification: string,
  { isPreview = false, userId = null }: ChangeOptions = {},
): Promise<Changed & { loadedAt: Date | null }> {
  return changeRegistry(db, isPreview, async (db) => {
    const { id, name } = await getCatalogueEntry(db, certification);
    const loadedAt = await findPreviousLoad(db, id);
    if (loadedAt === undefined) throw new AppError('not_found', `There is no load of ${name} to roll back.`);
    if (loadedAt === null) await deleteRegistry(db, id);
    else await restorePrevious(db, id);
    await audit(db, { brandId: null, userId, action: 'registry.rolled_back', details: { certification: name } });
    return { certification: name, loadedAt, certificationId: id };
  });
}

/** Deletes the registry. Certificates that it validated become pending again. */
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
