import type {
  CertificateDetail,
  CertificateEvent,
  CertificateEventKind,
  replaceCertificate as replaceEndpoint,
} from '@brand-portal/contract/certificate-detail';
import type { Language } from '@brand-portal/contract/constants';
import type { BodyOf } from '@brand-portal/contract/endpoint';
import { audit } from '../../audit/audit.ts';
import type { Db } from '../../db/database.ts';
import { AppError, certificateNotFound, invalidFields } from '../../lib/errors.ts';
import { listPeople, nameOfActor, type People } from '../../people/members/actors.ts';
import { mayEdit } from '../../people/members/memberships.ts';
import { inBrand } from '../../writes/brand-lock.ts';
import { insertCertificates, replaceCertificate as moveToCertificate, updateCertificateLinks } from '../../writes/certificates.ts';
import { certificateKey } from '../fields/certificate-ids.ts';
import { describeProblem } from '../fields/describe.ts';
import { checkForm } from '../fields/row-rules.ts';
import {
  countSendingVariants,
  findImportOf,
  findRegistryState,
  findStoredCertificate,
  type ImportedLink,
  listEvents,
  listImportedLinks,
  listNearMisses,
  namedLink,
  newCertificate,
  type RecordedEvent,
  type StoredDetail,
} from './certificate-detail.queries.ts';
import { getListedCertificate } from './certificates.ts';
import { findCertificateByKey, validateSome } from './validation.ts';

/** The certificate that a request is about. */
interface CertificateRequest {
  readonly brandId: number;
  readonly certificateId: number;
  readonly userId: number;
  readonly language: Language;
}

const MAX_TIMELINE_EVENTS = 50;
/** How many of the brand's imports are searched for changes of the certificate's page. */
const SEARCHED_IMPORTS = 200;
/** How many replaced certificates the timeline includes. */
const MAX_RENEWALS = 10;

export async function getCertificateDetail(
  db: Db,
  { brandId, certificateId, userId, language }: CertificateRequest,
): Promise<CertificateDetail> {
  const stored = await getStored(db, brandId, certificateId);
  const registry = await findRegistryState(db, stored);
  return {
    ...(await getListedCertificate(db, brandId, certificateId)),
    ...(await countSendingVariants(db, brandId, certificateId)),
    created_at: stored.created_at.toISOString(),
    link: stored.link,
    may_edit: await mayEdit(db, brandId, userId),
    registry: registry
      ? {
          loaded_at: registry.loaded_at.toISOString(),
          entry: registry.active === null ? null : { active: registry.active, expires_on: registry.expires_on },
        }
      : null,
    near_miss: await findNearMiss(db, stored),
    timeline: await readTimeline(db, { brandId, certificateId, language }, stored),
  };
}

/** Only if exactly one entry is close. It is a suggestion, never applied automatically. */
async function findNearMiss(db: Db, stored: StoredDetail): Promise<string | null> {
  if (stored.reason !== 'not_listed' && stored.reason !== 'pattern') return null;
  const [nearest, another] = await listNearMisses(db, stored);
  return nearest !== undefined && another === undefined ? nearest : null;
}

export async function updateCertificate(
  db: Db,
  { brandId, certificateId, userId, language }: CertificateRequest,
  entered: string,
): Promise<CertificateDetail> {
  const link = validate('certificate_link', 'link', entered, language);
  await inBrand(db, brandId, async (db) => {
    const stored = await getStored(db, brandId, certificateId);
    if (stored.link === link) return;
    await updateCertificateLinks(db, brandId, namedLink(stored, link));
    const { certification_name: certification, external_certificate_id } = stored;
    const details = { certificate_id: certificateId, certification, external_certificate_id, link };
    await audit(db, { brandId, userId, action: 'certificate.link_changed', details });
  });
  return getCertificateDetail(db, { brandId, certificateId, userId, language });
}

const IS_THE_SAME: Readonly<Record<Language, string>> = {
  en: 'This is the certificate that is to be replaced. Enter the ID of the new one.',
  es: 'Este es el certificado que se va a sustituir. Escribe el ID del nuevo.',
};

/**
 * Validates the new certificate before linking the variants to it. Otherwise a valid claim would be withdrawn from the channel and sent
 * again. If the new certificate exists already, the variants of the replaced one are added to it.
 */
export async function replaceCertificate(
  db: Db,
  { brandId, certificateId, userId, language }: CertificateRequest,
  { certificate_id: entered, confirmed = false }: BodyOf<typeof replaceEndpoint>,
): Promise<CertificateDetail> {
  const externalId = validate('certificate_id', 'certificate_id', entered, language);
  const newId = await inBrand(db, brandId, async (db) => {
    const replaced = await getStored(db, brandId, certificateId);
    const { certification_id, certification_name, external_certificate_id, id_key } = replaced;
    const key = certificateKey(externalId);
    if (key === id_key) throw invalidFields({ certificate_id: IS_THE_SAME[language] });
    const find = () => findCertificateByKey(db, brandId, certification_id, key);
    const known = await find();
    if (!known) await insertCertificates(db, brandId, newCertificate(brandId, certification_id, externalId, key));
    const renewed = known ?? (await find());
    if (!renewed) throw new Error('The certificate was not written');
    const details = {
      certificate_id: renewed.id,
      certification: certification_name,
      external_certificate_id: externalId,
      replaced_id: certificateId,
      replaced: external_certificate_id,
    };
    // Before the validation, which the history would show first otherwise.
    await audit(db, { brandId, userId, action: 'certificate.replaced', details });
    if (!known) await validateSome(db, brandId, [renewed]);
    if (replaced.status === 'validated' && !confirmed) await requireValid(db, brandId, renewed.id);
    await moveToCertificate(db, brandId, certificateId, renewed.id);
    return renewed.id;
  });
  return getCertificateDetail(db, { brandId, certificateId: newId, userId, language });
}

