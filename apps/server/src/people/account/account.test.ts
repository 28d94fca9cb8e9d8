import type { Session } from '@brand-portal/contract/account';
import type { InjectOptions } from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { createTestBrand, createTestMember, createTestUser, type TestUser } from '../../../test/people.ts';
import { useOwnApp } from '../../../test/test-app.ts';
import { WAITING_FOR_LOCK } from '../../../test/test-database.ts';
import { inTransaction } from '../../db/database.ts';
import { restoreBrand } from '../brands/brand-deletion.ts';
import { createAccessTokens } from '../identity/access-tokens.ts';
import { startSession } from '../identity/sessions.ts';
import { createSigningKeys } from '../identity/signing-keys.ts';
import { findPerson, linkUser } from '../identity/users.ts';
import { createBrandWithOwner } from '../members/invitations.ts';

const ME = '/api/v1/users/me/';
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

async function start(options: Parameters<typeof useOwnApp>[0] = {}) {
  const { app, database } = await useOwnApp(options);
  const { db } = database;
  const ada = await createTestUser(db);
  const as = (user: Pick<TestUser, 'headers'>) => (method: InjectOptions['method'], url: string, payload?: object) =>
    app.inject({ method, url, headers: user.headers, ...(payload && { payload }) });
  async function signInElsewhere(providerSession?: string) {
    const origin = { token: crypto.randomUUID(), providerSession, userAgent: CHROME, address: '192.0.2.7' };
    const session = await startSession(db, ada.id, origin);
    const access = await createAccessTokens(createSigningKeys(db)).sign({ userId: ada.id, sessionId: session.id });
    return { ...session, headers: { authorization: `Bearer ${access}` } };
  }
  return { app, db, pool: database.pool, ada, as, call: as(ada), signInElsewhere };
}

describe('name and language', () => {
  test('are changed, and the next sign-in does not overwrite the name', async () => {
    const { call, db, pool, ada } = await start();
    const changed = await call('PATCH', `${ME}account/`, {
      first_name: ' Augusta\n',
      last_name: 'King',
      language: 'es',
    });
    expect(changed.json()).toMatchObject({ first_name: 'Augusta', last_name: 'King', language: 'es' });
    expect((await call('GET', ME)).json()).toMatchObject({ first_name: 'Augusta' });
    const { rows } = await pool.query('select provider_subject from users where id = $1', [ada.id]);
    const profile = { subject: rows[0].provider_subject, email: ada.email, firstName: 'Ada', lastName: 'Byron' };
    expect(await linkUser(db, profile)).toMatchObject({ first_name: 'Augusta', last_name: 'King' });
  });

  test('are refused if the change is empty or invalid', async () => {
    const { call } = await start();
    for (const body of [{}, { first_name: 'x'.repeat(151) }, { language: 'fr' }]) {
      expect((await call('PATCH', `${ME}account/`, body)).statusCode).toBe(400);
    }
  });

  test('stay unchanged when a call has an unknown field, and nothing is audited', async () => {
    const { call, pool, ada } = await start();
    const answer = await call('PATCH', `${ME}account/`, { nickname: 'Ada', language: 'es' });
    expect(answer.json()).toMatchObject({ code: 'validation_failed', fields: { nickname: 'is not known' } });
    const changes = `select from audit_log where user_id = ${ada.id} and action = 'user.changed'`;
    expect((await pool.query(changes)).rowCount).toBe(0);
  });
});

