import { randomUUID } from 'node:crypto';
import type { KeyRole } from '@brand-portal/contract/api-keys';
import type { Role } from '@brand-portal/contract/roles';
import type { Db } from '../src/db/database.ts';
import { readConfig } from '../src/lib/config.ts';
import { createApiKey } from '../src/people/api-keys/api-keys.ts';
import { createBrand } from '../src/people/brands/brands.ts';
import { createAccessTokens } from '../src/people/identity/access-tokens.ts';
import { startSession } from '../src/people/identity/sessions.ts';
import { createSigningKeys } from '../src/people/identity/signing-keys.ts';
import { linkUser } from '../src/people/identity/users.ts';
import { addMember } from '../src/people/members/memberships.ts';

export interface TestUser {
  readonly id: number;
  readonly email: string;
  /** The headers of a signed-in browser. */
  readonly headers: { readonly authorization: string };
}

export async function createTestUser(db: Db, name = 'Ada Byron'): Promise<TestUser> {
  const [firstName = '', lastName = ''] = name.split(' ');
  const email = `${firstName.toLowerCase()}.${randomUUID().slice(0, 8)}@example.com`;
  const { id } = await linkUser(db, { subject: randomUUID(), email, firstName, lastName });
  const session = await startSession(db, id, { token: randomUUID() });
  const access = await createAccessTokens(createSigningKeys(db)).sign({ userId: id, sessionId: session.id });
  return { id, email, headers: { authorization: `Bearer ${access}` } };
}

export function createTestBrand(db: Db, name = 'Acme'): Promise<number> {
  return createBrand(db, null, { name, status: 'active' });
}

export async function createTestMember(db: Db, brandId: number, role: Role, name?: string): Promise<TestUser> {
  const user = await createTestUser(db, name);
  await addMember(db, { brandId, userId: user.id, role, status: 'active' });
  return user;
}

/** An API key. `id` is the user that the key acts as. */
export async function createTestKey(db: Db, maker: TestUser, brandId: number, role: KeyRole): Promise<TestUser & { readonly key: string }> {
  const made = await createApiKey(db, maker.id, brandId, { name: `Key of a ${role}`, role, expires_in_days: 30 }, readConfig({}).quotas);
  return { id: made.id, email: made.prefix, headers: { authorization: `Bearer ${made.key}` }, key: made.key };
}
