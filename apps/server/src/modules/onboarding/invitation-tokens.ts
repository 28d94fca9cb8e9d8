import { createHash, randomBytes } from 'node:crypto';
import { PAGES } from '@brand-portal/contract/pages';
import type { Db } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { updateToken } from './invitations.queries.ts';

interface IssuedToken extends Pick<Schema['invitations'], 'language' | 'invited_by'> {
  /** Leaves the server once: in a mail, or on the operator's screen. Only its hash is kept. */
  readonly token: string;
}

/** A new link for an invitation, which makes every earlier one useless; nothing when nobody is invited. */
export async function issueToken(db: Db, brandId: number, userId: number): Promise<IssuedToken | undefined> {
  const token = randomBytes(32).toString('base64url');
  const invitation = await updateToken(db, { brandId, userId, tokenHash: hashToken(token) });
  return invitation && { ...invitation, token };
}

/** 32 random bytes cannot be guessed from their hash: one round of SHA-256 is enough. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}${PAGES.verifyEmail}?token=${token}`;
}
