import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import type { HistoryFilters, HistoryPage } from '@brand-portal/contract/history';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { addCertificate, addVariants } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser, type TestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { audit } from '../../audit/audit.ts';
import { loadTestRegistry } from '../../catalog/certificates/test-support/certificates.ts';
import { validateCertificates } from '../../catalog/certificates/validation.ts';
import { createTasks } from '../../entry/tasks.ts';
import { deleteBrand } from '../../people/brands/brands.ts';
import { purgeHistory } from './history.ts';
import { describeAction, isKnownAction, labelOf, nameSome } from './history-texts.ts';

async function useHistory() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lindqvist');
  const url = `/api/v1/brands/${brandId}/history/`;
  const ask = async (query = '', who: TestUser = owner, language = 'en') => {
    const headers = { ...who.headers, 'accept-language': language };
    const answer = await app.inject({ url: url + query, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer;
  };
  const list = async (query?: string, who?: TestUser, language?: string): Promise<HistoryPage> => (await ask(query, who, language)).json();
  return { app, db, pool, brandId, owner, url, ask, list };
}

/** `count` entries of one action, a minute apart, the newest now. */
const INSERT = `insert into audit_log (brand_id, user_id, action, details, created_at)
  select $1, $2, $3, '{}', now() - n * interval '1 minute' from generate_series(0, $4 - 1) n`;

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Rows that every node of a plan read, including those a filter removed. */
function rowsRead(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return own + (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
}

test('every action in the code has a text in both languages, and unknown actions have a readable fallback', () => {
  const folder = join(import.meta.dirname, '../..');
  const areas = 'brand|variants?|certificates?|channel|delivery|member|invitation|api_key';
  const found = new Set<string>();
  for (const file of globSync('**/*.ts', { cwd: folder, exclude: (name) => name.endsWith('.test.ts') })) {
    if (file.includes('history-texts')) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const [, action = ''] of source.matchAll(new RegExp(`action\\b[^\\n]{0,60}'((?:${areas})\\.[a-z_]+)'`, 'g'))) found.add(action);
    for (const [, action = ''] of source.matchAll(new RegExp(`: '((?:${areas})\\.[a-z_]+)',`, 'g'))) found.add(action);
  }
  for (const verdict of ['approved', 'rejected', 'review_withdrawn']) found.add(`certificate.${verdict}`);
  expect(found.size).toBeGreaterThan(35);
  expect([...found].filter((action) => !isKnownAction(action))).toEqual([]);
  for (const action of found) {
    for (const language of LANGUAGES) expect(describeAction(action, {}, language)).toBe(labelOf(action, language));
    expect(labelOf(action, 'es')).not.toBe(labelOf(action, 'en'));
  }
  expect(describeAction('api_thing.was_made', { secret: 'x' }, 'es')).toBe('Api thing: was made');
});

test('a deletion and its restoration name the variants, also afterwards', async () => {
  const { app, db, brandId, owner, list } = await useHistory();
  const given = ['Oil', 'Salt', 'Tea', 'Rice'].map((name, place) => ({ gtin: `6141410${place}`, name }));
  const ids = await addVariants(db, brandId, given);
  const post = { method: 'POST', headers: owner.headers } as const;
  const url = `/api/v1/brands/${brandId}/`;
  const deletion = await app.inject({ ...post, url: `${url}variants/actions/`, body: { action: 'delete', ids } });
  await app.inject({ ...post, url: `${url}deletions/${deletion.json().deletion_id}/restore/` });
  const { results } = await list();
  expect(results.slice(0, 2).map(({ text, subjects }) => [text, subjects[0]?.label])).toEqual([
    ['Variants restored: 4', 'Oil, Salt, Tea and 1 more'],
    ['Variants deleted: 4', 'Oil, Salt, Tea and 1 more'],
  ]);
});

test('variants that are published together are named', () => {
  const details = { changed: 5, names: ['Oil', 'Salt', 'Tea'] };
  expect(describeAction('variants.published', details, 'en')).toBe('Variants published: 5 (Oil, Salt, Tea and 2 more)');
  expect(describeAction('variants.unpublished', { changed: 1, names: ['Oil'] }, 'es')).toBe('Publicación de variantes retirada: 1 (Oil)');
});

test.each([
  [1, 1, 'File imported: 1 of 1 row', 'Archivo importado: 1 de 1 fila'],
  [1, 2, 'File imported: 1 of 2 rows', 'Archivo importado: 1 de 2 filas'],
])('the import of %i of %i rows counts them in the singular or plural', (imported, total_rows, english, spanish) => {
  expect(describeAction('variants.imported', { imported, total_rows }, 'en')).toBe(english);
  expect(describeAction('variants.imported', { imported, total_rows }, 'es')).toBe(spanish);
});

test('rows that were corrected are no second upload of their file', () => {
  const details = { import_id: 8, corrects: 7, file_name: 'spring.csv', imported: 3, total_rows: 3 };
  expect(describeAction('variants.imported', details, 'en')).toBe('Corrected rows imported: 3 of 3 rows');
  expect(describeAction('variants.imported', details, 'es')).toBe('Filas corregidas importadas: 3 de 3 filas');
});

test('names that contain commas are separated by semicolons', () => {
  expect(nameSome(['Shirt, red', 'Socks'], 5, 'en')).toBe('Shirt, red; Socks and 3 more');
  expect(nameSome(['Shirt', 'Socks'], 2, 'es')).toBe('Shirt, Socks');
});

test('a deletion that is restored in part says how many came back, and why the others did not', async () => {
  const { app, db, brandId, owner, list } = await useHistory();
  const oil = { gtin: '61414100', name: 'Oil' };
  const ids = await addVariants(db, brandId, [oil, { gtin: '61414101', name: 'Salt' }]);
  const post = { method: 'POST', headers: owner.headers } as const;
  const url = `/api/v1/brands/${brandId}/`;
  const deletion = await app.inject({ ...post, url: `${url}variants/actions/`, body: { action: 'delete', ids } });
  await addVariants(db, brandId, [oil]);
  await app.inject({ ...post, url: `${url}deletions/${deletion.json().deletion_id}/restore/` });
  const [restored, deleted] = (await list()).results;
  expect(restored?.text).toBe('Variants restored: 1 of 2; the rest was created again, or its import was undone');
  expect(deleted?.deletion).toMatchObject({ restorable: false, variants: 2, restored: 1 });
  expect((await list('', owner, 'es')).results[0]?.text).toBe(
    'Variantes restauradas: 1 de 2; el resto se ha vuelto a crear o su importación se ha deshecho',
  );
});

test('a withdrawn invitation is told apart from a removed member', () => {
  const describe = (status: string) => describeAction('member.removed', { status, role: 'editor' }, 'en');
  expect(describe('active')).toBe('Member removed');
  expect(describe('invited')).toBe('Member removed: had only been invited');
});

test('the history shows who did what to which subject, newest first, in the language of the reader', async () => {
  const { app, db, brandId, owner, list } = await useHistory();
  const editor = await createTestMember(db, brandId, 'editor', 'Eduardo Marín');
  const staff = await createTestUser(db, 'Stella Staff');
  await db.updateTable('users').set({ is_staff: true }).where('id', '=', staff.id).execute();
  const [variantId = 0] = await addVariants(db, brandId, [{ gtin: '61414100', name: 'Oil' }]);
  const variants = `/api/v1/brands/${brandId}/variants/`;
  const edit = { method: 'PATCH', url: `${variants}${variantId}/`, headers: editor.headers } as const;
  await app.inject({ ...edit, body: { version: 1, name: 'Olive oil', category: 'Food' } });
  const remove = { method: 'POST', url: `${variants}actions/`, headers: editor.headers } as const;
  await app.inject({ ...remove, body: { action: 'delete', ids: [variantId] } });
  const members = `/api/v1/brands/${brandId}/members/`;
  const role = { method: 'PATCH', url: `${members}${editor.id}/`, headers: owner.headers } as const;
  await app.inject({ ...role, body: { role: 'admin' } });
  const review = { certificate_id: 7, certification: 'FSC', external_certificate_id: 'FSC-C1', note: 'Seen' };
  await audit(db, { brandId, userId: staff.id, action: 'certificate.approved', details: review });
  await audit(db, { brandId, userId: null, action: 'certificates.mailed', details: { certificates: 2 } });
  const key = await createTestUser(db, 'Nightly upload');
  await db.updateTable('users').set({ email: 'bp_1a2b3c4d' }).where('id', '=', key.id).execute();
  await audit(db, { brandId, userId: key.id, action: 'variant.all_published', details: {} });

  const { results, older, newer } = await list();
  expect({ older, newer }).toEqual({ older: null, newer: null });
  expect(results.map(({ by, text }) => [by.kind, by.name, text])).toEqual([
    ['api_key', 'API key Nightly upload', 'All variants published'],
    ['system', 'Brand Portal', 'Mail about certificates sent: 2'],
    ['staff', 'Platform staff', 'Certificate approved: Seen'],
    ['person', 'Olivia Lindqvist', 'Role changed: editor → admin'],
    ['person', 'Eduardo Marín', 'Variants deleted: 1'],
    ['person', 'Eduardo Marín', 'Variant edited: name, category'],
    ['operator', 'Operator', 'Brand created'],
  ]);
  const subjectsOf = (place: number) => results[place]?.subjects;
  expect(subjectsOf(2)).toEqual([{ kind: 'certificate', id: 7, label: 'FSC-C1 (FSC)', exists: false }]);
  expect(subjectsOf(3)).toEqual([{ kind: 'member', id: editor.id, label: editor.email, exists: true }]);
  expect(subjectsOf(4)).toEqual([{ kind: 'deletion', id: expect.any(Number), label: 'Olive oil', exists: false }]);
  expect(subjectsOf(5)).toEqual([{ kind: 'variant', id: variantId, label: '61414100', exists: false }]);
  const deletion = results[4]?.deletion;
  expect(deletion).toEqual({ id: expect.any(Number), restorable: true, variants: 1, restored: 0 });

  const restore = `/api/v1/brands/${brandId}/deletions/${deletion?.id}/restore/`;
  await app.inject({ method: 'POST', url: restore, headers: editor.headers });
  const after = (await list('', owner, 'es')).results;
  expect(after[0]?.text).toBe('Variantes restauradas: 1');
  expect(after[5]).toMatchObject({ text: 'Variantes eliminadas: 1', deletion: { restorable: false } });
  expect(after[6]?.subjects).toEqual([{ kind: 'variant', id: variantId, label: 'Olive oil (61414100)', exists: true }]);
});

test('certificates whose status changed together are one entry', async () => {
  const { db, brandId, list, owner } = await useHistory();
  for (const code of ['FSC-C000001', 'FSC-C000002', 'FSC-C000003']) await addCertificate(db, brandId, { code });
  await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000001' }, { externalId: 'FSC-C000002' }]);
  await validateCertificates(db, brandId);
  const entries = async (language: Language) =>
    (await list('?action=certificate.status_changed', owner, language)).results
      .map(({ by, text, subjects }) => [by.kind, text, subjects.map(({ label }) => label)])
      .sort();
  expect(await entries('en')).toEqual([
    ['system', 'Certificate status changed: Pending Review → Invalid', ['FSC-C000003 (FSC)']],
    ['system', 'Certificate status changed: Pending Review → Validated', ['FSC-C000001 (FSC) and 1 more']],
  ]);
  expect(await entries('es')).toContainEqual([
    ...['system', 'Estado de certificados cambiado: En revisión → Validado', ['FSC-C000001 (FSC) y 1 más']],
  ]);
});

test('viewers see no entries about members, nor entries of unknown actions', async () => {
  const { db, brandId, owner, list, ask } = await useHistory();
  const viewer = await createTestMember(db, brandId, 'viewer');
  const invited = { member_id: viewer.id, email: viewer.email, role: 'viewer' };
  await audit(db, { brandId, userId: owner.id, action: 'member.invited', details: invited });
  await audit(db, { brandId, userId: owner.id, action: 'secret_thing.made', details: {} });
  const actions = async (who: TestUser, query = '') => (await list(query, who)).results.map(({ action }) => action);
  expect(await actions(owner)).toEqual(['secret_thing.made', 'member.invited', 'brand.created']);
  expect(await actions(viewer)).toEqual(['brand.created']);
  expect(await actions(viewer, '?action=member.invited')).toEqual([]);
  const filters: HistoryFilters = (await ask('filters/', viewer)).json();
  expect(filters.actions).toEqual([{ action: 'brand.created', label: 'Brand created' }]);
  expect((await ask('export/?format=csv', viewer)).body).not.toContain('invited');
});

test('pages lead to older and back to newer entries, also among entries with the same time', async () => {
  const { db, pool, brandId, owner, list } = await useHistory();
  // Five entries of one transaction, so with the same time.
  await pool.query(`insert into audit_log (brand_id, user_id, action) select $1, $2, 'variant.edited' from generate_series(1, 5)`, [
    ...[brandId, owner.id],
  ]);
  const ids = ({ results }: HistoryPage) => results.map(({ id }) => id);
  const all = ids(await list());
  expect(all).toHaveLength(6);
  expect(all).toEqual(all.toSorted((a, b) => b - a));
  const first = await list('?page_size=2');
  const second = await list(`?page_size=2&before=${first.older}`);
  const third = await list(`?page_size=2&before=${second.older}`);
  expect([first, second, third].flatMap(ids)).toEqual(all);
  expect([first.newer, third.older]).toEqual([null, null]);
  expect(await list(`?page_size=2&after=${third.newer}`)).toEqual(second);
  const back = await list(`?page_size=2&after=${second.newer}`);
  expect(ids(back)).toEqual(ids(first));
  expect(back.newer).toBeNull();
  // An entry of another brand is not a valid cursor.
  const otherId = await createTestBrand(db, 'Other');
  const { rows } = await pool.query('select id from audit_log where brand_id = $1', [otherId]);
  expect(await list(`?before=${rows[0].id}`)).toEqual({ results: [], older: null, newer: null });
});

test('a deleted account is shown as a former member, and stays in the filter by person', async () => {
  const { app, db, brandId, owner, list, ask } = await useHistory();
  const gone = await createTestMember(db, brandId, 'admin', 'Ada Byron');
  const details = { member_id: gone.id, email: gone.email, role: 'admin' };
  await audit(db, { brandId, userId: owner.id, action: 'member.invited', details });
  await audit(db, { brandId, userId: gone.id, action: 'variant.all_published' });
  const deletion = { method: 'POST' as const, url: '/api/v1/users/me/delete/', payload: { email: gone.email } };
  expect((await app.inject({ ...deletion, headers: gone.headers })).statusCode).toBe(204);
  const [, published, invited] = (await list()).results;
  expect(published?.by).toEqual({ kind: 'person', id: gone.id, name: `Former member ${gone.id}` });
  expect(invited?.subjects).toEqual([{ kind: 'member', id: gone.id, label: `Former member ${gone.id}`, exists: false }]);
  const filters: HistoryFilters = (await ask('filters/', owner, 'es')).json();
  expect(filters.people).toContainEqual({ id: gone.id, name: `Antiguo miembro ${gone.id}` });
});

test('a removed member is marked as no longer existing', async () => {
  const { app, db, brandId, owner, list } = await useHistory();
  const removed = await createTestMember(db, brandId, 'viewer');
  const url = `/api/v1/brands/${brandId}/members/${removed.id}/`;
  await app.inject({ method: 'PATCH', url, headers: owner.headers, payload: { role: 'editor' } });
  const subjects = async () => (await list()).results.at(-2)?.subjects;
  expect(await subjects()).toMatchObject([{ label: removed.email, exists: true }]);
  await app.inject({ method: 'DELETE', url, headers: owner.headers });
  expect(await subjects()).toMatchObject([{ label: removed.email, exists: false }]);
});

test('the filter by person offers viewers only the people of entries that they may read', async () => {
  const { db, brandId, owner, ask } = await useHistory();
  const viewer = await createTestMember(db, brandId, 'viewer');
  const admin = await createTestMember(db, brandId, 'admin');
  await audit(db, { brandId, userId: admin.id, action: 'member.invited' });
  await audit(db, { brandId, userId: owner.id, action: 'member.invited' });
  await audit(db, { brandId, userId: owner.id, action: 'variant.edited' });
  const people = async (who: TestUser) => ((await ask('filters/', who)).json() as HistoryFilters).people.map(({ id }) => id).toSorted();
  expect(await people(viewer)).toEqual([owner.id]);
  expect(await people(owner)).toEqual([owner.id, admin.id].toSorted());
});

test('times that PostgreSQL cannot parse are converted or refused with a 400', async () => {
  const { app, owner, url, list } = await useHistory();
  for (const time of ['0000-01-01T00:00:00Z', '2000-01-01T00:00:00+23:59']) {
    expect((await list(`?from=${encodeURIComponent(time)}`)).results).toHaveLength(1);
  }
  for (const time of ['2026-02-30T00:00:00Z', '2026-01-05T23:59:60Z']) {
    expect((await app.inject({ url: `${url}?from=${time}`, headers: owner.headers })).statusCode).toBe(400);
  }
});

test('the history is filtered by person, action and day, and the export is filtered too and escapes formulas', async () => {
  const { db, pool, brandId, owner, list, ask } = await useHistory();
  const editor = await createTestMember(db, brandId, 'editor', '=cmd() Evil');
  await pool.query(INSERT, [brandId, editor.id, 'variant.edited', 3]);
  await pool.query(INSERT, [brandId, owner.id, 'variant.edited', 1]);
  const old = { variant_id: 9, gtin: '61414100' };
  await audit(db, { brandId, userId: editor.id, action: 'variant.published', details: old });
  await pool.query(`update audit_log set created_at = '2026-01-05T12:00:00Z' where action = 'variant.published'`);
  const count = async (query: string) => (await list(query)).results.length;
  expect(await count(`?person=${editor.id}`)).toBe(4);
  expect(await count('?person=0')).toBe(1);
  expect(await count('?action=variant.edited')).toBe(4);
  expect(await count(`?person=${editor.id}&action=variant.edited`)).toBe(3);
  expect(await count('?from=2026-01-05T00:00:00Z&to=2026-01-06T00:00:00Z')).toBe(1);
  expect(await count('?to=2026-01-05T12:00:00Z')).toBe(0);
  const filters: HistoryFilters = (await ask('filters/')).json();
  expect(filters.people.map(({ id }) => id)).toEqual([editor.id, owner.id]);
  expect(filters.actions.map(({ label }) => label)).toEqual(['Brand created', 'Variant edited', 'Variant published']);

  const file = await ask(`export/?format=csv&person=${editor.id}&action=variant.published`, owner, 'es');
  expect(file.headers['content-disposition']).toBe('attachment; filename="history.csv"');
  expect(file.body).toBe(
    "\uFEFFtime;person;action;description;about\r\n2026-01-05T12:00:00.000Z;'=cmd() Evil;variant.published;Variante publicada;61414100\r\n",
  );
});

test('a page of 30,000 entries reads few rows with every filter, and the export has all entries', {
  tags: 'empty-installation',
}, async () => {
  const { pool, brandId, owner, list, ask } = await useHistory();
  await pool.query(INSERT, [brandId, owner.id, 'variant.edited', 30_000]);
  await pool.query(INSERT, [brandId, null, 'certificate.status_changed', 30]);
  await pool.query('vacuum analyze audit_log');
  const { rows: deep } = await pool.query('select id from audit_log where brand_id = $1 order by id offset 15000 limit 1', [brandId]);
  const day = new Date(Date.now() - 10 * 86_400_000).toISOString();
  const rowsReadFor = async (query: string) => {
    const queries = vi.spyOn(pg.Client.prototype, 'query');
    expect((await list(query)).results.length).toBeGreaterThan(0);
    const calls = queries.mock.calls as unknown as [{ text?: string } | string, unknown[]][];
    const texts = calls.map(([statement, values]) => [typeof statement === 'string' ? statement : statement.text, values] as const);
    queries.mockRestore();
    const [text, values] = texts.find(([text]) => text?.includes('with page as')) ?? [];
    const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
    return rowsRead(rows[0]['QUERY PLAN'][0].Plan);
  };
  for (const query of [
    ...['', `?before=${deep[0].id}`, `?after=${deep[0].id}`, `?person=${owner.id}`, '?person=0', '?action=variant.edited'],
    '?action=certificate.status_changed',
    `?to=${day}`,
    `?person=${owner.id}&action=variant.edited&to=${day}`,
  ])
    expect(await rowsReadFor(query), query).toBeLessThan(300);
  const lines = (await ask('export/?format=csv&action=variant.edited')).body.split('\r\n');
  expect(lines).toHaveLength(30_002);
});

test('entries older than the retention are deleted in batches, with their variants and certificates; also those of a deleted brand', {
  tags: 'empty-installation',
}, async () => {
  const { db, pool, brandId, owner } = await useHistory();
  await pool.query(INSERT, [brandId, owner.id, 'variant.edited', 12_000]);
  await pool.query(`update audit_log set created_at = '2020-01-01' where action = 'variant.edited'`);
  await audit(db, { brandId, userId: owner.id, action: 'variants.published', details: {}, variantIds: [1, 2] });
  await pool.query(`insert into audit_variants select brand_id, 3, min(id) from audit_log where action = 'variant.edited' group by 1`);
  await pool.query(
    `insert into audit_certificates select brand_id, id, 4, 4, 'listed', '{4}' from audit_log
     where action = 'variants.published' or id = (select min(id) from audit_log where action = 'variant.edited')`,
  );
  const otherId = await createTestBrand(db, 'Other');
  await pool.query(INSERT, [0, null, 'keys.rotated', 1]);
  await pool.query(`update audit_log set created_at = now() - interval '100 days' where action = 'keys.rotated'`);
  const count = async () => Number((await pool.query('select count(*) as n from audit_log')).rows[0].n);
  const before = await count();

  const tasks = createTasks({ db, publicUrl: '', logger: pino({ level: 'silent' }), historyDays: 90 });
  await tasks.purge?.({}, {} as never);
  expect(await count()).toBe(before - 12_001);
  expect((await pool.query('select variant_id::int from audit_variants order by 1')).rows).toEqual([{ variant_id: 1 }, { variant_id: 2 }]);
  expect((await pool.query('select from audit_certificates')).rows).toHaveLength(1);
  // The next check is tomorrow.
  expect(await purgeHistory(db, 1)).toBe(0);
  const { rows } = await pool.query(
    `select brand_id::int, due_at > now() + interval '23 hours' as tomorrow from due_work where kind = 'purge_history' order by 1`,
  );
  expect(rows).toEqual([brandId, otherId].map((id) => ({ brand_id: id, tomorrow: true })));

  await deleteBrand(db, null, otherId);
  const ofOther = `from audit_log where brand_id = ${otherId}`;
  await pool.query(`update audit_log set created_at = now() - interval '100 days' where brand_id = ${otherId}`);
  await pool.query(`update due_work set due_at = now() where kind = 'purge_history'`);
  await purgeHistory(db, 90);
  expect((await pool.query(`select 1 ${ofOther}`)).rows).toEqual([]);
  expect((await pool.query(`select 1 from due_work where kind = 'purge_history' and brand_id = ${otherId}`)).rows).toEqual([]);
});
