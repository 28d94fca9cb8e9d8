import { type ApiKey, type CreateApiKey, KEY_START, type NewApiKey } from '@brand-portal/contract/api-keys';
import type { BrandStatus } from '@brand-portal/contract/brand-status';
import type { Quotas } from '@brand-portal/contract/quotas';
import { audit } from '../../audit/audit.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { AppError, invalidFields } from '../../lib/errors.ts';
import { singleLine } from '../../mail/single-line.ts';
import { requireLastingAdmin } from '../../writes/lasting-role.ts';
import { findExceeded } from '../brands/quotas.ts';
import { createSecretToken, hashSecretToken } from '../identity/secret-tokens.ts';
import { createKeyUser } from '../identity/users.ts';
import * as queries from './api-keys.queries.ts';
import { revokeFeedOf } from './feed-url.ts';

/** Includes `bp_`. Enough to tell keys apart, too little to guess the rest. */
const PREFIX_LENGTH = KEY_START.length + 8;

export interface VerifiedKey {
  /** The user that the key acts as. */
  readonly userId: number;
  readonly brandId: number;
  readonly brandStatus: BrandStatus;
  readonly role: queries.FoundKey['role'];
  /** Its beginning, as members see it. */
  readonly prefix: string;
}

export function isApiKey(token: string): boolean {
  return token.startsWith(KEY_START);
}

/** Refuses a key that is wrong, revoked or expired, or whose brand is deleted. Records when it was used. */
export async function verifyKey(db: Db, token: string): Promise<VerifiedKey> {
  const key = await queries.findKey(db, hashSecretToken(token));
  if (!key) throw new AppError('api_key_invalid', 'There is no such API key. Please check that it was copied as a whole.');
  if (key.state === 'revoked')
    throw new AppError('api_key_revoked', 'This API key was revoked. Ask an owner or admin of the brand for a new one.');
  if (key.state === 'expired')
    throw new AppError('api_key_expired', 'This API key has expired. Ask an owner or admin of the brand for a new one.');
  if (key.has_deleted_brand)
    throw new AppError(
      'api_key_of_deleted_brand',
      'The brand of this API key was deleted. The key works again if an owner restores the brand.',
    );
  // A failed write is ignored, so that reads still work while the database is read-only.
  if (key.is_due) await queries.updateLastUse(db, key.user_id).catch(() => undefined);
  return {
    userId: key.user_id,
    brandId: key.brand_id,
    brandStatus: key.brand_status,
    role: key.role,
    prefix: token.slice(0, PREFIX_LENGTH),
  };
}

export async function listApiKeys(db: Db, brandId: number): Promise<{ results: ApiKey[] }> {
  return { results: (await queries.listKeys(db, brandId)).map(toApiKey) };
}

/** Only admins create keys, so no key can have more rights than its creator. */
export function createApiKey(db: Db, userId: number, brandId: number, fields: CreateApiKey, quotas: Quotas): Promise<NewApiKey> {
  const name = singleLine(fields.name);
  if (name === '') throw invalidFields({ name: 'must not be empty' });
  if (fields.role === 'admin' && fields.expires_in_days === null) {
    throw invalidFields({ expires_in_days: 'must be a number of days: an admin key always expires' });
  }
  const token = KEY_START + createSecretToken();
  return inTransaction(db, async (db) => {
    await requireLastingAdmin(db, brandId, userId);
    const exceeded = await findExceeded(db, brandId, quotas, 'api_keys', 1);
    if (exceeded) {
      throw new AppError('too_many_keys', `A brand can have ${exceeded.limit} live API keys. Revoke one first.`);
    }
    const key = await createKeyUser(db, name, token.slice(0, PREFIX_LENGTH));
    const { role, expires_in_days: days } = fields;
    await queries.insertKey(db, {
      userId: key.id,
      brandId,
      role,
      createdBy: userId,
      days,
      tokenHash: hashSecretToken(token),
    });
    const details = { key_id: key.id, name, role, expires_in_days: days };
    await audit(db, { brandId, userId, action: 'api_key.created', details });
    const [made] = await queries.listKeys(db, brandId, key.id);
    if (!made) throw new Error('The new API key was not found');
    return { ...toApiKey(made), key: token };
  });
}

/** Also revokes the feed URL that was created with the key. */
export function revokeApiKey(db: Db, userId: number | null, brandId: number, keyId: number): Promise<void> {
  return inTransaction(db, async (db) => {
    const [key] = await queries.listKeys(db, brandId, keyId);
    if (!key) throw new AppError('api_key_not_found', 'There is no such API key.');
    if (!(await queries.updateRevoked(db, brandId, keyId))) return;
    await audit(db, { brandId, userId, action: 'api_key.revoked', details: { key_id: keyId, name: key.name } });
    await revokeFeedOf(db, userId, brandId, keyId);
  });
}

/** Those that still work. */
export async function listKeysOf(db: Db, brandId: number, creatorId: number): Promise<ApiKey[]> {
  const { results } = await listApiKeys(db, brandId);
  return results.filter(({ creator_id, state }) => creator_id === creatorId && state === 'active');
}

function toApiKey({ created_at, expires_at, last_used_at, revoked_at, ...key }: queries.KeyRow): ApiKey {
  return {
    ...key,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    revoked_at: revoked_at?.toISOString() ?? null,
  };
}
