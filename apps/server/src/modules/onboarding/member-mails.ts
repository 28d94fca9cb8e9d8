import { DEFAULT_LANGUAGE, LANGUAGES } from '@brand-portal/contract/constants';
import { fullName } from '@brand-portal/contract/people';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/database.ts';
import { getBrand } from '../brands/brands.ts';
import { findUserName } from '../identity/users.ts';
import { type Mailer, RecipientRefused } from '../mail/mailer.ts';
import { type MemberMail, memberMail } from '../mail/member-mails.ts';
import { INVITATION_DAYS, invitationLink, issueToken } from './invitation-tokens.ts';
import type { AddedNoticeJob, InvitationJob } from './mail-jobs.queries.ts';
import { findMember } from './members.queries.ts';

interface Dependencies {
  readonly db: Db;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
}

/**
 * The token is made here and nowhere earlier, so that it never lies in the queue. A sending that fails is tried again
 * with another one: whichever mail arrives last has the link that works.
 */
export async function sendInvitation(deps: Dependencies, { brand_id, user_id }: InvitationJob): Promise<void> {
  const issued = await issueToken(deps.db, brand_id, user_id);
  // Withdrawn, or accepted, since it was asked for.
  if (!issued) return;
  const { token, language, invited_by } = issued;
  const link = invitationLink(deps.publicUrl, token);
  await sendMemberMail(deps, { brand_id, user_id }, { kind: 'invitation', language, link, invitedBy: invited_by });
}

export async function sendAddedNotice(deps: Dependencies, job: AddedNoticeJob): Promise<void> {
  const language = LANGUAGES.find((known) => known === job.language) ?? DEFAULT_LANGUAGE;
  await sendMemberMail(deps, job, { kind: 'added', language, link: deps.publicUrl, invitedBy: job.added_by });
}

interface Sending extends Pick<MemberMail, 'kind' | 'language' | 'link'> {
  readonly invitedBy: number | null;
}

async function sendMemberMail(deps: Dependencies, ids: InvitationJob, sending: Sending): Promise<void> {
  const { db, mailer, logger } = deps;
  const { invitedBy, ...given } = sending;
  const member = await findMember(db, ids.brand_id, ids.user_id);
  if (!member) return;
  const brand = await getBrand(db, ids.brand_id);
  const inviter = invitedBy === null ? undefined : await findUserName(db, invitedBy);
  const mail = memberMail({
    ...given,
    email: member.email,
    name: fullName(member),
    brand: brand.name,
    role: member.role,
    inviter: inviter ?? '',
    invitationDays: INVITATION_DAYS,
  });
  await mailer.send(mail).catch((error: unknown) => {
    if (!(error instanceof RecipientRefused)) throw error;
    // Those who invited can see that nothing came of it, and resend; a job that repeats itself would help nobody.
    logger.warn({ ...ids, reason: error.message }, 'The mail server refuses the recipient of a mail');
  });
}
