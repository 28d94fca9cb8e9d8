// @module-tag empty-installation
import { describe, expect, test, vi } from 'vitest';
import { createTestBrand, createTestUser } from '../../../test/people.ts';
import { WAITING_FOR_LOCK } from '../../../test/test-database.ts';
import { inTransaction } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { linkUser } from '../identity/users.ts';
import { inviteMember } from './invitations.ts';
import { lockMember, lockOwners } from './members.queries.ts';
import { addMember } from './memberships.ts';
import { acceptInvitation } from './own-invitations.ts';
import { GOOD_PASSWORD, useOnboarding } from './test-support/onboarding.ts';

const invalid = {
  status: 404,
  body: { code: 'invitation_invalid', detail: 'The verification token is invalid or has expired.' },
};
const outage = () => new AppError('provider_unavailable', 'The identity provider cannot be reached.');

/** An invited person who has verified their address. */
async function useVerified(email = 'luis@example.com') {
  const onboarding = await useOnboarding();
  const { member, token } = await onboarding.invite(email);
  await onboarding.verify(token);
  const memberStatus = async () => {
    const { rows } = await onboarding.pool.query('select status from brand_members where user_id = $1', [member.id]);
    return rows[0]?.status;
  };
  return { ...onboarding, member, token, memberStatus };
}

