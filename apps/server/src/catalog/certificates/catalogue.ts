import { runInNewContext } from 'node:vm';
import type { CatalogueItem } from '@brand-portal/contract/certificates';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { compileIdPattern } from '../fields/certificate-ids.ts';
import { createCertificationNames } from '../fields/certification-names.ts';
import {
  type CatalogueEntry,
  findBodyId,
  findCatalogueEntry,
  insertBody,
  insertCatalogueEntry,
  listCatalogueEntries,
  listCatalogueItems,
  retireCatalogueEntry,
  updateAliases,
  updateGoogleNames,
} from './catalogue.queries.ts';
import { revalidateBrandsWith } from './validation.ts';

/** The certifications that an import may name, without retired ones. Sorted by name. */
export function listCatalogue(db: Db): Promise<CatalogueItem[]> {
  return listCatalogueItems(db);
}

/** All certifications, including retired ones. */
export function listWholeCatalogue(db: Db): Promise<CatalogueEntry[]> {
  return listCatalogueEntries(db);
}

export async function getCatalogueEntry(db: Db, name: string): Promise<CatalogueEntry> {
  const entry = await findCatalogueEntry(db, name.trim());
  if (!entry) {
    throw new AppError('not_found', `There is no certification "${name}": "catalogue list" shows those there are.`);
  }
  return entry;
}

interface NewEntry {
  readonly name: string;
  readonly bodyCode: string;
  /** Required for a new certifying body. */
  readonly bodyName?: string | undefined;
  readonly schemeCode?: string | undefined;
  readonly idPattern?: string | undefined;
  /** Other names that people use for it. */
  readonly aliases?: readonly string[] | undefined;
}

export function addCatalogueEntry(db: Db, entry: NewEntry): Promise<void> {
  const name = checkLength('name', entry.name.trim(), 200);
  const idPattern = entry.idPattern ? checkPattern(entry.idPattern) : null;
  const schemeCode = entry.schemeCode ? checkLength('scheme code', entry.schemeCode, 100) : null;
  const aliases = checkAliases(entry.aliases ?? []);
  return inTransaction(db, async (db) => {
    const namesake = await findCatalogueEntry(db, name);
    if (namesake && !namesake.is_retired) {
      throw new AppError('validation_failed', `"${namesake.name}" is in the catalogue already.`);
    }
    await findSharedNames(db, namesake, namesake ? aliases : [name, ...aliases]);
    const bodyId = await getOrInsertBody(db, entry.bodyCode.trim(), entry.bodyName?.trim());
    const id = await insertCatalogueEntry(db, { name: namesake?.name ?? name, bodyId, schemeCode, idPattern, aliases });
    if (id === undefined) throw new AppError('validation_failed', `"${name}" is in the catalogue already.`);
    // A restored one may have another pattern.
    if (namesake) await revalidateBrandsWith(db, id);
    await audit(db, { brandId: null, userId: null, action: 'catalogue.added', details: { name, idPattern } });
  });
}

interface ChangedAliases {
  readonly name: string;
  readonly usable: readonly string[];
  /** Also names of other certifications, so imports refuse them as ambiguous. */
  readonly shared: readonly string[];
  readonly removed: readonly string[];
}

/** Replaces its other names. */
export function setAliases(db: Db, name: string, aliases: readonly string[]): Promise<ChangedAliases> {
  const checked = checkAliases(aliases);
  return inTransaction(db, async (db) => {
    const entry = await getCatalogueEntry(db, name);
    const shared = await findSharedNames(db, entry, checked);
    await updateAliases(db, entry.id, checked);
    const details = { name: entry.name, from: entry.aliases, to: checked };
    await audit(db, { brandId: null, userId: null, action: 'catalogue.aliases_changed', details });
    return {
      name: entry.name,
      usable: checked.filter((alias) => !shared.includes(alias)),
      shared,
      removed: entry.aliases.filter((alias) => !checked.includes(alias)),
    };
  });
}

