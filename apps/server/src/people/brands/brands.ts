import { isDeepStrictEqual } from 'node:util';
import { isLogoAddress } from '@brand-portal/contract/brand-logo';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import type { Brand, BrandChanges, BrandList, CreateBrand, UpdateBrand } from '@brand-portal/contract/brands';
import { emailKey } from '@brand-portal/contract/people';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError, brandNotFound, invalidFields, refusedByStatus } from '../../lib/errors.ts';
import { withoutInvisible } from '../../lib/invisible.ts';
import { singleLine } from '../../mail/single-line.ts';
import { inAnyBrand, inBrand, OPERATOR_WAIT } from '../../writes/brand-lock.ts';
import { scheduleWork } from '../../writes/due-work.ts';
import { deleteBrandData } from '../../writes/variants.ts';
import {
  deleteBrandRow,
  findAnyBrandId,
  findBrand,
  findOwnMembership,
  insertBrand,
  listAllBrandIds,
  listBrandsOf,
  lockNameAndFindOwned,
  type StoredBrand,
  startTrial,
  updateBrandFields,
} from './brands.queries.ts';

/** The brands that the user is a member of. This is the only place that decides visibility. */
export function listBrands(db: Db, userId: number): Promise<BrandList> {
  return listBrandsOf(db, userId);
}

/** For jobs that work brand by brand. */
export function listBrandIds(db: Db): Promise<number[]> {
  return listAllBrandIds(db);
}

export async function hasBrands(db: Db): Promise<boolean> {
  return (await findAnyBrandId(db)) !== undefined;
}

export async function getBrand(db: Db, brandId: number): Promise<StoredBrand> {
  const brand = await findBrand(db, brandId);
  if (!brand) throw brandNotFound();
  return brand;
}

/** Trying again after a lost answer, a double click or a second tab must not create the brand twice. */
export async function refuseSameBrand(db: Db, name: string, ownerEmail: string): Promise<void> {
  if (await lockNameAndFindOwned(db, toBrandName(name), emailKey(ownerEmail))) {
    throw new AppError('brand_exists', 'This owner already has a brand with this name.');
  }
}

/** Creates the brand without an owner; the caller adds one in the same transaction. */
export async function createBrand(db: Db, userId: number | null, fields: Omit<CreateBrand, 'owner_email'>): Promise<number> {
  const brand = checkFields(fields);
  const brandId = await insertBrand(db, brand);
  await audit(db, { brandId, userId, action: 'brand.created', details: { name: brand.name } });
  await scheduleWork(db, brandId, 'purge_history');
  return brandId;
}

export async function updateBrand(
  db: Db,
  { userId, supportEmail }: { userId: number; supportEmail: string },
  brandId: number,
  fields: UpdateBrand,
): Promise<StoredBrand> {
  const { id, opted_in_for_trial, member_count, owner, role, is_last_owner, version, status, ...given } = fields;
  const changes = checkFields(given);
  return inBrand(db, brandId, async (db) => {
    const brand = await getBrand(db, brandId);
    const answer = { ...brand, ...(await findOwnMembership(db, brandId, userId)) };
    refuseOtherValues({ id, opted_in_for_trial, member_count, owner, role, is_last_owner }, answer);
    if (status !== undefined && status !== brand.status) throw refusedByStatus('brand_status_fixed', supportEmail);
    if (version !== undefined) refuseOutdated(version, brand);
    if (changes.logo !== undefined && changes.logo !== brand.logo) refuseOtherLogo(changes.logo);
    return storeChanges(db, userId, brand, changes);
  });
}

/** For platform staff. Setting the status that the brand already has changes nothing and is not audited. */
export function setBrandStatus(db: Db, userId: number, brandId: number, status: BrandStatus): Promise<StoredBrand> {
  return inBrand(db, brandId, async (db) => {
    const brand = await getBrand(db, brandId);
    if (brand.status === status) return brand;
    const changed = await storeChanges(db, userId, brand, { status });
    // What waited while the brand was inactive.
    await scheduleWork(db, brandId, 'deliver');
    return changed;
  });
}

async function storeChanges(db: Db, userId: number, brand: StoredBrand, changes: BrandChanges): Promise<StoredBrand> {
  if (Object.keys(changes).length === 0) return brand;
  await updateBrandFields(db, brand.id, changes);
  await audit(db, { brandId: brand.id, userId, action: 'brand.updated', details: changes });
  return getBrand(db, brand.id);
}

function refuseOtherValues(fields: UpdateBrand, current: UpdateBrand): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || isDeepStrictEqual(value, current[name as keyof UpdateBrand])) continue;
    throw invalidFields({ [name]: 'cannot be changed here' });
  }
}

/** Deletes at once, without a restore period. Members delete through brand-deletion.ts. */
export function deleteBrand(db: Db, userId: number | null, brandId: number): Promise<void> {
  const deleteAll = async (db: Db) => {
    const { name } = await getBrand(db, brandId);
    await deleteBrandData(db, brandId);
    await deleteBrandRow(db, brandId);
    await audit(db, { brandId, userId, action: 'brand.deleted', details: { name } });
  };
  return inAnyBrand(db, brandId, deleteAll, { ...OPERATOR_WAIT, forDeletion: true });
}

function refuseOutdated(version: number, current: StoredBrand): void {
  if (version === current.version) return;
  const { name, description, website, logo } = current;
  throw new AppError('brand_changed', 'Somebody has changed this brand meanwhile.', undefined, {
    name,
    description,
    website,
    logo,
    version: String(current.version),
  });
}

/** Idempotent: a double click or a retry changes nothing. */
export async function optInForTrial(db: Db, userId: number | null, brandId: number): Promise<Brand> {
  const brand = await getBrand(db, brandId);
  if (brand.opted_in_for_trial) return brand;
  return inBrand(db, brandId, async (db) => {
    const started = await startTrial(db, brandId);
    if (started) await audit(db, { brandId, userId, action: 'brand.trial_started' });
    return getBrand(db, brandId);
  });
}

/** A logo that was stored before this rule can be sent back unchanged. */
export function refuseOtherLogo(logo: string): void {
  if (logo === '' || isLogoAddress(logo)) return;
  throw invalidFields({ logo: 'must be a web address that begins with https:// and the name of a site' });
}

function toBrandName(text: string): string {
  return singleLine(withoutInvisible(text));
}

/** Checks what the schema's patterns cannot: that a URL is valid, and that something is left of a name. */
function checkFields<T extends BrandChanges>(fields: T): T {
  if (fields.website && !URL.canParse(fields.website)) throw invalidFields({ website: 'must be a web address' });
  if (fields.name === undefined) return fields;
  const name = toBrandName(fields.name);
  if (name === '') throw invalidFields({ name: 'must not be empty' });
  return { ...fields, name };
}

/** Publishing needs the trial. Unpublishing is always allowed. */
export async function requireTrial(db: Db, brandId: number): Promise<void> {
  const { opted_in_for_trial } = await getBrand(db, brandId);
  if (!opted_in_for_trial) throw new AppError('trial_required', 'The brand must start its free trial first.');
}
