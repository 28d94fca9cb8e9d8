import type { ReadinessReason } from '@brand-portal/contract/attention';
import { READINESS_REASONS } from '@brand-portal/contract/attention';
import type { Language } from '@brand-portal/contract/constants';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { EnteredFields, TimelineEvent, TimelineKind, VariantDetail } from '@brand-portal/contract/variant-detail';
import { DETAIL_FIELDS, EDITABLE_FIELDS, type EditableField, NO_FIELDS } from '@brand-portal/contract/variant-fields';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError, invalidFields, variantNotFound } from '../../lib/errors.ts';
import { requireRoom } from '../../people/brands/quotas.ts';
import { listPeople, nameOfActor } from '../../people/members/actors.ts';
import { mayEdit } from '../../people/members/memberships.ts';
import { inBrand } from '../../writes/brand-lock.ts';
import { deleteLinks, insertCertificates, insertLinks } from '../../writes/certificates.ts';
import { VERDICTS } from '../../writes/delivery-states.ts';
import { insertVariants, updateVariants } from '../../writes/variants.ts';
import { listWholeCatalogue } from '../certificates/catalogue.ts';
import { createCertificationNames } from '../fields/certification-names.ts';
import { describeProblem } from '../fields/describe.ts';
import type { RowProblem } from '../fields/row-problem.ts';
import { type CheckedForm, checkCertificateForm, checkForm } from '../fields/row-rules.ts';
import {
  countVariantCertificates,
  editOf,
  findCertificateId,
  findCreatingImport,
  findDelivery,
  findStoredVariant,
  findVariantByGtin,
  linkBetween,
  listActions,
  listImportedChanges,
  listVariantCertificates,
  listVariantIssues,
  newCertificate,
  newLink,
  newVariant,
  type StoredVariant,
  type VariantDelivery,
} from './variant-detail.queries.ts';
import { countReadyVariants, getVariant } from './variants.ts';

/** The variant that a request is about. */
interface Place {
  readonly brandId: number;
  readonly variantId: number;
  readonly userId: number;
  readonly language: Language;
}

const MAX_TIMELINE_EVENTS = 50;
/** How many of the brand's imports are searched for changes of the variant. */
const SEARCHED_IMPORTS = 200;
const MAX_HISTORY_TEXT_LENGTH = 200;

export async function getVariantDetail(db: Db, { brandId, variantId, userId, language }: Place): Promise<VariantDetail> {
  const stored = await getStored(db, brandId, variantId);
  const delivery = await findDelivery(db, brandId, variantId);
  const readiness = await countReadyVariants(db, brandId, variantId);
  const { name: _name, ...fields } = toFields(stored);
  return {
    ...(await getVariant(db, brandId, variantId)),
    ...fields,
    version: stored.change_count,
    may_edit: await mayEdit(db, brandId, userId),
    countries: Object.entries(delivery?.countries ?? {}).map(([country, status]) => ({ country, status })),
    issues: await listVariantIssues(db, brandId, variantId),
    retry_at: delivery?.retry_at?.toISOString() ?? null,
    readiness: READINESS_REASONS.filter((reason: ReadinessReason) => readiness[reason] > 0),
    certificates: await listVariantCertificates(db, brandId, variantId),
    certificate_count: await countVariantCertificates(db, brandId, variantId),
    timeline: await readTimeline(db, brandId, stored, delivery, language),
  };
}

/** Optimistic locking: if two members edit at the same time, the second gets the first one's version. It is read after locking. */
export async function editVariant(db: Db, place: Place, version: number, entered: EnteredFields): Promise<VariantDetail> {
  const { brandId, variantId, userId, language } = place;
  const { values } = validate(entered, language);
  await inBrand(db, brandId, async (db) => {
    const stored = await getStored(db, brandId, variantId);
    const before = toFields(stored);
    if (stored.change_count !== version) throw variantChanged(stored);
    const after = { ...before, ...toWire(values) };
    const changes = differences(before, after);
    if (changes.length === 0) return;
    const edit = editOf(
      brandId,
      stored,
      { ...after, details: toDetails(after) },
      changes.map(({ field }) => field),
    );
    await updateVariants(db, brandId, edit);
    const details = { variant_id: variantId, gtin: stored.gtin, changes };
    await audit(db, { brandId, userId, action: 'variant.edited', details });
  });
  return getVariantDetail(db, place);
}

