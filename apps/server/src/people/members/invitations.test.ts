// @module-tag empty-installation
import { describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { linkUser } from '../identity/users.ts';
import { createInvitationLink, inviteMember, inviteOwner, purgeInvitations } from './invitations.ts';
import { listMembers } from './members.ts';
import { findMembership } from './memberships.queries.ts';
import { addMember } from './memberships.ts';
import { PUBLIC_URL, useOnboarding } from './test-support/onboarding.ts';

const alreadyMember = { status: 409, body: { code: 'already_member', detail: 'User is already a member' } };
const invalid = {
  status: 404,
  body: { code: 'invitation_invalid', detail: 'The verification token is invalid or has expired.' },
};

describe('inviting', () => {
  test('an unknown person creates an invited member and sends one mail with a link', async () => {
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
      subject: 'Tu invitación a «Casa Verde» en Brand Portal',
      text: expect.stringContaining('Ana Torres te invita a gestionar «Casa Verde»'),
    });
    expect(mailer.tokenFor('luis@example.com')).toMatch(/^[\w-]{43}$/);
    expect((await audits()).at(-1)).toMatchObject({
      action: 'member.invited',
      user_id: admin.id,
      details: { email: 'luis@example.com', role: 'editor' },
    });
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

  test('one person eight times concurrently creates one member and one mail', async () => {
    const { call, members, admin, runJobs, mailer } = await useOnboarding();
    const body = { email: 'luis@example.com', role: 'editor' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => call(admin.headers, 'POST', members, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
  });

  test('shows each brand only its own name for the person, until the person has joined', async () => {
    const { db, pool, brandId } = await useOnboarding();
    await inviteMember(db, null, brandId, { email: 'luis@example.com', role: 'viewer', first_name: 'Luis' });
    const other = await createTestBrand(db, 'Other');
    const mallory = { email: 'luis@example.com', role: 'viewer' as const, first_name: 'Mallory' };
    expect(await inviteMember(db, null, other, mallory)).toMatchObject({ first_name: 'Mallory' });
    expect((await listMembers(db, brandId)).results.at(-1)).toMatchObject({ first_name: 'Luis' });
    const third = await createTestBrand(db, 'Third');
    expect(await inviteMember(db, null, third, { email: 'luis@example.com', role: 'viewer' })).toMatchObject({
      first_name: '',
    });
    // It is not stored as the person's own name, which all their brands see.
    const { rows } = await pool.query(`select first_name from users where email = 'luis@example.com'`);
    expect(rows).toEqual([{ first_name: '' }]);
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
    '.a@example.com',
    'a.@example.com',
    'a..b@example.com',
    'a@.example.com',
    'a@example..com',
    'a@example.com.',
  ])('an address that no mail server accepts (%j) is refused', async (email) => {
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

  test('an old invitation to an address that Unicode folds into another one creates no account', async () => {
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

  test('line breaks and other control characters are removed from names', async () => {
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

  test('to an active member is refused', async () => {
    const { call, members, admin, owner } = await useOnboarding();
    expect(await call(admin.headers, 'POST', `${members}${owner.id}/resend/`)).toMatchObject(alreadyMember);
  });

  test('more than a few times an hour is refused, also after removing and inviting again', async () => {
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
    await pool.query("update audit_log set created_at = now() - interval '61 minutes'");
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

test('invitations are deleted 30 days after their last link has expired', async () => {
  const { db, invite, pool } = await useOnboarding();
  const past = (days: number | null) => (days === null ? null : new Date(Date.now() - days * 86_400_000));
  const cases = [
    ['mail', 31, null],
    ['both', 40, 31],
    ['copy', null, 31],
    ['kept_mail', 29, null],
    ['kept_copy', 40, 29],
    ['kept_queued', null, null],
  ] as const;
  for (const [name, mail, copy] of cases) {
    const { member } = await invite(`${name}@example.com`);
    await pool.query('update invitations set expires_at = $2, link_expires_at = $3 where user_id = $1', [
      member.id,
      past(mail),
      past(copy),
    ]);
  }
  expect(await purgeInvitations(db)).toBe(3);
  const { rows } = await pool.query('select email from invitations join users on id = user_id order by user_id');
  expect(rows.map(({ email }) => email.split('@')[0])).toEqual(['kept_mail', 'kept_copy', 'kept_queued']);
});

test('a brand is limited to a hundred mails per hour', async () => {
  const { call, members, admin, pool, brandId } = await useOnboarding();
  await pool.query(
    `insert into audit_log (brand_id, action, details) select $1, 'member.invited', '{"member_id": 0}' from generate_series(1, 100)`,
    [brandId],
  );
  const answer = await call(admin.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer' });
  expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  expect((await pool.query("select from users where email = 'luis@example.com'")).rowCount).toBe(0);
});

test('an operator’s link is not replaced by a mail that is retried later', async () => {
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

  // spec: §7 create brand
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
    expect(mailer.mails[0]).toMatchObject({ subject: 'Your invitation to “Nordlys” on Brand Portal' });
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

  test('again, after a lost answer or from two tabs, is refused: the owner has one brand of the name, and gets one mail', async () => {
    const { call, db, pool, runJobs, mailer } = await useOnboarding();
    const staff = await createTestUser(db);
    await pool.query('update users set is_staff = true where id = $1', [staff.id]);
    const person = await createTestUser(db, 'Nora');
    for (const owner_email of [body.owner_email, person.email]) {
      const create = (fields = {}) => call(staff.headers, 'POST', '/api/v1/brands/', { ...body, owner_email, ...fields });
      const answers = await Promise.all([create(), create({ name: ' Nordlys ' }), create()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(await create({ owner_email: owner_email.toUpperCase() })).toMatchObject({
        body: { code: 'brand_exists' },
      });
      expect((await create({ name: 'Nordlys Home' })).status).toBe(201);
    }
    await runJobs();
    expect(mailer.mails).toHaveLength(4);
  });

  test('is possible again after the brand was deleted', async () => {
    const { call, db, pool } = await useOnboarding();
    const staff = await createTestUser(db);
    await pool.query('update users set is_staff = true where id = $1', [staff.id]);
    const create = () => call(staff.headers, 'POST', '/api/v1/brands/', body);
    const { id } = (await create()).body;
    await pool.query('update brands set deleted_at = now() where id = $1', [id]);
    expect((await create()).status).toBe(201);
  });
});

describe('someone who has an account', () => {
  async function useAccount() {
    const onboarding = await useOnboarding();
    const { db, brandId, admin } = onboarding;
    const person = await createTestUser(db, 'Luisa');
    await createTestMember(db, await createTestBrand(db, 'Own'), 'owner');
    const invitation = { email: person.email, role: 'editor' as const, first_name: 'Whatever' };
    const member = await inviteMember(db, admin.id, brandId, invitation);
    const own = '/api/v1/users/me/invitations/';
    const isMember = async () => (await findMembership(db, brandId, person.id)) !== undefined;
    return { ...onboarding, person, member, own, isMember };
  }

  test('does not join without accepting, also not by signing in, and their name is not shown', async () => {
    const { member, isMember, db, person, runJobs, mailer } = await useAccount();
    expect(member).toMatchObject({ status: 'invited', first_name: 'Whatever', last_name: '' });
    await linkUser(db, { subject: 'another|1', email: person.email, firstName: 'Luisa', lastName: '' });
    expect(await isMember()).toBe(false);
    await runJobs();
    expect(mailer.mails).toHaveLength(1);
    expect(mailer.mails[0]?.text).toContain('accept or decline the invitation there');
    expect(mailer.mails[0]?.text).not.toContain('token=');
  });

  test('sees the invitation, accepts it and is a member under their own name', async () => {
    const { call, person, own, isMember, brandId, owner, members, audits, pool } = await useAccount();
    expect((await call(person.headers, 'GET', own)).body.results).toEqual([
      { brand_id: brandId, brand_name: expect.any(String), role: 'editor', invited_by: expect.stringMatching(/\S/) },
    ]);
    expect((await call(person.headers, 'POST', `${own}${brandId}/accept/`)).status).toBe(204);
    expect(await isMember()).toBe(true);
    expect((await call(owner.headers, 'GET', members)).body.results.at(-1)).toMatchObject({
      status: 'active',
      first_name: 'Luisa',
    });
    expect((await call(person.headers, 'GET', own)).body.results).toEqual([]);
    expect((await call(person.headers, 'POST', `${own}${brandId}/accept/`)).body.code).toBe('invitation_invalid');
    expect((await audits()).at(-1)).toMatchObject({ action: 'member.activated', details: { by: 'accepted' } });
    expect((await pool.query('select from invitations')).rowCount, 'the link ends').toBe(0);
  });

  test('declines it, and is no longer a member of the brand', async () => {
    const { call, person, own, isMember, brandId, owner, members, member } = await useAccount();
    expect((await call(person.headers, 'POST', `${own}${brandId}/decline/`)).status).toBe(204);
    expect(await isMember()).toBe(false);
    const { results } = (await call(owner.headers, 'GET', members)).body;
    expect(results.map(({ id }: { id: number }) => id)).not.toContain(member.id);
    expect((await call(person.headers, 'POST', `${own}${brandId}/decline/`)).body.code).toBe('invitation_invalid');
  });

  test('cannot accept it after the link of its mail has expired', async () => {
    const { call, person, own, brandId, pool, runJobs } = await useAccount();
    await runJobs();
    await pool.query(`update invitations set expires_at = now() - interval '1 minute'`);
    expect((await call(person.headers, 'GET', own)).body.results).toEqual([]);
    expect((await call(person.headers, 'POST', `${own}${brandId}/accept/`)).body.code).toBe('invitation_invalid');
  });

  test('declines to be the only owner: the brand is left without one, for the operator to name another', async () => {
    const { call, db, own } = await useAccount();
    const person = await createTestUser(db);
    const brandId = await createTestBrand(db, 'Unwanted');
    await addMember(db, { brandId, userId: person.id, role: 'owner', status: 'invited' });
    expect((await call(person.headers, 'POST', `${own}${brandId}/decline/`)).status).toBe(204);
    expect(await listMembers(db, brandId)).toEqual({ results: [] });
    expect(await inviteOwner(db, null, brandId, 'heir@example.com')).toMatchObject({ role: 'owner' });
  });

  test('sees and answers no invitation of somebody else', async () => {
    const { call, db, own, brandId } = await useAccount();
    const stranger = await createTestUser(db);
    expect((await call(stranger.headers, 'GET', own)).body.results).toEqual([]);
    for (const answer of ['accept', 'decline']) {
      expect((await call(stranger.headers, 'POST', `${own}${brandId}/${answer}/`)).status).toBe(404);
    }
  });

  test('can leave a brand, except as its last owner', async () => {
    const { call, person, own, isMember, brandId, owner, audits } = await useAccount();
    await call(person.headers, 'POST', `${own}${brandId}/accept/`);
    expect((await call(person.headers, 'POST', `/api/v1/brands/${brandId}/leave/`)).status).toBe(204);
    expect(await isMember()).toBe(false);
    expect((await audits()).at(-1)).toMatchObject({ action: 'member.removed', user_id: person.id });
    const last = await call(owner.headers, 'POST', `/api/v1/brands/${brandId}/leave/`);
    expect(last).toMatchObject({ status: 409, body: { code: 'last_owner' } });
  });

  test('is a member at once if the operator adds them', async () => {
    const { db, brandId } = await useOnboarding();
    const { email } = await createTestUser(db);
    expect(await inviteMember(db, null, brandId, { email, role: 'viewer' })).toMatchObject({ status: 'active' });
  });
});
