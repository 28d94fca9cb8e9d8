// @module-tag empty-installation
import { describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { deleteBrand } from '../brands/brands.ts';
import { rememberLanguage } from '../identity/users.ts';
import { useOnboarding } from './test-support/onboarding.ts';

describe('the list of members', () => {
  test('includes invited people, and is for admins', async () => {
    const { call, invite, members, admin, owner, db, brandId } = await useOnboarding();
    await invite('luis@example.com', 'viewer');
    const answer = await call(admin.headers, 'GET', members);
    expect(answer.status).toBe(200);
    expect(answer.body.results).toEqual([
      {
        id: owner.id,
        email: owner.email,
        first_name: 'Olivia',
        last_name: 'Lindqvist',
        role: 'owner',
        status: 'active',
      },
      { id: admin.id, email: admin.email, first_name: 'Ana', last_name: 'Torres', role: 'admin', status: 'active' },
      {
        id: expect.any(Number),
        email: 'luis@example.com',
        first_name: '',
        last_name: '',
        role: 'viewer',
        status: 'invited',
      },
    ]);
    const editor = await createTestMember(db, brandId, 'editor');
    expect(await call(editor.headers, 'GET', members)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: 'Permission denied' },
    });
    const stranger = await createTestUser(db);
    expect(await call(stranger.headers, 'GET', members)).toMatchObject({
      status: 404,
      body: { code: 'brand_not_found' },
    });
  });
});