describe('the onboarding of an invited person', () => {
  // spec: §1 invited people, §3 verification status, §7 verification status
  test('leads from the link to the verified e-mail, an account and a membership', async () => {
    const { invite, status, verify, setup, directory, pool, call, owner, members, audits } = await useOnboarding();
    const { member, token } = await invite('luis@example.com', 'viewer');
    const noName = { name: '', first_name: '', last_name: '' };
    const expected = { email: 'luis@example.com', ...noName, parent_company: 'Casa Verde', role: 'viewer' };
    expect(await status(token)).toEqual({ status: 200, body: { verified: false, member: expected } });
    expect(await verify(token)).toEqual({ status: 200, body: { verified: true, member: expected } });
    expect(await status(token)).toEqual({ status: 200, body: { verified: true, member: expected } });

    const names = { first_name: ' Luis ', last_name: 'Vega' };
    expect(await setup(token, names)).toEqual({ status: 200, body: { email: 'luis@example.com' } });
    expect(directory.accounts.get('luis@example.com')).toMatchObject({ password: GOOD_PASSWORD, firstName: 'Luis' });
    expect((await call(owner.headers, 'GET', members)).body.results.at(-1)).toEqual({
      id: member.id,
      email: 'luis@example.com',
      first_name: 'Luis',
      last_name: 'Vega',
      role: 'viewer',
      status: 'active',
    });
    const { rows } = await pool.query('select provider_subject from users where id = $1', [member.id]);
    expect(rows[0].provider_subject).toBe('auth0|1');
    expect((await audits()).map(({ action }) => action).slice(-3)).toEqual([
      'member.invited',
      'invitation.email_verified',
      'member.activated',
    ]);
  });

  test('shows the name that the inviting admin gave', async () => {
    const { call, owner, members, runJobs, mailer, status } = await useOnboarding();
    const names = { first_name: 'Luis', last_name: 'Vega' };
    await call(owner.headers, 'POST', members, { email: 'luis@example.com', role: 'viewer', ...names });
    await runJobs();
    const { body } = await status(mailer.tokenFor('luis@example.com'));
    expect(body.member).toMatchObject({ name: 'Luis Vega', ...names });
  });

  test('clicking twice, or in two tabs, verifies once', async () => {
    const { invite, verify, audits } = await useOnboarding();
    const { token } = await invite('luis@example.com');
    const answers = await Promise.all([verify(token), verify(token), verify(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await audits()).filter(({ action }) => action === 'invitation.email_verified')).toHaveLength(1);
  });

  test('accepts one brand’s invitation only; another brand’s link still works', async () => {
    const { db, invite, verify, setup, runJobs, mailer, status, directory } = await useOnboarding();
    const { token } = await invite('luis@example.com');
    const other = await createTestBrand(db, 'Other');
    await inviteMember(db, null, other, { email: 'luis@example.com', role: 'viewer' });
    await runJobs();
    const otherToken = mailer.tokenFor('luis@example.com');
    await verify(token);
    expect((await setup(token)).status).toBe(200);
    expect(await status(otherToken)).toMatchObject({ status: 200, body: { verified: false } });
    await verify(otherToken);
    expect((await setup(otherToken, { password: 'Another.one8' })).status).toBe(200);
    expect(directory.accounts.size).toBe(1);
  });
});

describe('a token', () => {
  test.each(['', 'x'.repeat(201)])('of the wrong length is refused as a bad request', async (token) => {
    const { status, verify, setup } = await useOnboarding();
    for (const answer of [await status(token), await verify(token), await setup(token)]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });

  test.each(['garbage', 'a'.repeat(43), "' or 1=1 --", '../../etc'])('that is %j is invalid', async (token) => {
    const { status, verify, setup } = await useOnboarding();
    for (const answer of [await status(token), await verify(token), await setup(token)]) {
      expect(answer).toMatchObject(invalid);
    }
  });

  test('that has expired is invalid', async () => {
    const { pool, token, status, verify, setup, directory } = await useVerified();
    await pool.query("update invitations set expires_at = now() - interval '1 second'");
    for (const answer of [await status(token), await verify(token), await setup(token)]) {
      expect(answer).toMatchObject(invalid);
    }
    expect(directory.calls).toBe(0);
  });

  test('is valid for seven days', async () => {
    const { pool } = await useVerified();
    const { rows } = await pool.query("select expires_at - now() between '6 days 23:59' and '7 days' as week from invitations");
    expect(rows).toEqual([{ week: true }]);
  });

  test('that was used is invalid', async () => {
    const { token, status, verify, setup, directory } = await useVerified();
    await setup(token);
    for (const answer of [await status(token), await verify(token), await setup(token)]) {
      expect(answer).toMatchObject(invalid);
    }
    expect(directory.calls).toBe(1);
  });

  test('of a member who was removed is invalid', async () => {
    const { call, owner, members, member, token, status, setup } = await useVerified();
    await call(owner.headers, 'DELETE', `${members}${member.id}/`);
    expect(await status(token)).toMatchObject(invalid);
    expect(await setup(token)).toMatchObject(invalid);
  });

  test('that was replaced is invalid, and the new one must be verified itself', async () => {
    const { call, owner, members, member, token, setup, runJobs, mailer } = await useVerified();
    await call(owner.headers, 'POST', `${members}${member.id}/resend/`);
    await runJobs();
    expect(await setup(token)).toMatchObject(invalid);
    const answer = await setup(mailer.tokenFor('luis@example.com'));
    expect(answer).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
  });
});

describe('a password', () => {
  test.each([
    ['Aa1!', 'Password must be at least 8 characters long'],
    ['lower.case1', 'Password must contain at least one uppercase letter'],
    ['UPPER-CASE1!', 'Password must contain at least one lowercase letter'],
    ['No-numbers!', 'Password must contain at least one number'],
    ['NoSpecial1-_', 'Password must contain at least one special character'],
  ])('%j breaks a rule that the server checks too', async (password, message) => {
    const { setup, token, directory, status } = await useVerified();
    const answer = await setup(token, { password });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'password_too_weak', fields: { password: expect.stringContaining(message) } },
    });
    expect(directory.calls).toBe(0);
    expect((await status(token)).status).toBe(200);
  });

  test.each(['ñandú.del.Ártico7', 'ÑANDÚ.é7', 'Ωmega.größe7'])(
    '%j is accepted: non-ASCII letters count as upper- and lower-case',
    async (password) => {
      const { setup, token } = await useVerified();
      expect((await setup(token, { password })).status).toBe(200);
    },
  );

  // spec: §5 password length
  test('that breaks several rules gets all of them in the answer', async () => {
    const { setup, token } = await useVerified();
    expect((await setup(token, { password: '-' })).body.fields.password).toBe(
      [
        'Password must be at least 8 characters long',
        'Password must contain at least one uppercase letter',
        'Password must contain at least one lowercase letter',
        'Password must contain at least one number',
        'Password must contain at least one special character',
      ].join('. '),
    );
  });

  test('is refused before the e-mail is verified', async () => {
    const { invite, setup, directory } = await useOnboarding();
    const { token } = await invite('luis@example.com');
    expect(await setup(token)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
    expect(directory.calls).toBe(0);
  });
});

