import { DEFAULT_LANGUAGE, LANGUAGES } from '@brand-portal/contract/constants';
import { PAGES } from '@brand-portal/contract/pages';
import { fullName } from '@brand-portal/contract/people';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/database.ts';
import { type Mailer, sendUnlessRefused } from '../../mail/mailer.ts';
import { type MemberMail, memberMail } from '../../mail/member-mails.ts';
import type { Jobs } from '../../queue/queue.ts';
import { isBrandDeleted } from '../../writes/brand-lock.ts';
import { getBrand } from '../brands/brands.ts';
import { findPerson, hasAccount } from '../identity/users.ts';
import { INVITATION_DAYS, invitationLink, issueToken } from './invitation-tokens.ts';
import { findMember } from './members.queries.ts';

interface Dependencies {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
}

/**
 * The token is created here, so that it is never stored in the queue. A retry creates another one: the link in the latest mail works.
 */
export async function sendInvitation(deps: Dependencies, { brand_id, user_id }: Jobs['send_invitation']): Promise<void> {
  const issued = await issueToken(deps.db, brand_id, user_id);
  // Withdrawn or accepted in the meantime.
  if (!issued) return;
  const { token, language, invited_by } = issued;
  // People with an account need no link to create one: they find the invitation after signing in.
  const how = (await hasAccount(deps.db, user_id))
    ? ({ kind: 'invitation_to_account', link: deps.publicUrl } as const)
    : ({ kind: 'invitation', link: invitationLink(deps.publicUrl, token), linkLasts: INVITATION_DAYS } as const);
  await sendMemberMail(deps, { brand_id, user_id }, { ...how, language, doneBy: invited_by });
}

export async function sendAddedNotice(deps: Dependencies, job: Jobs['send_added_notice']): Promise<void> {
  const language = LANGUAGES.find((known) => known === job.language) ?? DEFAULT_LANGUAGE;
  await sendMemberMail(deps, job, { kind: 'added', language, link: deps.publicUrl, doneBy: job.added_by });
}

/** With the current role. No mail if they are no longer a member. */
export async function sendRoleNotice(deps: Dependencies, job: Jobs['send_role_notice']): Promise<void> {
  const user = await findPerson(deps.db, job.user_id);
  if (!user) return;
  const sending = { kind: 'role_changed', language: user.language, link: deps.publicUrl } as const;
  await sendMemberMail(deps, job, { ...sending, doneBy: job.changed_by });
}

export async function sendRemovedNotice(deps: Dependencies, job: Jobs['send_removed_notice']): Promise<void> {
  const user = await findPerson(deps.db, job.user_id);
  if (!user) return;
  const actor = await findActor(deps.db, job.removed_by);
  const mail = { kind: 'removed', ...user, brand: job.brand_name, actor, link: deps.publicUrl } as const;
  await sendUnlessRefused(deps, memberMail(mail), { user_id: job.user_id });
}

/** To an owner. No mail if they are no longer a member. */
export async function sendKeysNotice(deps: Dependencies, job: Jobs['send_keys_notice']): Promise<void> {
  const owner = await findPerson(deps.db, job.user_id);
  if (!owner) return;
  const member = await findPerson(deps.db, job.member_id);
  const { change, names, count, feed, revoked } = job;
  const keys = {
    change,
    names,
    feed,
    revoked,
    more: count - names.length,
    member: member?.name || member?.email || '',
  };
  const link = deps.publicUrl + PAGES.apiKeys.replace(':id', String(job.brand_id));
  await sendMemberMail(deps, job, { kind: 'keys', language: owner.language, link, keys, doneBy: job.changed_by });
}

interface Sending extends Pick<MemberMail, 'kind' | 'language' | 'link' | 'linkLasts' | 'keys'> {
  readonly doneBy: number | null;
}

async function sendMemberMail(deps: Dependencies, ids: Jobs['send_invitation'], sending: Sending): Promise<void> {
  const { db } = deps;
  const { brand_id, user_id } = ids;
  const { doneBy, ...given } = sending;
  const member = await findMember(db, brand_id, user_id);
  // No mail about a brand that was deleted in the meantime: its link would lead nowhere.
  if (!member || (await isBrandDeleted(db, brand_id))) return;
  const { email, role } = member;
  const brand = await getBrand(db, brand_id);
  const actor = await findActor(db, doneBy);
  const mail = memberMail({ ...given, email, name: fullName(member), brand: brand.name, role, actor });
  await sendUnlessRefused(deps, mail, { brand_id, user_id });
}

async function findActor(db: Db, userId: number | null): Promise<MemberMail['actor']> {
  return userId === null ? undefined : findPerson(db, userId);
}