export async function addVariant(
  db: Db,
  brandId: number,
  userId: number,
  { gtin, ...entered }: EnteredFields & { gtin: string },
  { language, quotas }: { readonly language: Language; readonly quotas: Quotas },
): Promise<VariantDetail> {
  const { values, gtin14 = '' } = validate({ ...entered, gtin }, language);
  const given = { ...NO_FIELDS, ...toWire(values) };
  const variantId = await inBrand(db, brandId, async (db) => {
    const existing = await findVariantByGtin(db, brandId, gtin14);
    if (existing) {
      const context = { variant_id: String(existing.id), name: existing.name };
      throw new AppError('gtin_exists', `The brand has this GTIN already: "${existing.name}".`, undefined, context);
    }
    await requireRoom(db, brandId, quotas, 'variants', 1);
    const row = { ...given, gtin: values.gtin ?? '', details: toDetails(given) };
    const { to } = await insertVariants(db, brandId, newVariant(brandId, row));
    const details = { variant_id: to, gtin: values.gtin };
    await audit(db, { brandId, userId, action: 'variant.created', details });
    return to;
  });
  return getVariantDetail(db, { brandId, variantId, userId, language });
}

interface EnteredCertificate {
  readonly certification_name: string;
  readonly certificate_id: string;
}

/** Idempotent: a certificate that the variant already has stays as it is. */
export async function addVariantCertificate(db: Db, place: Place, entered: EnteredCertificate): Promise<VariantDetail> {
  const { brandId, variantId, userId, language } = place;
  const names = createCertificationNames(await listWholeCatalogue(db));
  const { certificate: named, problems } = checkCertificateForm(entered, names);
  if (!named || problems.length > 0) throw invalidFields(describeFields(problems, language));
  await inBrand(db, brandId, async (db) => {
    const { gtin } = await getStored(db, brandId, variantId);
    const known = await findCertificateId(db, brandId, named);
    const certificateId = known ?? (await insertCertificates(db, brandId, newCertificate(brandId, named))).to;
    const find = () => listVariantCertificates(db, brandId, variantId, certificateId);
    if ((await find()).length > 0) return;
    await insertLinks(db, brandId, newLink(brandId, variantId, certificateId));
    const [added] = await find();
    const certificate = `${added?.certification_name} ${added?.external_certificate_id}`;
    const details = { variant_id: variantId, gtin, certificate_id: certificateId, certificate };
    await audit(db, { brandId, userId, action: 'variant.certificate_added', details });
  });
  return getVariantDetail(db, place);
}

/** Only unlinks it from this variant. A published variant is sent again without it. */
export function removeVariantCertificate(db: Db, place: Omit<Place, 'language'>, certificateId: number): Promise<void> {
  const { brandId, variantId, userId } = place;
  return inBrand(db, brandId, async (db) => {
    const { gtin } = await getStored(db, brandId, variantId);
    const [removed] = await listVariantCertificates(db, brandId, variantId, certificateId);
    if (!removed) throw new AppError('not_found', 'The variant has no such certificate.');
    await deleteLinks(db, brandId, linkBetween(variantId, certificateId));
    const certificate = `${removed.certification_name} ${removed.external_certificate_id}`;
    const details = { variant_id: variantId, gtin, certificate_id: certificateId, certificate };
    await audit(db, { brandId, userId, action: 'variant.certificate_removed', details });
  });
}

async function getStored(db: Db, brandId: number, variantId: number): Promise<StoredVariant> {
  const stored = await findStoredVariant(db, brandId, variantId);
  if (!stored) throw variantNotFound();
  return stored;
}

type Fields = Readonly<Record<EditableField, string>>;

function toFields({ name, category, details }: StoredVariant): Fields {
  return { ...NO_FIELDS, ...details, name, category };
}

function toDetails(fields: Fields): string {
  return JSON.stringify(Object.fromEntries(DETAIL_FIELDS.filter((field) => fields[field] !== '').map((field) => [field, fields[field]])));
}

/** Refuses what the import would refuse, with the same texts. Line breaks in a description become spaces, as there. */
function validate({ name, ...entered }: EnteredFields & { gtin?: string }, language: Language): CheckedForm {
  const checked = checkForm({ ...entered, ...(name !== undefined && { variant_name: name }) });
  if (checked.problems.length === 0) return checked;
  throw invalidFields(describeFields(checked.problems, language));
}

