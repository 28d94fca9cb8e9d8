import { KEY_ROLES } from '@brand-portal/contract/api-keys';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import { allowsKeys, type Endpoint } from '@brand-portal/contract/endpoint';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { ROLES, type Role } from '@brand-portal/contract/roles';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { addVariants } from '../../test/catalogue.ts';
import { onceAFile } from '../../test/once-a-file.ts';
import { createTestBrand, createTestKey, createTestMember, createTestUser, type TestUser } from '../../test/people.ts';
import { useOwnApp, useTestApp } from '../../test/test-app.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import type { Db } from '../db/database.ts';

/**
 * The expected status per kind of caller: members of the path's brand by role; `foreign`: the owner of another brand; `stranger`: a user
 * without brands; `nobody`: signed out; API keys of the brand by role, and a key of another brand.
 */
interface Expected {
  readonly viewer: number;
  readonly editor: number;
  readonly admin: number;
  readonly owner: number;
  readonly foreign: number;
  readonly stranger: number;
  readonly nobody: number;
  /** Whether API keys get the same as members of their role. Otherwise they are refused. */
  readonly keys: boolean;
  readonly body?: object;
  readonly query?: string;
}

const everyone = (status: number) => ({
  viewer: status,
  editor: status,
  admin: status,
  owner: status,
  foreign: status,
  stranger: status,
});
const signedIn = (status: number) => ({ ...everyone(status), nobody: 401, keys: false });
const publicly = (status: number) => ({ ...everyone(status), nobody: status, keys: true });
const outsiders = { foreign: 404, stranger: 404, nobody: 401 };
const fromViewer = (status: number) => ({ ...everyone(status), ...outsiders, keys: true });
const fromEditor = (status: number) => ({ ...everyone(status), viewer: 403, ...outsiders, keys: true });
const fromAdmin = (status: number) => ({ ...fromEditor(status), editor: 403, keys: false });
/** By default only people may call an endpoint. */
const withKeys = { keys: true };
const withoutKeys = { keys: false };
const onlyOwner = (status: number) => ({ ...fromAdmin(status), admin: 403 });

const token = 'x'.repeat(43);

