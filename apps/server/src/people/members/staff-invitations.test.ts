// @module-tag empty-installation
import { expect, test } from 'vitest';
import { createTestUser } from '../../../test/people.ts';
import { AppError } from '../../lib/errors.ts';
import { linkUser } from '../identity/users.ts';
import { purgeInvitations } from './invitations.ts';
import { grantStaff, revokeStaff } from './staff-invitations.ts';
import { useOnboarding } from './test-support/onboarding.ts';

async function useStaff() {
  const onboarding = await useOnboarding();
  const { db, pool } = onboarding;
  const grant = async (email: string) => {
    const { link } = await grantStaff(db, 'https://portal.example', email);
    return new URL(link ?? 'https://portal.example/').searchParams.get('token') ?? '';
  };
  const staff = async () => (await pool.query('select email, provider_subject from users where is_staff order by id')).rows;
  return { ...onboarding, grant, staff };
}

test('someone without an account gets a link that makes one, which is platform staff', async () => {
  const { grant, status, verify, setup, staff, directory } = await useStaff();
  const token = await grant(' Ada@example.com ');
  const member = { email: 'Ada@example.com', name: '', first_name: '', last_name: '' };
  const expected = { ...member, parent_company: '', role: 'viewer', is_staff: true };
  expect(await status(token)).toEqual({ status: 200, body: { verified: false, member: expected } });
  expect(await setup(token)).toMatchObject({ status: 403, body: { code: 'email_not_verified' } });
  expect(await verify(token)).toEqual({ status: 200, body: { verified: true, member: expected } });
  expect(await setup(token, { first_name: 'Ada' })).toEqual({ status: 200, body: { email: 'Ada@example.com' } });
  expect(directory.accounts.get('Ada@example.com')).toMatchObject({ firstName: 'Ada' });
  expect(await staff()).toEqual([{ email: 'Ada@example.com', provider_subject: 'auth0|1' }]);
  // It works once.
  expect(await status(token)).toMatchObject({ status: 404, body: { code: 'invitation_invalid' } });
  expect(await setup(token)).toMatchObject({ status: 404, body: { code: 'invitation_invalid' } });
});

test('someone with an account gets no link', async () => {
  const { db, grant, staff } = await useStaff();
  const user = await createTestUser(db);
  expect(await grant(user.email)).toBe('');
  expect(await staff()).toMatchObject([{ email: user.email }]);
});

test('the link stops working when another one is made, the right is taken back, they sign in, or it expires', async () => {
  const { db, pool, grant, status, staff } = await useStaff();
  const works = async (token: string) => (await status(token)).status === 200;
  const first = await grant('ada@example.com');
  const second = await grant('ada@example.com');
  expect([await works(first), await works(second)]).toEqual([false, true]);
  await revokeStaff(db, 'ada@example.com');
  expect([await works(second), await staff()]).toEqual([false, []]);

  const third = await grant('ada@example.com');
  await linkUser(db, { subject: 'auth0|9', email: 'ada@example.com', firstName: 'Ada', lastName: '' });
  expect([await works(third), await staff()]).toEqual([false, [{ email: 'ada@example.com', provider_subject: 'auth0|9' }]]);

  const fourth = await grant('bo@example.com');
  await pool.query('update staff_invitations set expires_at = now()');
  expect(await works(fourth)).toBe(false);
  expect(await purgeInvitations(db)).toBe(2);
});

test('a set-up that fails at the provider can be repeated, and one at a time runs', async () => {
  const { grant, verify, setup, directory } = await useStaff();
  const token = await grant('ada@example.com');
  await verify(token);
  const create = directory.createOrUpdateUser;
  directory.createOrUpdateUser = async () => {
    expect(await setup(token)).toMatchObject({ status: 409, body: { code: 'setup_in_progress' } });
    throw new AppError('provider_unavailable', 'The identity provider cannot be reached.');
  };
  expect(await setup(token)).toMatchObject({ status: 503 });
  directory.createOrUpdateUser = create;
  expect(await setup(token)).toMatchObject({ status: 200 });
});

test('the right that is taken back while the account is made is not given by it', async () => {
  const { db, grant, verify, setup, directory, staff } = await useStaff();
  const token = await grant('ada@example.com');
  await verify(token);
  directory.createOrUpdateUser = async () => {
    await revokeStaff(db, 'ada@example.com');
    return { subject: 'auth0|7' };
  };
  expect(await setup(token)).toMatchObject({ status: 404, body: { code: 'invitation_invalid' } });
  expect(await staff()).toEqual([]);
});

test('if the account is another user’s by another address, that user becomes staff', async () => {
  const { db, grant, verify, setup, directory, staff } = await useStaff();
  await linkUser(db, { subject: 'auth0|5', email: 'ada.byron@example.com', firstName: 'Ada', lastName: '' });
  const token = await grant('ada@example.com');
  await verify(token);
  directory.createOrUpdateUser = async () => ({ subject: 'auth0|5' });
  expect(await setup(token)).toMatchObject({ status: 200 });
  expect(await staff()).toEqual([{ email: 'ada.byron@example.com', provider_subject: 'auth0|5' }]);
});