/** New names must not be those of another certification, even of a retired one. Aliases that it shares already may stay. */
async function findSharedNames(db: Db, entry: CatalogueEntry | undefined, names: readonly string[]): Promise<string[]> {
  const others = (await listCatalogueEntries(db)).filter(({ id }) => id !== entry?.id);
  const known = createCertificationNames(others.map((other) => ({ ...other, is_retired: false })));
  return names.filter((name) => {
    const [owner] = known.find(name);
    if (owner && !entry?.aliases.includes(name)) {
      throw new AppError('validation_failed', `"${name}" is a name of "${owner.name}" already.`);
    }
    return owner !== undefined;
  });
}

/** How Google names the certification and its issuer; null: Google does not display it. */
export function setGoogleNames(
  db: Db,
  name: string,
  google: { readonly name: string; readonly authority: string } | null,
): Promise<CatalogueEntry> {
  if (google) {
    checkLength("Google's name", google.name, 200);
    checkLength("Google's authority", google.authority, 200);
  }
  return inTransaction(db, async (db) => {
    const entry = await getCatalogueEntry(db, name);
    await updateGoogleNames(db, entry.id, google);
    const details = { name: entry.name, google };
    await audit(db, { brandId: null, userId: null, action: 'catalogue.google_names_changed', details });
    return entry;
  });
}

/** Existing certificates stay. Imports can no longer name it. */
export function retireFromCatalogue(db: Db, name: string): Promise<CatalogueEntry> {
  return inTransaction(db, async (db) => {
    const entry = await getCatalogueEntry(db, name);
    if (!(await retireCatalogueEntry(db, entry.id))) {
      throw new AppError('validation_failed', `"${entry.name}" is retired already.`);
    }
    await audit(db, { brandId: null, userId: null, action: 'catalogue.retired', details: { name: entry.name } });
    return entry;
  });
}

async function getOrInsertBody(db: Db, code: string, name: string | undefined): Promise<number> {
  const known = await findBodyId(db, code);
  if (known !== undefined) return known;
  if (!name) {
    throw new AppError('validation_failed', `There is no certifying body "${code}" yet: give its name with --body-name.`);
  }
  return insertBody(db, checkLength('body code', code, 50), checkLength('body name', name, 200));
}

function checkLength(what: string, value: string, longest: number): string {
  if (value.length < 1 || value.length > longest) {
    throw new AppError('validation_failed', `The ${what} must have 1 to ${longest} characters.`);
  }
  return value;
}

function checkAliases(aliases: readonly string[]): string[] {
  return [...new Set(aliases.map((alias) => checkLength('other name', alias.trim(), 200)))];
}

function checkPattern(text: string): string {
  checkLength('id pattern', text, 500);
  let pattern: RegExp;
  try {
    pattern = compileIdPattern(text);
  } catch {
    throw new AppError('validation_failed', `"${text}" is not a regular expression of JavaScript (flag u).`);
  }
  if (isSlow(pattern)) {
    const how = 'Let no repetition contain another of the same characters, as (A+)+ does.';
    throw new AppError('validation_failed', `"${text}" takes too long on some ids. ${how}`);
  }
  return text;
}

const TRIAL_MS = 500;

/**
 * Tries it on long ids that almost have its form: one that backtracks without end would block the server. Only a trial; an operator who
 * means harm finds another way.
 */
function isSlow(pattern: RegExp): boolean {
  const start = /^\^?([\p{L}\d/-]*)/u.exec(pattern.source)?.[1] ?? '';
  const pieces = new Set(['0', 'A', 'A0', ...pattern.source]);
  const ids = [...pieces].flatMap((piece) => ['', start].map((start) => `${start}${piece.repeat(100)}\n`));
  try {
    // A timeout here also ends a regular expression, which nothing else can interrupt.
    runInNewContext('for (const id of ids) pattern.test(id)', { ids, pattern }, { timeout: TRIAL_MS });
    return false;
  } catch {
    return true;
  }
}