const TABLE: Readonly<Record<string, Expected>> = {
  // The test's provider is unreachable, so callers who pass the permission check get a 503.
  'POST /api/v1/auth0/login/': { ...publicly(503), body: { token } },
  'POST /api/v1/auth0/sync/': { ...signedIn(503), body: { token } },
  'POST /api/v1/auth/token/refresh/': { ...publicly(401), body: { refresh: token } },
  'POST /api/v1/auth/logout/': { ...publicly(204), body: { refresh: token } },
  'POST /api/v1/auth/logout-everywhere/': signedIn(204),
  'GET /api/v1/users/me/': signedIn(200),
  'GET /api/v1/auth0/user/': signedIn(200),
  'GET /api/v1/auth0/config/': publicly(200),
  'GET /api/v1/verification-status/': { ...publicly(404), query: `?token=${token}` },
  'POST /api/v1/verify-email/': { ...publicly(404), body: { token } },
  'POST /api/v1/setup-password/': { ...publicly(404), body: { token, password: 'Abcdefg1!' } },
  'GET /api/v1/brands/:brandId/members/': fromAdmin(200),
  'POST /api/v1/brands/:brandId/members/': { ...fromAdmin(201), body: { email: 'new@example.com', role: 'viewer' } },
  'PATCH /api/v1/brands/:brandId/members/:memberId/': { ...fromAdmin(200), body: { role: 'editor' } },
  'DELETE /api/v1/brands/:brandId/members/:memberId/': fromAdmin(204),
  // The member in the path is already active.
  'POST /api/v1/brands/:brandId/members/:memberId/resend/': fromAdmin(409),
  'GET /api/v1/brands/:brandId/team/': fromAdmin(200),
  'POST /api/v1/brands/:brandId/team/invitations/': {
    ...fromAdmin(200),
    body: { emails: ['new@example.com'], role: 'viewer' },
  },
  'POST /api/v1/brands/:brandId/team/:memberId/link/': fromAdmin(409),
  // One owner must remain, and the test's other members are viewers.
  'POST /api/v1/brands/:brandId/leave/': { ...fromViewer(204), owner: 409, ...withoutKeys },
  'GET /api/v1/brands/:brandId/notifications/': fromAdmin(200),
  'PATCH /api/v1/brands/:brandId/notifications/': { ...fromAdmin(200), body: { certificate_mails: false } },
  'GET /api/v1/users/me/invitations/': signedIn(200),
  // None of the callers is invited.
  'POST /api/v1/users/me/invitations/:brandId/accept/': signedIn(404),
  'POST /api/v1/users/me/invitations/:brandId/decline/': signedIn(404),
  'GET /api/v1/brands/': signedIn(200),
  'GET /api/v1/brands/:brandId/': fromViewer(200),
  'POST /api/v1/brands/': { ...signedIn(403), body: { name: 'New', owner_email: 'owner@example.com' } },
  'PATCH /api/v1/brands/:brandId/': { ...fromAdmin(200), ...withKeys, body: { description: 'changed' } },
  'DELETE /api/v1/brands/:brandId/': onlyOwner(204),
  'GET /api/v1/brands/:brandId/quotas/': fromViewer(200),
  'GET /api/v1/brands/:brandId/contents/': onlyOwner(200),
  'GET /api/v1/users/me/deleted-brands/': signedIn(200),
  // The brand is not deleted.
  'POST /api/v1/users/me/deleted-brands/:brandId/restore/': signedIn(404),
  'POST /api/v1/brands/:brandId/opt-in-trial/': fromEditor(200),
  'GET /api/v1/brands/:brandId/variants/': fromViewer(200),
  'GET /api/v1/brands/:brandId/variants/:variantId/': fromViewer(200),
  // The same name as before: nothing changes, so the version stays.
  'PATCH /api/v1/brands/:brandId/variants/:variantId/': { ...fromEditor(200), body: { version: 1, name: 'Oil' } },
  // Callers with permission get a validation error.
  'POST /api/v1/brands/:brandId/variants/': { ...fromEditor(400), body: { gtin: '1', name: 'Oil' } },
  'POST /api/v1/brands/:brandId/variants/:variantId/certificates/': {
    ...fromEditor(201),
    body: { certification_name: 'FSC', certificate_id: 'FSC-C000001' },
  },
  'DELETE /api/v1/brands/:brandId/variants/:variantId/certificates/:certificateId/': fromEditor(404),
  'GET /api/v1/brands/:brandId/variants/states/': fromViewer(200),
  'GET /api/v1/brands/:brandId/readiness/': fromViewer(200),
  'GET /api/v1/brands/:brandId/attention/': fromViewer(200),
  'GET /api/v1/users/me/attention/': signedIn(200),
  'GET /api/v1/brands/:brandId/variants/export/': { ...fromViewer(200), query: '?format=csv' },
  'POST /api/v1/brands/:brandId/variants/export/': { ...fromViewer(200), body: { format: 'csv', ids: [1] } },
  'GET /api/v1/brands/:brandId/certificates/export/': { ...fromViewer(200), query: '?format=csv' },
  'GET /api/v1/brands/:brandId/certificates/coverage/': fromViewer(200),
  'GET /api/v1/brands/:brandId/certificates/coverage/export/': { ...fromViewer(200), query: '?format=csv' },
  'GET /api/v1/variant-certifications/csv-headers/': { ...signedIn(200), ...withKeys },
  'GET /api/v1/variant-certifications/template/': { ...signedIn(200), ...withKeys },
  // Callers with permission get an error, because the request has no form.
  'POST /api/v1/brands/:brandId/variant-certifications/upload/': fromEditor(415),
  'GET /api/v1/brands/:brandId/imports/': fromViewer(200),
  'POST /api/v1/brands/:brandId/imports/dismiss/': { ...fromEditor(200), body: { notice: 'failed', ids: [1] } },
  // The brand has no import yet.
  'GET /api/v1/brands/:brandId/imports/:importId/': fromViewer(404),
  'POST /api/v1/brands/:brandId/imports/:importId/cancel/': fromEditor(404),
  'GET /api/v1/brands/:brandId/imports/:importId/undo/': fromEditor(404),
  'POST /api/v1/brands/:brandId/imports/:importId/undo/': fromEditor(404),
  'GET /api/v1/brands/:brandId/imports/:importId/changes/': { ...fromViewer(404), query: '?kind=created' },
  'GET /api/v1/brands/:brandId/imports/:importId/error-groups/': fromViewer(404),
  'GET /api/v1/brands/:brandId/imports/:importId/rejected-rows/': fromViewer(404),
  'GET /api/v1/brands/:brandId/imports/:importId/corrections/': fromViewer(404),
  'PATCH /api/v1/brands/:brandId/imports/:importId/corrections/:row/': {
    ...fromEditor(404),
    body: { place: 0, to: 'x' },
  },
  'POST /api/v1/brands/:brandId/imports/:importId/corrections/replace/': {
    ...fromEditor(404),
    body: { place: 0, from: 'x', to: 'y' },
  },
  'POST /api/v1/brands/:brandId/imports/:importId/corrections/import/': fromEditor(404),
  'POST /api/v1/brands/:brandId/imports/check/': fromEditor(415),
  'GET /api/v1/brands/:brandId/imports/:importId/preview/': fromEditor(404),
  'POST /api/v1/brands/:brandId/imports/:importId/certificate-ids/': {
    ...fromEditor(404),
    body: { certification_id: 1, certificate_id: 'x', likely_id: 'y' },
  },
  'POST /api/v1/brands/:brandId/imports/:importId/confirm/': {
    ...fromEditor(404),
    body: { variants_created: 0, variants_updated: 0, variants_unchanged: 0, rejected: 0, published: 0, sent_again: 0 },
  },
  'GET /api/v1/certifications/': { ...signedIn(200), ...withKeys },
  'GET /api/v1/brands/:brandId/certifications/': fromViewer(200),
  'GET /api/v1/brands/:brandId/certifications/:certificateId/variants/': fromViewer(200),
  // There is no such certificate.
  'GET /api/v1/brands/:brandId/certifications/:certificateId/': fromViewer(404),
  'PATCH /api/v1/brands/:brandId/certifications/:certificateId/': { ...fromEditor(404), body: { link: '' } },
  'POST /api/v1/brands/:brandId/certifications/:certificateId/replace/': {
    ...fromEditor(404),
    body: { certificate_id: 'X' },
  },
  'DELETE /api/v1/brands/:brandId/certifications/:certificateId/': fromEditor(404),
  'GET /api/v1/platform/reviews/': signedIn(403),
  'POST /api/v1/platform/reviews/': {
    ...signedIn(403),
    body: { verdict: 'approved', note: 'Seen', certificates: [{ brand_id: 1, id: 1 }] },
  },
  'GET /api/v1/platform/brands/': signedIn(403),
  'PATCH /api/v1/platform/brands/:brandId/': { ...signedIn(403), body: { status: 'inactive' } },
  'POST /api/v1/platform/brands/:brandId/owners/': { ...signedIn(403), body: { email: 'x@example.com' } },
  'GET /api/v1/platform/deliveries/': signedIn(403),
  'POST /api/v1/platform/deliveries/retry/': { ...signedIn(403), body: { brand_id: 1, variant_id: 1 } },
  'GET /api/v1/platform/imports/': signedIn(403),
  'GET /api/v1/platform/registries/': signedIn(403),
  'POST /api/v1/platform/registries/rollback/': { ...signedIn(403), body: { certification: 'FSC', preview: false } },
  'GET /api/v1/platform/jobs/': signedIn(403),
  'POST /api/v1/platform/jobs/:jobId/retry/': signedIn(403),
  'DELETE /api/v1/platform/jobs/:jobId/': signedIn(403),
  'PATCH /api/v1/variants/:variantId/publish/': { ...fromEditor(200), body: { published: false } },
  'GET /api/v1/brands/:brandId/channel/': fromViewer(200),
  'GET /api/v1/brands/:brandId/channel/feed/': fromViewer(200),
  'POST /api/v1/brands/:brandId/channel/feed/': { ...fromAdmin(201), ...withKeys },
  'DELETE /api/v1/brands/:brandId/channel/feed/': { ...fromAdmin(204), ...withKeys },
  'GET /api/v1/brands/:brandId/history/': fromViewer(200),
  'GET /api/v1/brands/:brandId/history/filters/': fromViewer(200),
  'GET /api/v1/brands/:brandId/history/export/': { ...fromViewer(200), query: '?format=csv' },
  'POST /api/v1/brands/:brandId/variants/actions/': { ...fromEditor(200), body: { action: 'unpublish', ids: [1] } },
  'GET /api/v1/brands/:brandId/deletions/': fromViewer(200),
  // Nothing was deleted.
  'POST /api/v1/brands/:brandId/deletions/:deletionId/restore/': fromEditor(404),
  'GET /api/v1/users/me/account/': signedIn(200),
  'PATCH /api/v1/users/me/account/': { ...signedIn(200), body: { first_name: 'Ada' } },
  'GET /api/v1/users/me/sessions/': signedIn(200),
  // The session of another user.
  'DELETE /api/v1/users/me/sessions/:sessionId/': signedIn(404),
  'POST /api/v1/users/me/sessions/end-others/': signedIn(204),
  'GET /api/v1/users/me/notifications/': signedIn(200),
  // The test's provider sends no mails.
  'POST /api/v1/users/me/password-mail/': signedIn(404),
  // The confirmation has another address, so no account is deleted.
  'POST /api/v1/users/me/delete/': { ...signedIn(400), body: { email: 'somebody.else@example.com' } },
  'GET /api/v1/brands/:brandId/api-keys/': { ...fromViewer(200), ...withoutKeys },
  'POST /api/v1/brands/:brandId/api-keys/': {
    ...fromAdmin(201),
    body: { name: 'Nightly upload', role: 'editor', expires_in_days: 90 },
  },
  // There is no such key.
  'DELETE /api/v1/brands/:brandId/api-keys/:keyId/': fromAdmin(404),
  // The brand of the path has not started its trial.
  'POST /api/v1/brands/:brandId/variants/publish-all/': fromEditor(409),
};

