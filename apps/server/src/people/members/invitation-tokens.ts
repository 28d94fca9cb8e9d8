import { PAGES } from '@brand-portal/contract/pages';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { createSecretToken, hashSecretToken } from '../identity/secret-tokens.ts';
import { updateCopiedLink, updateToken } from './invitations.queries.ts';

/** Lifetime of a link. */
export const INVITATION_DAYS = 7;

interface IssuedToken extends Pick<Schema['invitations'], 'language' | 'invited_by'> {
  /** For a mail, or the operator's terminal. */
  readonly token: string;
}

/** A new link for an invitation. Earlier links stop working. Undefined if there is no invitation. */
export async function issueToken(db: Db, brandId: number, userId: number): Promise<IssuedToken | undefined> {
  const token = createSecretToken();
  const link = { tokenHash: hashSecretToken(token), days: INVITATION_DAYS };
  const invitation = await updateToken(db, { brandId, userId, ...link });
  return invitation && { ...invitation, token };
}

/** A link that an admin passes on. The previous one stops working. */
export async function issueCopiedLink(db: Db, brandId: number, userId: number) {
  const token = createSecretToken();
  const link = { linkHash: hashSecretToken(token), days: INVITATION_DAYS };
  return { token, expires_at: await updateCopiedLink(db, { brandId, userId, ...link }) };
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}${PAGES.verifyEmail}?token=${token}`;
}
