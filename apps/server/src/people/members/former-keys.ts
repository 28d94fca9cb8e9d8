import type { KeysOfMember, Member } from '@brand-portal/contract/members';
import type { Db } from '../../db/database.ts';
import { type Jobs, queueJob } from '../../queue/queue.ts';
import { listKeysOf, revokeApiKey } from '../api-keys/api-keys.ts';
import { getFeed, revokeFeedOf } from '../api-keys/feed-url.ts';

interface Former {
  readonly actor: number | null;
  readonly brandId: number;
  readonly member: Member;
  readonly change: Jobs['send_keys_notice']['change'];
  readonly keys: KeysOfMember;
  /** The owners who get an email. */
  readonly owners: readonly number[];
}

const MAX_NAMED = 10;

/** API keys and the feed URL belong to the brand, but their creator may know them. Call it when somebody may no longer create any. */
export async function settleKeys(db: Db, { actor, brandId, member, change, keys, owners }: Former): Promise<void> {
  const live = await listKeysOf(db, brandId, member.id);
  const feed = await getFeed(db, brandId);
  const creators = [member.id, ...live.map(({ id }) => id)];
  const hasFeed = feed.state === 'active' && feed.creator_id !== null && creators.includes(feed.creator_id);
  if (live.length === 0 && !hasFeed) return;
  const revoked = keys === 'revoke';
  if (revoked) {
    for (const { id } of live) await revokeApiKey(db, actor, brandId, id);
    await revokeFeedOf(db, actor, brandId, member.id);
  }
  const names = live.slice(0, MAX_NAMED).map(({ name }) => name);
  const facts = { member_id: member.id, change, names, count: live.length, feed: hasFeed, revoked, changed_by: actor };
  for (const user_id of owners) await queueJob(db, 'send_keys_notice', { brand_id: brandId, user_id, ...facts });
}