const OUTSIDERS = ['nobody', 'stranger', 'foreign'] as const;
const KEYS = ['viewer key', 'editor key', 'admin key', 'foreign key'] as const;

const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`;

// spec: §7 paths, §7 provider user
test('every endpoint of the contract has its row, and every row its endpoint', () => {
  expect(Object.keys(TABLE).sort()).toEqual(ENDPOINTS.map(keyOf).sort());
});

/** Somebody of each kind, with a brand that has a variant. */
async function createCallers(db: Db) {
  const brandId = await createTestBrand(db, 'Acme');
  const callers: Record<string, TestUser | undefined> = { nobody: undefined, stranger: await createTestUser(db) };
  const members = {} as Record<Role, TestUser>;
  for (const role of ROLES) members[role] = await createTestMember(db, brandId, role);
  Object.assign(callers, members);
  const [variantId] = await addVariants(db, brandId, [{ gtin: '61414100', name: 'Oil' }]);
  const elsewhere = await createTestBrand(db, 'Other');
  const foreign = await createTestMember(db, elsewhere, 'owner');
  callers.foreign = foreign;
  for (const role of KEY_ROLES) callers[`${role} key`] = await createTestKey(db, members.owner, brandId, role);
  callers['foreign key'] = await createTestKey(db, foreign, elsewhere, 'admin');
  return { brandId, callers, foreign, variantId };
}

// A read changes nothing of what the next one finds.
const readingCallers = onceAFile(async () => createCallers((await useTestDatabase()).db));

describe.each(ENDPOINTS)('$method $path', (endpoint) => {
  // spec: §1 own brands only, §3 roles, §7 provider config
  test('answers each kind of caller as the table says', async () => {
    const expected = TABLE[keyOf(endpoint)];
    if (!expected) throw new Error('no row');
    const { app, database } = await useTestApp();
    const { db } = database;
    const { brandId, callers, foreign, variantId } = endpoint.method === 'GET' ? await readingCallers() : await createCallers(db);

    const answers: Record<string, unknown> = {};
    // The owner comes last: actions such as deleting the brand would change the results of the others.
    for (const caller of [...OUTSIDERS, ...KEYS, ...ROLES]) {
      const memberId = endpoint.path.includes(':memberId') ? (await createTestMember(db, brandId, 'viewer')).id : 0;
      const url = endpoint.path
        .replace(':brandId', String(brandId))
        .replace(':memberId', String(memberId))
        .replace(':importId', '1')
        .replace(':deletionId', '1')
        .replace(':jobId', '1')
        .replace(':row', '2')
        .replace(':certificateId', '1')
        .replace(':sessionId', '999999')
        // Not the id of a key, because key ids are user ids.
        .replace(':keyId', String(foreign.id))
        .replace(':variantId', String(variantId));
      const request: InjectOptions = { method: endpoint.method, url: url + (expected.query ?? '') };
      const body = unique(expected.body, caller);
      const answer = await app.inject({
        ...request,
        headers: callers[caller]?.headers,
        ...(body && { payload: body }),
      });
      const isRefusedKey = answer.statusCode === 403 && answer.json().code === 'key_not_allowed';
      answers[caller] = isRefusedKey ? 'not for keys' : answer.statusCode;
    }
    const { body: _body, query: _query, keys, ...exact } = expected;
    const ofKey = (status: number) => (keys ? status : 'not for keys');
    expect(answers).toEqual({
      ...exact,
      'viewer key': ofKey(exact.viewer),
      'editor key': ofKey(exact.editor),
      'admin key': ofKey(exact.admin),
      'foreign key': ofKey(exact.foreign),
    });
  });
});

/** Calls that are neither reads nor change the brand's data: an export, stopping what runs, one's own mails, and what takes access away. */
const ALLOWED_WHILE_INACTIVE = [
  'POST /api/v1/brands/:brandId/variants/export/',
  'POST /api/v1/brands/:brandId/imports/:importId/cancel/',
  'PATCH /api/v1/brands/:brandId/notifications/',
  'POST /api/v1/brands/:brandId/leave/',
  'DELETE /api/v1/brands/:brandId/members/:memberId/',
  'DELETE /api/v1/brands/:brandId/api-keys/:keyId/',
  'DELETE /api/v1/brands/:brandId/channel/feed/',
];
const REFUSED_WHILE_PENDING = [
  'PATCH /api/v1/variants/:variantId/publish/',
  'POST /api/v1/brands/:brandId/variants/publish-all/',
  'POST /api/v1/brands/:brandId/variants/actions/',
];
const PUBLISHING_BODY: Readonly<Record<string, object>> = {
  'PATCH /api/v1/variants/:variantId/publish/': { published: true },
  'POST /api/v1/brands/:brandId/variants/actions/': { action: 'publish', ids: [1] },
};

/** Every endpoint in a brand of this status that owners and admin keys are refused because of it, and those that they are not. */
async function callAll(status: BrandStatus) {
  const refused: string[] = [];
  const others: string[] = [];
  const { app, database } = await useOwnApp({ config: { supportEmail: 'help@portal.example' } });
  const { db, pool } = database;
  for (const endpoint of ENDPOINTS.filter(({ access }) => ROLES.some((role) => role === access))) {
    const brandId = await createTestBrand(db, 'Acme');
    const owner = await createTestMember(db, brandId, 'owner');
    const key = await createTestKey(db, owner, brandId, 'admin');
    const other = await createTestMember(db, brandId, 'viewer');
    const [variantId] = await addVariants(db, brandId, [{ gtin: '61414100', name: 'Oil' }]);
    await pool.query('update brands set status = $2 where id = $1', [brandId, status]);
    const name = keyOf(endpoint);
    const url = endpoint.path
      .replace(':brandId', String(brandId))
      .replace(':memberId', String(other.id))
      .replace(':variantId', String(variantId))
      .replaceAll(/:\w+/g, '1');
    const payload = PUBLISHING_BODY[name] ?? unique(TABLE[name]?.body, 'somebody');
    const callers = allowsKeys(endpoint) ? [key, owner] : [owner];
    const codes = [];
    for (const { headers } of callers) {
      const request = { method: endpoint.method, url: url + (TABLE[name]?.query ?? ''), headers };
      const answer = await app.inject({ ...request, ...(payload && { payload }) });
      const { code, detail, context } = answer.statusCode === 403 ? answer.json() : {};
      codes.push(code);
      if (code !== undefined) expect({ detail, context }, name).toMatchObject(ASK);
    }
    expect(new Set(codes).size, name).toBe(1);
    (codes[0] === `brand_${status}` ? refused : others).push(name);
  }
  return { refused, others };
}
const ASK = { detail: expect.stringContaining('help@portal.example'), context: { ask: 'help@portal.example' } };

test('in an inactive brand members and keys read and export, and all else is refused with whom to ask', async () => {
  const { refused, others } = await callAll('inactive');
  expect(others.filter((name) => !name.startsWith('GET ')).sort()).toEqual([...ALLOWED_WHILE_INACTIVE].sort());
  expect(refused.filter((name) => name.startsWith('GET '))).toEqual([]);
});

test('in a brand that is pending members and keys do everything but publish', async () => {
  const { refused } = await callAll('pending');
  expect(refused.sort()).toEqual([...REFUSED_WHILE_PENDING].sort());
});

test('in a brand that is pending members and keys unpublish', async () => {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db, 'Acme');
  const { headers } = await createTestMember(database.db, brandId, 'editor');
  const [variantId] = await addVariants(database.db, brandId, [{ gtin: '61414100', name: 'Oil' }]);
  await database.pool.query(`update brands set status = 'pending' where id = $1`, [brandId]);
  const unpublish = { method: 'PATCH', url: `/api/v1/variants/${variantId}/publish/`, headers } as const;
  expect((await app.inject({ ...unpublish, payload: { published: false } })).statusCode).toBe(200);
  const all = { method: 'POST', url: `/api/v1/brands/${brandId}/variants/actions/`, headers } as const;
  expect((await app.inject({ ...all, payload: { action: 'unpublish', ids: [variantId] } })).statusCode).toBe(200);
});

/** An address can be invited only once, so each caller invites another one. */
function unique(body: object | undefined, caller: string): object | undefined {
  return body && 'email' in body ? { ...body, email: `${caller.replace(' ', '-')}@example.com` } : body;
}