describe('sessions', () => {
  const list = async (call: Awaited<ReturnType<typeof start>>['call']): Promise<Session[]> =>
    (await call('GET', `${ME}sessions/`)).json().results;

  test('are listed with device and address, the current one marked', async () => {
    const { call, signInElsewhere } = await start();
    const other = await signInElsewhere();
    const sessions = await list(call);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ id }) => id === other.id)).toMatchObject({
      device: { browser: 'Chrome', system: 'Windows' },
      address: '192.0.2.7',
      is_current: false,
    });
    expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1);
  });

  test('that were ended are refused at their next call, and sessions of others cannot be ended', async () => {
    const { app, call, as, db, signInElsewhere } = await start();
    const other = await signInElsewhere();
    expect((await as(other)('GET', ME)).statusCode).toBe(200);
    const eve = await createTestUser(db, 'Eve Moor');
    expect((await as(eve)('DELETE', `${ME}sessions/${other.id}/`)).json()).toMatchObject({ code: 'session_not_found' });
    expect((await call('DELETE', `${ME}sessions/${other.id}/`)).statusCode).toBe(204);
    const refused = await as(other)('GET', ME);
    expect([refused.statusCode, refused.json().code]).toEqual([401, 'unauthenticated']);
    const body = { refresh: other.refresh };
    const refresh = await app.inject({ method: 'POST', url: '/api/v1/auth/token/refresh/', payload: body });
    expect(refresh.json()).toMatchObject({ code: 'refresh_token_invalid' });
    expect((await call('DELETE', `${ME}sessions/${other.id}/`)).json()).toMatchObject({ code: 'session_not_found' });
    expect(await list(call)).toHaveLength(1);
  });

  test('are all ended except the current one, at the provider too unless it shares the current provider session', async () => {
    const endSessions = vi.fn(async () => undefined);
    const { as, call, ada, signInElsewhere } = await start({
      identity: { domain: 'http://127.0.0.1:1', clientId: 'x', endSessions },
    });
    const here = await signInElsewhere('here');
    const there = await signInElsewhere('there');
    const alsoHere = await signInElsewhere('here');
    expect((await as(here)('POST', `${ME}sessions/end-others/`)).statusCode).toBe(204);
    expect((await as(here)('GET', ME)).statusCode).toBe(200);
    for (const ended of [there, alsoHere, ada]) expect((await as(ended)('GET', ME)).statusCode).toBe(401);
    expect(endSessions.mock.calls).toEqual([[expect.any(String), 'there']]);
    expect((await call('GET', ME)).statusCode).toBe(401);
  });

  test('record when and where they were used, at most once a minute', async () => {
    const { call, pool } = await start();
    const setLastUse = (ago: string) => pool.query(`update sessions set last_used_at = now() - $1::interval`, [ago]);
    const [first] = await list(call);
    await setLastUse('50 seconds');
    expect((await list(call))[0]?.address).toBe(first?.address);
    await setLastUse('2 minutes');
    await call('GET', ME);
    const [used] = await list(call);
    expect(used?.address).toBe('127.0.0.1');
    expect(Date.parse(used?.last_used_at ?? '')).toBeGreaterThan(Date.parse(first?.last_used_at ?? '') - 1_000);
  });
});

test('mail settings are listed for the brands in which the user is an owner or admin', async () => {
  const { db, as } = await start();
  const brandId = await createTestBrand(db, 'Acme');
  const admin = await createTestMember(db, brandId, 'admin');
  const editor = await createTestMember(db, brandId, 'editor');
  await as(admin)('PATCH', `/api/v1/brands/${brandId}/notifications/`, { certificate_mails: false });
  const mails = async (user: TestUser) => (await as(user)('GET', `${ME}notifications/`)).json().results;
  expect(await mails(admin)).toEqual([{ brand_id: brandId, brand_name: 'Acme', certificate_mails: false }]);
  expect(await mails(editor)).toEqual([]);
});

test('a password is changed by a mail if the provider sends one', async () => {
  const mailed: string[] = [];
  const { call, ada } = await start({
    directory: {
      createOrUpdateUser: async () => ({ subject: 'x' }),
      passwordChange: () => 'mail',
      mailPasswordLink: async (email) => void mailed.push(email),
    },
  });
  expect((await call('GET', `${ME}account/`)).json()).toMatchObject({ password_change: 'mail' });
  expect((await call('POST', `${ME}password-mail/`)).statusCode).toBe(204);
  expect(mailed).toEqual([ada.email]);
});