describe('concurrent submits', () => {
  test('create one account: the others get an answer that it is being created', async () => {
    const { setup, token, directory, memberStatus } = await useVerified();
    const provider = Promise.withResolvers<void>();
    directory.after = () => provider.promise;
    const answers: unknown[] = [];
    const submits = Array.from({ length: 4 }, async () => answers.push(await setup(token)));
    await vi.waitFor(() => expect(answers).toHaveLength(3), 5_000);
    const refused = expect.objectContaining({
      status: 409,
      body: expect.objectContaining({ code: 'setup_in_progress' }),
    });
    expect(answers).toEqual([refused, refused, refused]);
    provider.resolve();
    await Promise.all(submits);
    expect(answers[3]).toMatchObject({ status: 200 });
    expect(directory.calls).toBe(1);
    expect(await memberStatus()).toBe('active');
  });

  test('after a server crash during a submit the invitation is blocked for 30 seconds only', async () => {
    const { setup, token, pool } = await useVerified();
    await pool.query('update invitations set setup_started_at = now()');
    expect(await setup(token)).toMatchObject({ status: 409, body: { code: 'setup_in_progress' } });
    await pool.query("update invitations set setup_started_at = now() - interval '31 seconds'");
    expect((await setup(token)).status).toBe(200);
  });
});

describe('a provider that fails', () => {
  test('before it creates the account changes nothing, and the next attempt succeeds', async () => {
    const { setup, token, directory, memberStatus, status } = await useVerified();
    directory.before = async () => {
      throw outage();
    };
    expect(await setup(token)).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    expect(await memberStatus()).toBe('invited');
    expect(await status(token)).toMatchObject({ status: 200, body: { verified: true } });
    directory.before = async () => {};
    expect((await setup(token)).status).toBe(200);
  });

  test('after it has created the account, so that only its answer is lost: the next attempt uses that account', async () => {
    const { setup, token, directory, memberStatus } = await useVerified();
    directory.after = async () => {
      throw outage();
    };
    expect((await setup(token)).status).toBe(503);
    directory.after = async () => {};
    expect((await setup(token, { password: 'Second.try9' })).status).toBe(200);
    expect(directory.accounts.size).toBe(1);
    expect(directory.accounts.get('luis@example.com')?.password).toBe('Second.try9');
    expect(await memberStatus()).toBe('active');
  });

  test('because it finds the password too weak by its own rules has that reason in the answer', async () => {
    const { setup, token, directory } = await useVerified();
    directory.before = async () => {
      throw new AppError('password_too_weak', 'Please fix password requirements', {
        password: 'Password is too common',
      });
    };
    expect(await setup(token)).toMatchObject({ status: 422, body: { fields: { password: 'Password is too common' } } });
  });

  test('with an unexpected error does not block the invitation either', async () => {
    const { setup, token, directory } = await useVerified();
    directory.before = async () => {
      throw new TypeError('boom');
    };
    expect((await setup(token)).status).toBe(500);
    directory.before = async () => {};
    expect((await setup(token)).status).toBe(200);
  });
});

describe('while the provider is busy', () => {
  test('a withdrawn invitation creates no member', async () => {
    const { setup, token, directory, call, owner, members, member, memberStatus } = await useVerified();
    directory.after = async () => {
      await call(owner.headers, 'DELETE', `${members}${member.id}/`);
    };
    expect(await setup(token)).toMatchObject(invalid);
    expect(await memberStatus()).toBeUndefined();
  });

  test('an invitation that is accepted in another tab does not fail', async () => {
    const { setup, token, directory, db, brandId, memberStatus } = await useVerified();
    directory.after = async () => {
      const profile = { subject: 'auth0|1', email: 'luis@example.com', firstName: '', lastName: '' };
      await acceptInvitation(db, (await linkUser(db, profile)).id, brandId);
    };
    expect((await setup(token)).status).toBe(200);
    expect(await memberStatus()).toBe('active');
  });

  test('no connection to the database is held', async () => {
    const { setup, token, directory, pool } = await useVerified();
    directory.before = async () => expect(pool.idleCount).toBe(pool.totalCount);
    expect((await setup(token)).status).toBe(200);
  });
});

