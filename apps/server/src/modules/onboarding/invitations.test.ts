import { describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { linkUser } from '../identity/users.ts';
import { activateInvitedMemberships } from './activation.ts';
import { createInvitationLink, inviteMember } from './invitations.ts';
import { PUBLIC_URL, useOnboarding } from './test-support/onboarding.ts';

const alreadyMember = { status: 409, body: { code: 'already_member', detail: 'User is already a member' } };
const invalid = {
  status: 404,
  body: { code: 'invitation_invalid', detail: 'The verification token is invalid or has expired.' },
};

describe('inviting', () => {
  test('someone unknown makes them an invited member and sends one mail with a link', async () => {
    const { call, members, admin, runJobs, mailer, audits } = await useOnboarding();
    const invitation = {
      email: 'luis@example.com',
      role: 'editor',
      first_name: 'Luis',
      last_name: 'Vega',
      language: 'es',
    };
    const answer = await call(admin.headers, 'POST', members, invitation);
    expect(answer).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        email: 'luis@example.com',
        first_name: 'Luis',
        last_name: 'Vega',
        role: 'editor',
        status: 'invited',
      },
    });
    await runJobs();
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]).toMatchObject({
      to: { name: 'Luis Vega', address: 'luis@example.com' },
      subject: 'Tu invitación a Casa Verde en Brand Portal',
      text: expect.stringContaining('Ana Torres te invita a gestionar Casa Verde'),
    });
    expect(mailer.tokenFor('luis@example.com')).toMatch(/^[\w-]{43}$/);
    expect((await audits()).at(-1)).toMatchObject({
      action: 'member.invited',
      user_id: admin.id,
      details: { email: 'luis@example.com', role: 'editor' },
    });
  });

  test('someone who has an account adds them at once and tells them', async () => {
    const { call, members, admin, db, runJobs, mailer, status } = await useOnboarding();
    const ada = await createTestUser(db, 'Ada Byron');
    const answer = await call(admin.headers, 'POST', members, { email: ada.email.toUpperCase(), role: 'viewer' });
    expect(answer).toMatchObject({ status: 201, body: { id: ada.id, first_name: 'Ada', status: 'active' } });
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]).toMatchObject({
      subject: 'You are now a member of Casa Verde',
      to: { address: ada.email },
    });
    expect(mailer.tokenFor(ada.email)).toBe('');
    expect(await status('')).toMatchObject({ status: 400 });
  });

  test('a member, or someone invited already, is refused, whatever the case of the e-mail', async () => {
    const { call, members, admin, owner, invite, runJobs, mailer } = await useOnboarding();
    await invite('luis@example.com');
    const again = { email: 'LUIS@example.com', role: 'viewer' };
    expect(await call(admin.headers, 'POST', members, again)).toMatchObject(alreadyMember);
    const member = { email: owner.email, role: 'viewer' };
    expect(await call(admin.headers, 'POST', members, member)).toMatchObject(alreadyMember);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
  });

  test('one person eight times at once makes one member and one mail', async () => {
    const { call, members, admin, runJobs, mailer } = await useOnboarding();
    const body = { email: 'luis@example.com', role: 'editor' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(admin.headers, 'POST', members, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
  });

  test('does not let one brand rename a person whom another one knows', async () => {
    const { db, invite, brandId } = await useOnboarding();
    await inviteMember(db, null, brandId, { email: 'luis@example.com', role: 'viewer', first_name: 'Luis' });
    const other = await createTestBrand(db, 'Other');
    const mallory = { email: 'luis@example.com', role: 'viewer' as const, first_name: 'Mallory' };
    expect(await inviteMember(db, null, other, mallory)).toMatchObject({ first_name: 'Luis' });
    expect(await invite('third@example.com')).toMatchObject({ member: { first_name: '' } });
  });

  test.each([
    'a b@example.com',
    'a@b@c',
    'x<y>@example.com',
    'a,b@example.com',
    '"a"@example.com',
    'a@exa mple.com',
    'a\u0000@b.c',
    'a@-',
  ])('an address that no mail server takes (%j) is refused', async (email) => {
    const { call, members, admin } = await useOnboarding();
    expect(await call(admin.headers, 'POST', members, { email, role: 'viewer' })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', fields: { email: expect.any(String) } },
    });
  });

  test.each(['ceo@b\u0130gcorp.example', 'ceo@bigcorp.example'.replace('e', '\uff45'), '\u212aim@example.com'])(
    'an address that Unicode folds into another one (%j) is refused, with the reason',
    async (email) => {
      const { call, members, admin } = await useOnboarding();
      expect(await call(admin.headers, 'POST', members, { email, role: 'admin' })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { email: expect.stringContaining('read as others') } },
      });
    },
  );

  test('an invitation to an address of before that folds into another one makes no account', async () => {
    const { db, brandId, invite, runJobs, mailer, verify, setup, directory } = await useOnboarding();
    const { member } = await invite('kim@example.com');
    await db.updateTable('users').set({ email: '\u212aim@example.com' }).where('id', '=', member.id).execute();
    const link = await createInvitationLink(db, PUBLIC_URL, brandId, member.id);
    const token = new URL(link).searchParams.get('token') ?? '';
    await verify(token);
    expect(await setup(token)).toMatchObject({ status: 403, body: { code: 'email_not_supported' } });
    expect(directory.calls).toBe(0);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
  });

  test('names lose their line breaks and other controls', async () => {
    const { call, members, admin } = await useOnboarding();
    const body = {
      email: 'x@example.com',
      role: 'viewer',
      first_name: 'Eve\r\nBcc: all@example.com',
      last_name: 'a\u0007b',
    };
    const answer = await call(admin.headers, 'POST', members, body);
    expect(answer.body).toMatchObject({ first_name: 'Eve Bcc: all@example.com', last_name: 'a b' });
  });
});