/** A typo would withdraw the claim of all variants from the channel. */
async function requireValid(db: Db, brandId: number, certificateId: number): Promise<void> {
  const { status, reason } = await getStored(db, brandId, certificateId);
  if (status === 'validated') return;
  throw new AppError('certificate_not_valid', 'The new certificate is not valid.', undefined, { status, reason });
}

/** Refuses what the import would refuse in this column, with the same text and the form's field name. */
function validate(column: 'certificate_id' | 'certificate_link', field: string, entered: string, language: Language): string {
  const { values, problems } = checkForm({ [column]: entered });
  if (problems.length === 0) return values[column] ?? '';
  throw invalidFields({ [field]: problems.map((problem) => describeProblem(problem, language)).join(' ') });
}

async function getStored(db: Db, brandId: number, certificateId: number): Promise<StoredDetail> {
  const stored = await findStoredCertificate(db, brandId, certificateId);
  if (!stored) throw certificateNotFound();
  return stored;
}

const ACTIONS: Readonly<Record<string, CertificateEventKind>> = {
  'certificate.status_changed': 'status_changed',
  'certificate.approved': 'approved',
  'certificate.rejected': 'rejected',
  'certificate.review_withdrawn': 'review_withdrawn',
  'certificate.replaced': 'replaced',
  'variant.certificate_removed': 'variant_removed',
  'certificate.link_changed': 'link_changed',
};

type OwnEvent = Omit<CertificateEvent, 'certificate_id'>;

/** The audit log of the certificate and of those it replaced, and how the first was created. Newest first. */
async function readTimeline(
  db: Db,
  { brandId, certificateId, language }: Omit<CertificateRequest, 'userId'>,
  { created_at }: StoredDetail,
): Promise<CertificateEvent[]> {
  const events: CertificateEvent[] = [];
  // Grows in the loop: a certificate may have replaced several, and each of them others.
  const certificates = new Map<number, string | null>([[certificateId, null]]);
  for (const [id, externalId] of certificates) {
    if (events.length >= MAX_TIMELINE_EVENTS) break;
    const recorded = await listEvents(db, brandId, id, MAX_TIMELINE_EVENTS);
    const source = await findImportOf(db, brandId, id);
    const links = await listImportedLinks(db, brandId, id, SEARCHED_IMPORTS);
    const people = await listPeople(db, brandId, [
      source?.user_id,
      ...[...recorded, ...links].map(({ user_id }) => user_id),
      ...links.map(({ undone_by }) => undone_by),
    ]);
    const own = [
      ...recorded.flatMap((event) => toEvent(event, people, language)),
      ...links.map((link) => toLinkEvent(link, people, language)),
      ...links.flatMap((link) => toUndoneLinkEvent(link, { recorded, links, people, language })),
    ];
    events.push(...own.map((event) => ({ ...event, certificate_id: externalId })));
    const replacements = recorded.filter(({ action }) => action === 'certificate.replaced');
    // A replacement may have created it, in the same transaction.
    const isCreatedByReplacement = replacements.some(({ at }) => at.getTime() === created_at.getTime());
    if (id === certificateId && (source || !isCreatedByReplacement)) {
      events.push({
        kind: 'added',
        at: created_at.toISOString(),
        certificate_id: null,
        detail: '',
        reason: '',
        by: nameOfActor(people, source?.user_id ?? null, language),
        import: source ? { id: source.id, file_name: source.file_name } : null,
      });
    }
    for (const { details } of replacements) {
      const { replaced_id: other, replaced = '' } = details;
      if (other !== undefined && !certificates.has(other) && certificates.size <= MAX_RENEWALS) certificates.set(other, replaced);
    }
  }
  return events.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, MAX_TIMELINE_EVENTS);
}

function toLinkEvent({ id, file_name, at, user_id, new_link }: ImportedLink, people: People, language: Language): OwnEvent {
  const by = nameOfActor(people, user_id, language);
  return { kind: 'link_changed', at: at.toISOString(), by, import: { id, file_name }, detail: new_link, reason: '' };
}

/** An undo restores the former page, unless it was changed again in between. */
function toUndoneLinkEvent(
  link: ImportedLink,
  all: { recorded: readonly RecordedEvent[]; links: readonly ImportedLink[]; people: People; language: Language },
): OwnEvent[] {
  const { at, undone_at, undone_by, old_link } = link;
  if (!undone_at) return [];
  const isBetween = (other: Date) => at < other && other < undone_at;
  const isChanged =
    all.recorded.some((event) => event.action === 'certificate.link_changed' && isBetween(event.at)) ||
    all.links.some((other) => isBetween(other.at) && !(other.undone_at && isBetween(other.undone_at)));
  const undo = { ...link, at: undone_at, user_id: undone_by, new_link: old_link };
  return isChanged ? [] : [toLinkEvent(undo, all.people, all.language)];
}

function toEvent({ action, details, at, user_id }: RecordedEvent, people: People, language: Language): OwnEvent[] {
  const by = nameOfActor(people, user_id, language);
  const kind = ACTIONS[action];
  if (!kind) return [];
  const detail = details.to ?? details.replaced ?? details.note ?? details.gtin ?? details.link ?? '';
  return [{ kind, at: at.toISOString(), by, import: null, detail, reason: details.reason ?? '' }];
}
