// @module-tag empty-installation
import { describe, expect, test, vi } from 'vitest';
import { createTestKey, createTestMember } from '../../../test/people.ts';
import { WAITING_FOR_LOCK } from '../../../test/test-database.ts';
import { deleteAccount } from '../account/account.ts';
import { listApiKeys } from '../api-keys/api-keys.ts';
import { createFeed, getFeed } from '../api-keys/feed-url.ts';
import { PUBLIC_URL, useOnboarding } from './test-support/onboarding.ts';

/** An admin who has created two keys, and the feed URL with one of them. Another member has a key too. */
async function useKeys() {
  const portal = await useOnboarding();
  const { db, brandId, admin, owner, call, runJobs, mailer, members } = portal;
  const second = await createTestMember(db, brandId, 'owner', 'Omar Haddad');
  const key = await createTestKey(db, admin, brandId, 'admin');
  await createTestKey(db, admin, brandId, 'viewer');
  await createTestKey(db, owner, brandId, 'editor');
  await createFeed(db, key.id, brandId, PUBLIC_URL);
  const states = async () => ({
    keys: Object.fromEntries((await listApiKeys(db, brandId)).results.map(({ name, state }) => [name, state])),
    feed: (await getFeed(db, brandId)).state,
  });
  const mailTo = async (address: string) => {
    await runJobs();
    return mailer.mails.find(({ to, subject }) => to.address === address && subject.startsWith('API keys of'))?.text;
  };
  const remove = (headers: Record<string, string>, query = '') => call(headers, 'DELETE', `${members}${admin.id}/${query}`);
  return { ...portal, second, states, mailTo, remove };
}

const REVOKED = {
  keys: { 'Key of a admin': 'revoked', 'Key of a viewer': 'revoked', 'Key of a editor': 'active' },
  feed: 'revoked',
};
const KEPT = {
  keys: { 'Key of a admin': 'active', 'Key of a viewer': 'active', 'Key of a editor': 'active' },
  feed: 'active',
};

describe('the API keys and the feed URL of a person', () => {
  test('are revoked when they are removed, and the other owners get an email', async () => {
    const { remove, states, mailTo, owner, second, admin, audits } = await useKeys();
    expect((await remove(owner.headers)).status).toBe(204);
    expect(await states()).toEqual(REVOKED);
    expect(await mailTo(second.email)).toContain(
      'Olivia Lindqvist removed Ana Torres from “Casa Verde”. Their API keys were revoked: “Key of a viewer”, “Key of a admin”. The feed URL that they created was revoked.',
    );
    expect(await mailTo(owner.email)).toBeUndefined();
    expect(await mailTo(admin.email)).toBeUndefined();
    expect((await audits()).slice(-4).map(({ action, user_id }) => [action, user_id])).toEqual([
      ['api_key.revoked', owner.id],
      ['api_key.revoked', owner.id],
      ['channel.feed_revoked', owner.id],
      ['member.removed', owner.id],
    ]);
  });

  test('are kept on request, which the email says', async () => {
    const { remove, states, mailTo, owner, second } = await useKeys();
    expect((await remove(owner.headers, '?keys=keep')).status).toBe(204);
    expect(await states()).toEqual(KEPT);
    expect(await mailTo(second.email)).toContain(
      'Their API keys still work: “Key of a viewer”, “Key of a admin”. The feed URL that they created still works.',
    );
  });

  test('are revoked when they leave', async () => {
    const { call, states, mailTo, brandId, admin, owner } = await useKeys();
    expect((await call(admin.headers, 'POST', `/api/v1/brands/${brandId}/leave/`)).status).toBe(204);
    expect(await states()).toEqual(REVOKED);
    expect(await mailTo(owner.email)).toContain('Ana Torres left “Casa Verde”. Their API keys were revoked:');
  });

  test('are revoked when they delete their account, and the email does not name them', async () => {
    const { db, directory, states, mailTo, admin, owner } = await useKeys();
    await deleteAccount({ db, directory }, admin.id, admin.email, { error: () => {} } as never);
    expect(await states()).toEqual(REVOKED);
    expect(await mailTo(owner.email)).toContain('A former member left “Casa Verde”. Their API keys were revoked:');
  });

  test.each([
    ['editor', REVOKED],
    ['owner', KEPT],
  ])('when their role becomes %s', async (role, expected) => {
    const { call, states, mailTo, members, admin, owner, second } = await useKeys();
    expect((await call(owner.headers, 'PATCH', `${members}${admin.id}/`, { role })).status).toBe(200);
    expect(await states()).toEqual(expected);
    const mail = await mailTo(second.email);
    if (expected === KEPT) expect(mail).toBeUndefined();
    else expect(mail).toContain('Olivia Lindqvist changed the role of Ana Torres in “Casa Verde”.');
  });

  test('cannot be created while their creator is being removed', async () => {
    const { db, brandId, admin, database } = await useKeys();
    const remover = await database.pool.connect();
    await remover.query('begin');
    await remover.query('delete from brand_members where brand_id = $1 and user_id = $2', [brandId, admin.id]);
    const made = Promise.allSettled([createTestKey(db, admin, brandId, 'editor'), createFeed(db, admin.id, brandId, PUBLIC_URL)]);
    await vi.waitFor(async () => expect((await database.pool.query(WAITING_FOR_LOCK)).rows).toHaveLength(2));
    await remover.query('commit');
    remover.release();
    expect(await made).toMatchObject([
      { status: 'rejected', reason: { code: 'brand_not_found' } },
      { status: 'rejected', reason: { code: 'brand_not_found' } },
    ]);
  });

  test('are nobody else’s: removing a member without keys sends no email', async () => {
    const { db, brandId, call, members, states, mailTo, owner, second } = await useKeys();
    const other = await createTestMember(db, brandId, 'admin');
    await call(owner.headers, 'DELETE', `${members}${other.id}/`);
    expect(await states()).toEqual(KEPT);
    expect(await mailTo(second.email)).toBeUndefined();
  });
});
