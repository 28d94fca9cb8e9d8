import { DEFAULT_PAGE_SIZE, type Language } from '@brand-portal/contract/constants';
import {
  type HistoryEntry,
  type HistoryExportQuery,
  type HistoryFilters,
  type HistoryPage,
  type HistoryQuery,
  type HistorySubject,
  NO_PERSON,
} from '@brand-portal/contract/history';
import { type Db, inSnapshot, inTransaction } from '../../db/database.ts';
import { ofThisRead } from '../../db/reads.ts';
import { type ExportFile, toExportFile } from '../../files/xlsx/export-file.ts';
import { invalidFields } from '../../lib/errors.ts';
import { isDeletedAccount } from '../../people/identity/users.ts';
import { listPeople, nameOf, nameOfOther, type People, toActor } from '../../people/members/actors.ts';
import { hasRole } from '../../people/members/memberships.ts';
import { type BrandByBrand, setDueWork, takeDueWork, workBrandByBrand } from '../../writes/due-work.ts';
import {
  deleteOldEntries,
  findPlace,
  type HistoryMatch,
  hasHistory,
  listActorIds,
  listEntries,
  listOccurringActions,
  type Place,
  type StoredEntry,
} from './history.queries.ts';
import { ACTIONS_FOR_EVERYBODY, describeAction, labelOf, nameSome, SHEET } from './history-texts.ts';

interface Reader {
  readonly brandId: number;
  readonly userId: number;
  readonly language: Language;
}

/** One page, newest first. Empty if the entry in `before` or `after` no longer exists. */
export function listHistory(
  db: Db,
  reader: Reader,
  { before, after, page_size = DEFAULT_PAGE_SIZE, ...query }: HistoryQuery,
): Promise<HistoryPage> {
  const { brandId, language } = reader;
  return inSnapshot(db, async (db) => {
    const match = await toMatch(db, reader, query);
    const start = before ?? after;
    const place = start === undefined ? undefined : await findPlace(db, brandId, start);
    if (start !== undefined && !place) return { results: [], older: null, newer: null };
    const isBackwards = before === undefined && after !== undefined;
    const window = isBackwards ? { after: place } : { before: place };
    // One row more than the page shows whether there is another page.
    const found = await listEntries(db, brandId, match, { ...window, limit: page_size + 1 });
    const hasMore = found.length > page_size;
    const page = found.slice(0, page_size);
    const entries = isBackwards ? page.toReversed() : page;
    return {
      results: await describeEntries(db, brandId, entries, language),
      older: isBackwards || hasMore ? (entries.at(-1)?.id ?? null) : null,
      newer: isBackwards ? (hasMore ? (entries[0]?.id ?? null) : null) : place ? (entries[0]?.id ?? null) : null,
    };
  });
}

export async function getHistoryFilters(db: Db, reader: Reader): Promise<HistoryFilters> {
  const match = await toMatch(db, reader, {});
  const actions = await listOccurringActions(db, reader.brandId);
  const people = await listPeople(db, reader.brandId, await listActorIds(db, reader.brandId, match));
  const { compare } = new Intl.Collator(reader.language);
  return {
    people: [...people.values()]
      .filter(({ is_staff }) => !is_staff)
      .map((person) => ({ id: person.id, name: nameOf(person, reader.language) })),
    actions: actions
      .filter((action) => match.visible?.includes(action) ?? true)
      .map((action) => ({ action, label: labelOf(action, reader.language) }))
      .sort((a, b) => compare(a.label, b.label)),
  };
}

const BATCH = 1_000;
const COLUMNS = { time: 26, person: 28, action: 26, description: 60, about: 60 };

/** Reads in batches by cursor, with backpressure from the download. */
export async function exportHistory(db: Db, reader: Reader, { format, ...query }: HistoryExportQuery): Promise<ExportFile> {
  const { brandId, language } = reader;
  const match = await toMatch(db, reader, query);
  async function* batches() {
    let before: Place | undefined;
    for (;;) {
      const batch = await listEntries(db, brandId, match, { before, limit: BATCH });
      yield await describeEntries(db, brandId, batch, language);
      if (batch.length < BATCH) return;
      before = batch.at(-1);
    }
  }
  const exported = {
    name: 'history',
    sheet: SHEET[language],
    columns: COLUMNS,
    batches: ofThisRead(batches()),
    toRows,
  };
  return toExportFile(exported, { format }, language);
}

function toRows({ at, by, action, text, subjects }: HistoryEntry): Record<keyof typeof COLUMNS, string>[] {
  return [{ time: at, person: by.name, action, description: text, about: subjects.map(({ label }) => label).join(', ') }];
}

/** Members who may manage members read everything; others only what concerns the brand's products. */
async function toMatch(
  db: Db,
  { brandId, userId }: Reader,
  { person, action, from, to }: Pick<HistoryQuery, 'person' | 'action' | 'from' | 'to'>,
): Promise<HistoryMatch> {
  const isAdmin = await hasRole(db, brandId, userId, 'admin');
  return {
    action,
    from: toMoment('from', from),
    to: toMoment('to', to),
    userId: person === NO_PERSON ? null : person,
    visible: isAdmin ? undefined : ACTIONS_FOR_EVERYBODY,
  };
}