describe('owners', () => {
  test('can be appointed, demoted and removed by owners only', async () => {
    const { call, members, admin, owner, db, brandId } = await useOnboarding();
    const second = await createTestMember(db, brandId, 'owner');
    const editor = await createTestMember(db, brandId, 'editor');
    const refused = { status: 403, body: { code: 'permission_denied', detail: 'Permission denied' } };
    const newOwner = { email: 'new@example.com', role: 'owner' };
    expect(await call(admin.headers, 'POST', members, newOwner)).toMatchObject(refused);
    expect(await call(admin.headers, 'PATCH', `${members}${editor.id}/`, { role: 'owner' })).toMatchObject(refused);
    expect(await call(admin.headers, 'PATCH', `${members}${second.id}/`, { role: 'viewer' })).toMatchObject(refused);
    expect(await call(admin.headers, 'DELETE', `${members}${second.id}/`)).toMatchObject(refused);

    expect(await call(owner.headers, 'PATCH', `${members}${editor.id}/`, { role: 'owner' })).toMatchObject({
      status: 200,
      body: { id: editor.id, role: 'owner' },
    });
    expect((await call(owner.headers, 'DELETE', `${members}${second.id}/`)).status).toBe(204);
    expect((await call(owner.headers, 'POST', members, newOwner)).status).toBe(201);
  });

  test('the last one can be neither removed nor demoted, even if another owner is invited', async () => {
    const { call, members, owner, invite } = await useOnboarding();
    await invite('heir@example.com', 'owner');
    const refused = { status: 409, body: { code: 'last_owner' } };
    expect(await call(owner.headers, 'DELETE', `${members}${owner.id}/`)).toMatchObject(refused);
    expect(await call(owner.headers, 'PATCH', `${members}${owner.id}/`, { role: 'admin' })).toMatchObject(refused);
  });

  test('two who demote each other concurrently leave one', async () => {
    for (let round = 0; round < 5; round++) {
      const { call, members, owner, db, pool, brandId } = await useOnboarding();
      const second = await createTestMember(db, brandId, 'owner');
      const answers = await Promise.all([
        call(owner.headers, 'PATCH', `${members}${second.id}/`, { role: 'viewer' }),
        call(second.headers, 'PATCH', `${members}${owner.id}/`, { role: 'viewer' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const { rows } = await pool.query("select from brand_members where brand_id = $1 and role = 'owner'", [brandId]);
      expect(rows).toHaveLength(1);
    }
  });

  test('two who leave concurrently leave one', async () => {
    const { call, members, owner, db, pool, brandId } = await useOnboarding();
    const second = await createTestMember(db, brandId, 'owner');
    const answers = await Promise.all([
      call(owner.headers, 'DELETE', `${members}${owner.id}/`),
      call(second.headers, 'DELETE', `${members}${second.id}/`),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const { rows } = await pool.query("select from brand_members where brand_id = $1 and role = 'owner'", [brandId]);
    expect(rows).toHaveLength(1);
  });
});

describe('a member', () => {
  test('is given another role and removed, and both are in the audit log', async () => {
    const { call, members, admin, db, brandId, audits } = await useOnboarding();
    const editor = await createTestMember(db, brandId, 'editor');
    const path = `${members}${editor.id}/`;
    expect((await call(admin.headers, 'PATCH', path, { role: 'viewer' })).body).toMatchObject({ role: 'viewer' });
    expect((await call(admin.headers, 'PATCH', path, { role: 'viewer' })).status).toBe(200);
    expect((await call(admin.headers, 'DELETE', path)).status).toBe(204);
    expect(await call(admin.headers, 'DELETE', path)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found', detail: 'User not found' },
    });
    expect((await audits()).slice(-2)).toEqual([
      {
        action: 'member.role_changed',
        user_id: admin.id,
        details: { member_id: editor.id, from: 'editor', to: 'viewer' },
      },
      { action: 'member.removed', user_id: admin.id, details: expect.objectContaining({ member_id: editor.id }) },
    ]);
  });

  test.each([
    ['PATCH', '', { role: 'viewer' }],
    ['DELETE', '', undefined],
    ['POST', 'resend/', undefined],
  ] as const)('of another brand is not found here (%s %s)', async (method, suffix, body) => {
    const { call, members, owner, db } = await useOnboarding();
    const elsewhere = await createTestMember(db, await createTestBrand(db), 'editor');
    for (const id of [elsewhere.id, 999_999]) {
      expect(await call(owner.headers, method, `${members}${id}/${suffix}`, body)).toMatchObject({
        status: 404,
        body: { code: 'user_not_found', detail: 'User not found' },
      });
    }
  });
});

describe('a mail tells the member', () => {
  test('that their role was changed, in the language that they sign in with', async () => {
    const { call, members, owner, db, brandId, runJobs, mailer } = await useOnboarding();
    const luis = await createTestMember(db, brandId, 'viewer', 'Luis Vega');
    await rememberLanguage(db, luis.id, 'es');
    await call(owner.headers, 'PATCH', `${members}${luis.id}/`, { role: 'admin' });
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]).toMatchObject({
      to: { name: 'Luis Vega', address: luis.email },
      subject: 'Tu rol en «Casa Verde» ha cambiado',
      text: expect.stringContaining('Olivia Lindqvist'),
    });
  });

  test('that they were removed, also if the brand is deleted before the mail is sent', async () => {
    const { call, members, owner, db, brandId, runJobs, mailer } = await useOnboarding();
    const luis = await createTestMember(db, brandId, 'viewer', 'Luis Vega');
    await call(owner.headers, 'DELETE', `${members}${luis.id}/`);
    await deleteBrand(db, owner.id, brandId);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]).toMatchObject({
      to: { address: luis.email },
      subject: 'You are no longer a member of “Casa Verde”',
    });
  });

  test('once, with the role that they have in the end, when it is changed back and forth', async () => {
    const { call, members, owner, db, brandId, runJobs, mailer } = await useOnboarding();
    const luis = await createTestMember(db, brandId, 'viewer', 'Luis Vega');
    for (const role of ['admin', 'editor']) await call(owner.headers, 'PATCH', `${members}${luis.id}/`, { role });
    await runJobs();
    expect(mailer.mails.map(({ text }) => text)).toEqual([expect.stringContaining('Your role is now: editor.')]);
  });

  test('nothing about their own actions, and nothing while they are only invited', async () => {
    const { call, members, owner, invite, db, brandId, runJobs, mailer } = await useOnboarding();
    await createTestMember(db, brandId, 'owner');
    const { member } = await invite('luis@example.com');
    await call(owner.headers, 'PATCH', `${members}${member.id}/`, { role: 'viewer' });
    await call(owner.headers, 'DELETE', `${members}${member.id}/`);
    await call(owner.headers, 'PATCH', `${members}${owner.id}/`, { role: 'viewer' });
    await runJobs();
    expect(mailer.mails.map(({ subject }) => subject)).toEqual(['Your invitation to “Casa Verde” on Brand Portal']);
  });

  test('at most five times an hour, while their role still changes', async () => {
    const { call, members, owner, db, brandId, runJobs, mailer } = await useOnboarding();
    const luis = await createTestMember(db, brandId, 'viewer', 'Luis Vega');
    for (let round = 0; round < 8; round++) {
      const answer = await call(owner.headers, 'PATCH', `${members}${luis.id}/`, {
        role: round % 2 ? 'viewer' : 'editor',
      });
      expect(answer.status).toBe(200);
      await runJobs();
    }
    expect(mailer.mails).toHaveLength(5);
    expect((await call(owner.headers, 'DELETE', `${members}${luis.id}/`)).status).toBe(204);
  });
});