test('a concurrent set-up and withdrawal leave no member', async () => {
  const { invite, verify, setup, call, owner, members, pool } = await useOnboarding();
  for (let round = 0; round < 8; round++) {
    const { member, token } = await invite(`luis-${round}@example.com`);
    await verify(token);
    const [made, withdrawn] = await Promise.all([setup(token), call(owner.headers, 'DELETE', `${members}${member.id}/`)]);
    expect([200, 404]).toContain(made.status);
    expect(withdrawn.status).toBe(204);
    const { rows } = await pool.query('select from brand_members where user_id = $1', [member.id]);
    expect(rows).toHaveLength(0);
  }
});

test('if the account belongs to another existing user, that user becomes the member', async () => {
  const { setup, token, directory, db, pool, member, brandId } = await useVerified('new-address@example.com');
  const ada = await createTestUser(db, 'Ada Byron');
  const { rows } = await pool.query('select provider_subject from users where id = $1', [ada.id]);
  const person = { email: 'new-address@example.com', password: 'x', firstName: '', lastName: '' };
  directory.accounts.set(person.email, { ...person, subject: rows[0].provider_subject });
  expect((await setup(token)).status).toBe(200);
  const members = await pool.query('select user_id, status from brand_members where brand_id = $1', [brandId]);
  expect(members.rows).toContainEqual({ user_id: ada.id, status: 'active' });
  expect(members.rows.map(({ user_id }) => user_id)).not.toContain(member.id);
});

test.each([
  ['active', 'viewer', 'editor', 'editor'],
  ['active', 'owner', 'editor', 'owner'],
  ['invited', 'viewer', 'editor', 'editor'],
] as const)('if that user is a member already (%s, %s; invited as %s), the higher role counts: %s', async (...given) => {
  const [status, role, invitedAs, expected] = given;
  const { setup, token, directory, db, pool, member, brandId } = await useVerified('new-address@example.com');
  await pool.query('update brand_members set role = $2 where user_id = $1', [member.id, invitedAs]);
  const ada = await createTestUser(db, 'Ada Byron');
  const { rows } = await pool.query('select provider_subject from users where id = $1', [ada.id]);
  const person = { email: 'new-address@example.com', password: 'x', firstName: '', lastName: '' };
  directory.accounts.set(person.email, { ...person, subject: rows[0].provider_subject });
  await addMember(db, { brandId, userId: ada.id, role, status });
  expect((await setup(token)).status).toBe(200);
  const members = await pool.query('select role, status from brand_members where user_id = $1', [ada.id]);
  expect(members.rows).toEqual([{ role: expected, status: 'active' }]);
});

test('if that user is an owner, a simultaneous change of the invited member is not a deadlock', async () => {
  const { setup, token, directory, db, pool, member, brandId } = await useVerified('new-address@example.com');
  const ada = await createTestUser(db, 'Ada Byron');
  const { rows } = await pool.query('select provider_subject from users where id = $1', [ada.id]);
  const person = { email: 'new-address@example.com', password: 'x', firstName: '', lastName: '' };
  directory.accounts.set(person.email, { ...person, subject: rows[0].provider_subject });
  await addMember(db, { brandId, userId: ada.id, role: 'owner', status: 'active' });
  const { answer } = await inTransaction(db, async (db) => {
    await lockOwners(db, brandId);
    const answer = setup(token);
    await vi.waitFor(async () => expect((await pool.query(WAITING_FOR_LOCK)).rows).toHaveLength(1));
    await lockMember(db, brandId, member.id);
    return { answer };
  });
  expect((await answer).status).toBe(200);
});
