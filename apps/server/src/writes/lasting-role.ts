import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { brandNotFound, permissionDenied } from '../lib/errors.ts';

/**
 * For what outlives a membership, such as a key: nobody removes or demotes the member, or revokes the API key, until the transaction ends.
 * So what is made is found and ended with them, or not made at all.
 */
export async function requireLastingAdmin(db: Db, brandId: number, userId: number): Promise<void> {
  const { rows: members } = await sql<{ role: Role }>`
    select role from brand_members where brand_id = ${brandId} and user_id = ${userId} and status = 'active' for share
  `.execute(db);
  const { rows: keys } = await sql<{ role: Role }>`
    select role from api_keys where brand_id = ${brandId} and user_id = ${userId} and revoked_at is null for share
  `.execute(db);
  const role = (members[0] ?? keys[0])?.role;
  if (!role) throw brandNotFound();
  if (!roleIncludes(role, 'admin')) throw permissionDenied();
}