/** The format allows times that PostgreSQL cannot read, such as one in the year 0. */
function toMoment(field: 'from' | 'to', time: string | undefined): Date | undefined {
  if (time === undefined) return undefined;
  const moment = new Date(time);
  if (Number.isNaN(moment.getTime())) throw invalidFields({ [field]: 'must be a date and time' });
  return moment;
}

async function describeEntries(db: Db, brandId: number, entries: readonly StoredEntry[], language: Language): Promise<HistoryEntry[]> {
  const ids = entries.flatMap(({ user_id, details }) => [user_id, toId(details.member_id)]);
  const people = await listPeople(db, brandId, ids);
  return entries.map((entry) => toEntry(entry, people, language));
}

function toEntry(entry: StoredEntry, people: People, language: Language): HistoryEntry {
  const { id, at, action, details, deletion } = entry;
  return {
    id,
    at: at.toISOString(),
    by: actorOf(entry, people, language),
    action,
    text: describeAction(action, details, language),
    subjects: toSubjects(entry, people, language),
    deletion,
  };
}

/** Done by jobs. All other actions without a user were done on the operator's command line. */
const BY_JOBS = ['certificate.status_changed', 'certificates.mailed'];

function actorOf({ user_id, action }: StoredEntry, people: People, language: Language): HistoryEntry['by'] {
  if (user_id !== null) return toActor(people, user_id, language);
  const kind = BY_JOBS.includes(action) ? 'system' : 'operator';
  return { kind, id: null, name: nameOfOther(kind, language) };
}

/** By their current names; for deleted ones, by the names in the entry. */
function toSubjects(entry: StoredEntry, people: People, language: Language): HistorySubject[] {
  const { details } = entry;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const removed = `${text(details.external_certificate_id)} (${text(details.certification)})`;
  const certificate = details.external_certificate_id ? removed : text(details.certificate);
  const gtin = text(details.gtin);
  const member = people.get(Number(details.member_id));
  const candidates = [
    { kind: 'import', id: details.import_id, now: entry.file_name, before: text(details.file_name) },
    {
      kind: 'variant',
      id: details.variant_id,
      now: entry.variant_name && `${entry.variant_name} (${gtin})`,
      before: gtin,
    },
    { kind: 'certificate', id: details.certificate_id, now: entry.certificate, before: certificate },
    {
      kind: 'member',
      id: details.member_id,
      now: member?.is_member ? member.email : null,
      before: member ? (isDeletedAccount(member) ? nameOf(member, language) : member.email) : text(details.email),
    },
  ] as const;
  const changed = Number(details.changed ?? details.restored ?? 1);
  const subjects = candidates.flatMap(({ kind, id, now, before }): HistorySubject[] => {
    const known = toId(id);
    const name = now ?? before;
    // Of many certificates, the entry names the first.
    const label = kind === 'certificate' && name !== '' ? nameSome([name], changed, language) : name;
    return known === undefined || label === '' ? [] : [{ kind, id: known, label, exists: now !== null }];
  });
  const deletionId = toId(details.deletion_id);
  const names = Array.isArray(details.names) ? details.names.map(text) : [];
  const label = nameSome(names, changed, language);
  if (deletionId !== undefined && label) subjects.push({ kind: 'deletion', id: deletionId, label, exists: false });
  return subjects;
}

function toId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

const PURGE_BATCH = 5_000;
const DAY_MS = 86_400_000;
/** Entries without a brand are kept as long as a brand's history. */
const NO_BRAND = 0;

/**
 * Deletes entries older than `days`, brand by brand in small transactions, so that other writers do not wait long. Each brand is checked
 * once a day; a deleted brand until its history is empty. Returns how many entries.
 */
export async function purgeHistory(db: Db, days: number, options: BrandByBrand = {}): Promise<number> {
  let entries = 0;
  for (let batch = PURGE_BATCH; batch === PURGE_BATCH && !options.stopping?.aborted; entries += batch) {
    batch = await inTransaction(db, (db) => deleteOldEntries(db, NO_BRAND, days, PURGE_BATCH));
  }
  const isMore = (deleted: number) => deleted === PURGE_BATCH;
  const purge = (brandId: number) => purgeBatch(db, brandId, days);
  return entries + (await workBrandByBrand(db, 'purge_history', purge, { ...options, isMore }));
}

function purgeBatch(db: Db, brandId: number, days: number): Promise<number> {
  return inTransaction(db, async (db) => {
    if (!(await takeDueWork(db, brandId, 'purge_history'))) return 0;
    const deleted = await deleteOldEntries(db, brandId, days, PURGE_BATCH);
    if (deleted < PURGE_BATCH) {
      const isLeft = await hasHistory(db, brandId);
      await setDueWork(db, brandId, 'purge_history', isLeft ? new Date(Date.now() + DAY_MS) : undefined);
    }
    return deleted;
  });
}