describe('deleting an account', () => {
  test('is refused with the names of the brands that it would leave without an owner', async () => {
    const { db, as, pool } = await start();
    const acme = await createTestBrand(db, 'Acme');
    const other = await createTestBrand(db, 'Other');
    const third = await createTestBrand(db, 'Third');
    const owner = await createTestMember(db, acme, 'owner');
    for (const [brandId, role] of [
      [other, 'owner'],
      [third, 'editor'],
    ]) {
      await pool.query(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, $3, 'active')`, [
        brandId,
        owner.id,
        role,
      ]);
    }
    const answer = await as(owner)('POST', `${ME}delete/`, { email: owner.email });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'account_owns_brands', context: { brands: 'Acme, Other' } });
    // The refusal changed nothing in any brand.
    expect((await as(owner)('GET', '/api/v1/brands/')).json().results).toHaveLength(3);
  });

  test('is not refused because of a brand that only invites them to own it', async () => {
    const { db, call, ada, pool } = await start();
    const brandId = await createTestBrand(db, 'Unwanted');
    await pool.query(`insert into brand_members (brand_id, user_id, role, status) values ($1, $2, 'owner', 'invited')`, [brandId, ada.id]);
    expect((await call('POST', `${ME}delete/`, { email: ada.email })).statusCode).toBe(204);
    expect((await pool.query('select from brand_members where brand_id = $1', [brandId])).rowCount).toBe(0);
  });

  test('needs the typed address as a confirmation', async () => {
    const { call, ada } = await start();
    const refused = await call('POST', `${ME}delete/`, { email: 'other@example.com' });
    expect(refused.json()).toMatchObject({ code: 'validation_failed', fields: { email: expect.any(String) } });
    expect((await call('POST', `${ME}delete/`, { email: ` ${ada.email.toUpperCase()} ` })).statusCode).toBe(204);
  });

  test('ends memberships and sessions, and anonymises the history', async () => {
    const deleted: string[] = [];
    const { db, as, pool } = await start({
      directory: {
        createOrUpdateUser: async () => ({ subject: 'x' }),
        deleteUser: async (subject) => void deleted.push(subject),
      },
    });
    const brandId = await createTestBrand(db, 'Acme');
    const owner = await createTestMember(db, brandId, 'owner', 'Olivia Lind');
    const leaving = await createTestMember(db, brandId, 'admin', 'Ada Byron');
    await as(leaving)('PATCH', `/api/v1/brands/${brandId}/`, { description: 'Changed' });
    expect((await as(leaving)('POST', `${ME}delete/`, { email: leaving.email })).statusCode).toBe(204);
    expect((await as(leaving)('GET', ME)).statusCode).toBe(401);
    expect(deleted).toHaveLength(1);
    const { rows: users } = await pool.query('select * from users where id = $1', [leaving.id]);
    expect(users[0]).toMatchObject({
      first_name: '',
      last_name: '',
      email: `deleted-${leaving.id}`,
      provider_subject: null,
    });
    const { rows: log } = await pool.query('select action, details::text from audit_log where brand_id = $1 and user_id = $2 order by id', [
      brandId,
      leaving.id,
    ]);
    expect(log.map(({ action }) => action)).toEqual(['brand.updated', 'member.removed']);
    expect(JSON.stringify(log)).not.toContain(leaving.email);
    const members = await as(owner)('GET', `/api/v1/brands/${brandId}/members/`);
    expect(members.json().results).toHaveLength(1);
    // The address is free again: signing in with it creates a new user.
    const profile = { subject: 'new', email: leaving.email, firstName: 'Ada', lastName: 'B' };
    expect((await linkUser(db, profile)).id).not.toBe(leaving.id);
  });

  test('ends the membership in a deleted brand too, so that it cannot be restored without an owner', {
    tags: 'empty-installation',
  }, async () => {
    const { db, as, pool } = await start();
    const brandId = await createTestBrand(db, 'Acme');
    const owner = await createTestMember(db, brandId, 'owner');
    await as(owner)('DELETE', `/api/v1/brands/${brandId}/`);
    expect((await as(owner)('POST', `${ME}delete/`, { email: owner.email })).statusCode).toBe(204);
    expect((await pool.query('select from brand_members')).rowCount).toBe(0);
    // This call passed the permission check just before the account was deleted.
    await expect(restoreBrand(db, owner.id, brandId)).rejects.toMatchObject({ code: 'brand_not_found' });
  });

  test('is refused if the person becomes the owner of a brand at the same moment', async () => {
    const { call, db, pool, ada } = await start();
    const deleting = await inTransaction(db, async (db) => {
      await createBrandWithOwner(db, null, { name: 'Acme', owner_email: ada.email });
      const answer = call('POST', `${ME}delete/`, { email: ada.email });
      await expect.poll(async () => (await pool.query(WAITING_FOR_LOCK)).rowCount).toBe(1);
      return { answer };
    });
    expect((await deleting.answer).json()).toMatchObject({ code: 'account_owns_brands', context: { brands: 'Acme' } });
    expect((await call('GET', ME)).json()).toMatchObject({ email: ada.email });
  });

  test('ends mails to the person, and invitations no longer name them', async () => {
    const { db, as } = await start();
    const brandId = await createTestBrand(db, 'Acme');
    await createTestMember(db, brandId, 'owner');
    const admin = await createTestMember(db, brandId, 'admin', 'Ada Byron');
    const invited = await createTestUser(db);
    const invitation = { email: invited.email, role: 'viewer' };
    expect((await as(admin)('POST', `/api/v1/brands/${brandId}/members/`, invitation)).statusCode).toBe(201);
    const inviter = async () => (await as(invited)('GET', `${ME}invitations/`)).json().results[0].invited_by;
    expect([await inviter(), (await findPerson(db, admin.id))?.name]).toEqual(['Ada Byron', 'Ada Byron']);
    await as(admin)('POST', `${ME}delete/`, { email: admin.email });
    expect(await inviter()).toBe('');
    expect(await findPerson(db, admin.id)).toBeUndefined();
  });

  test('succeeds even if the provider does not answer, and with two concurrent calls', async () => {
    const { call, ada } = await start({
      directory: {
        createOrUpdateUser: async () => ({ subject: 'x' }),
        deleteUser: () => Promise.reject(new Error('unreachable')),
      },
    });
    const answers = await Promise.all([1, 2].map(() => call('POST', `${ME}delete/`, { email: ada.email })));
    expect(answers.map(({ statusCode }) => statusCode)).toContain(204);
    for (const { statusCode } of answers) expect([204, 400, 401]).toContain(statusCode);
  });
});