function describeFields(problems: readonly RowProblem[], language: Language): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const problem of problems) {
    const field = problem.field === 'variant_name' ? 'name' : (problem.field ?? 'name');
    fields[field] = [fields[field], describeProblem(problem, language)].filter(Boolean).join(' ');
  }
  return fields;
}

/** The import's name for `name` is `variant_name`. */
function toWire({ variant_name, gtin: _gtin, ...rest }: CheckedForm['values']): Partial<Fields> {
  return { ...rest, ...(variant_name !== undefined && { name: variant_name }) };
}

function variantChanged(stored: StoredVariant): AppError {
  return new AppError('variant_changed', 'Somebody has changed this variant meanwhile.', undefined, {
    ...toFields(stored),
    version: String(stored.change_count),
  });
}

function differences(before: Fields, after: Fields) {
  return EDITABLE_FIELDS.filter((field) => before[field] !== after[field]).map((field) => ({
    field,
    from: cut(before[field]),
    to: cut(after[field]),
  }));
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > MAX_HISTORY_TEXT_LENGTH ? `${characters.slice(0, MAX_HISTORY_TEXT_LENGTH).join('')}…` : text;
}

const ACTIONS: Readonly<Record<string, TimelineKind>> = {
  'variant.created': 'created',
  'variant.edited': 'edited',
  'variant.published': 'published',
  'variant.unpublished': 'unpublished',
  'variant.all_published': 'all_published',
  'variant.certificate_added': 'certificate_added',
  'variant.certificate_removed': 'certificate_removed',
  'variants.published': 'published',
  'variants.unpublished': 'unpublished',
  'variants.deleted': 'deleted',
  'variants.restored': 'restored',
};

/** Newest first. Built from existing records: the audit log, imports with their changes, and the delivery. */
async function readTimeline(
  db: Db,
  brandId: number,
  stored: StoredVariant,
  delivery: VariantDelivery | undefined,
  language: Language,
): Promise<TimelineEvent[]> {
  const events: TimelineEvent[] = [];
  const add = (kind: TimelineKind, at: Date | null, more: Partial<TimelineEvent> = {}) => {
    if (at) events.push({ kind, at: at.toISOString(), by: null, import: null, changes: [], detail: '', ...more });
  };
  const actions = await listActions(db, brandId, stored, MAX_TIMELINE_EVENTS);
  const imported = await listImportedChanges(db, brandId, stored.id, SEARCHED_IMPORTS);
  const isAdded = actions.some(({ action }) => action === 'variant.created');
  const source = isAdded ? undefined : await findCreatingImport(db, brandId, stored.id);
  const ids = [...actions, ...imported].map(({ user_id }) => user_id);
  const people = await listPeople(db, brandId, [...ids, ...imported.map(({ undone_by }) => undone_by), source?.user_id]);
  const nameOf = (id: number | null) => nameOfActor(people, id, language);
  for (const { action, details, at, user_id } of actions) {
    const kind = ACTIONS[action];
    if (kind) add(kind, at, { by: nameOf(user_id), changes: details.changes ?? [], detail: details.certificate ?? '' });
  }
  for (const change of imported) {
    const { id, file_name, at, undone_at } = change;
    const by = nameOf(change.user_id);
    const before = { ...NO_FIELDS, ...change.before };
    const after = { ...NO_FIELDS, ...change.after };
    add('imported', at, { by, import: { id, file_name }, changes: differences(before, after) });
    if (change.newly_published) add('published', at, { by, import: { id, file_name } });
    add('import_undone', undone_at, { by: nameOf(change.undone_by), import: { id, file_name } });
  }
  if (!isAdded) {
    const by = source ? { by: nameOf(source.user_id), import: { id: source.id, file_name: source.file_name } } : {};
    add('created', stored.created_at, by);
  }
  add('sent', delivery?.sent_at ?? null);
  // A variant sent again since then is waiting for its next verdict.
  if (delivery && VERDICTS.includes(delivery.state)) add('judged', delivery.judged_at, { detail: delivery.state });
  return events.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_TIMELINE_EVENTS);
}