describe('resending', () => {
  test('sends a new link, and the old one stops working at once', async () => {
    const { call, members, admin, invite, runJobs, mailer, status, audits } = await useOnboarding();
    const { member, token } = await invite('luis@example.com');
    expect((await status(token)).status).toBe(200);
    expect((await call(admin.headers, 'POST', `${members}${member.id}/resend/`)).status).toBe(204);
    expect(await status(token)).toMatchObject(invalid);
    await runJobs();
    const newToken = mailer.tokenFor('luis@example.com');
    expect(newToken).not.toBe(token);
    expect((await status(newToken)).status).toBe(200);
    expect(await status(token)).toMatchObject(invalid);
    expect((await audits()).at(-1)).toMatchObject({ action: 'invitation.resent', user_id: admin.id });
  });

  test('many times before a mail could be sent sends one', async () => {
    const { call, members, admin, mailer, runJobs } = await useOnboarding();
    const { body } = await call(admin.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
    for (let i = 0; i < 3; i++) await call(admin.headers, 'POST', `${members}${body.id}/resend/`);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
  });

  test('to someone who is in already is refused', async () => {
    const { call, members, admin, owner } = await useOnboarding();
    expect(await call(admin.headers, 'POST', `${members}${owner.id}/resend/`)).toMatchObject(alreadyMember);
  });

  test('more than a few times an hour is refused, also by way of removing and inviting again', async () => {
    const { call, members, admin, pool } = await useOnboarding();
    const again = () => call(admin.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
    const { body } = await again();
    for (let i = 2; i <= 5; i++) {
      expect((await call(admin.headers, 'POST', `${members}${body.id}/resend/`)).status).toBe(204);
    }
    const refused = { status: 429, body: { code: 'rate_limited' } };
    expect(await call(admin.headers, 'POST', `${members}${body.id}/resend/`)).toMatchObject(refused);
    await call(admin.headers, 'DELETE', `${members}${body.id}/`);
    expect(await again()).toMatchObject(refused);
    await pool.query("update audit_log set created_at = created_at - interval '1 hour'");
    expect((await again()).status).toBe(201);
  });

  test('works also when the old invitation has been purged', async () => {
    const { call, members, admin, invite, pool, runJobs, mailer, status } = await useOnboarding();
    const { member } = await invite('luis@example.com');
    await pool.query('delete from invitations');
    await call(admin.headers, 'POST', `${members}${member.id}/resend/`);
    await runJobs();
    expect((await status(mailer.tokenFor('luis@example.com'))).status).toBe(200);
  });
});

test('a brand that has sent a hundred mails within the hour has to wait', async () => {
  const { call, members, admin, pool, brandId } = await useOnboarding();
  await pool.query(
    `insert into audit_log (brand_id, action, details) select $1, 'member.invited', '{"member_id": 0}' from generate_series(1, 100)`,
    [brandId],
  );
  const answer = await call(admin.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect((await pool.query("select from users where email = 'luis@example.com'")).rowCount).toBe(0);
});

test('an operator’s link is not replaced by a mail that is still being tried', async () => {
  const { call, members, admin, db, brandId, mailer, runJobs, status } = await useOnboarding();
  mailer.refuse = new Error('The mail server is down');
  const { body } = await call(admin.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  await runJobs();
  const link = await createInvitationLink(db, PUBLIC_URL, brandId, body.id);
  mailer.refuse = undefined;
  await runJobs();
  expect(mailer.mails).toHaveLength(0);
  expect((await status(new URL(link).searchParams.get('token') ?? '')).status).toBe(200);
});

describe('creating a brand', () => {
  const body = { name: 'Nordlys', owner_email: 'nora@example.com', website: 'https://nordlys.example' };

  test('is for staff, and invites the owner', async () => {
    const { call, db, pool, owner, runJobs, mailer } = await useOnboarding();
    expect(await call(owner.headers, 'POST', '/api/v1/brands/', body)).toMatchObject({
      status: 403,
      body: { detail: 'Permission denied' },
    });
    const staff = await createTestUser(db);
    await pool.query('update users set is_staff = true where id = $1', [staff.id]);
    const answer = await call(staff.headers, 'POST', '/api/v1/brands/', body);
    expect(answer).toMatchObject({ status: 201, body: { name: 'Nordlys', status: 'pending', member_count: 0 } });
    await runJobs();
    expect(mailer.mails[0]).toMatchObject({ subject: 'Your invitation to Nordlys on Brand Portal' });
  });

  test('leaves nothing behind when the owner cannot be invited', async () => {
    const { call, db, pool } = await useOnboarding();
    const staff = await createTestUser(db);
    await pool.query('update users set is_staff = true where id = $1', [staff.id]);
    const answer = await call(staff.headers, 'POST', '/api/v1/brands/', { ...body, owner_email: 'a,b@c' });
    expect(answer).toMatchObject({ status: 400, body: { fields: { owner_email: 'must be an e-mail address' } } });
    const { rows } = await pool.query("select from brands where name = 'Nordlys'");
    expect(rows).toHaveLength(0);
  });
});

describe('signing in through the provider', () => {
  test('with the invited e-mail makes the person a member everywhere they were invited, and uses the links up', async () => {
    const { db, invite, status, brandId, call, owner, members, audits } = await useOnboarding();
    const { member, token } = await invite('luis@example.com');
    const other = await createTestBrand(db, 'Other');
    await createTestMember(db, other, 'owner');
    await inviteMember(db, null, other, { email: 'luis@example.com', role: 'viewer' });

    const user = await linkUser(db, {
      subject: 'google|luis',
      email: 'Luis@example.com',
      firstName: 'Luis',
      lastName: '',
    });
    expect(user.id).toBe(member.id);
    await activateInvitedMemberships(db, user.id);
    await activateInvitedMemberships(db, user.id);
    expect((await call(owner.headers, 'GET', members)).body.results.at(-1)).toMatchObject({ status: 'active' });
    expect(await status(token)).toMatchObject(invalid);
    expect((await audits()).filter(({ action }) => action === 'member.activated')).toEqual([
      { action: 'member.activated', user_id: user.id, details: { member_id: user.id, by: 'sign_in' } },
    ]);
    expect(brandId).not.toBe(other);
  });
});
