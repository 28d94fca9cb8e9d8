import { type BrandStatus, refusalOfStatus } from '@brand-portal/contract/brand-status';
import { allowsKeys, type Endpoint } from '@brand-portal/contract/endpoint';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { FastifyRequest } from 'fastify';
import { getBrandIdOfVariant } from '../catalog/variants/variants.ts';
import { type Db, GATE_CONNECTIONS } from '../db/database.ts';
import { explainRefusal } from '../http/admission.ts';
import type { Caller, Gate } from '../http/route.ts';
import { BoundedMap } from '../lib/bounded-map.ts';
import { AppError, brandNotFound, permissionDenied, refusedByStatus } from '../lib/errors.ts';
import { FairQueue } from '../lib/fair-queue.ts';
import { isApiKey, verifyKey } from '../people/api-keys/api-keys.ts';
import type { AccessTokens } from '../people/identity/access-tokens.ts';
import { hashSecretToken } from '../people/identity/secret-tokens.ts';
import { checkSession } from '../people/identity/sessions.ts';
import { getUser } from '../people/identity/users.ts';
import { admitMember, findMembership, findSessionAndMembership, type Membership } from '../people/members/memberships.ts';

/** Each check takes about a millisecond, so hundreds of one member pass within the time that they may wait. */
const CHECKS = { total: GATE_CONNECTIONS, each: 2, waiting: 200, waitMs: 5_000 };
/** How long a verified API key is known without the database. Only the rate limit relies on it. */
const KEY_KNOWN_MS = 60_000;
const KNOWN_KEYS = 5_000;

/**
 * Authenticates a request by its access token or API key, and authorizes it by the endpoint's `access` in the contract. `db` is the pool
 * that nothing else uses, and one caller gets at most half of it. `supportEmail`: whom to ask about the status of a brand.
 */
export function createGate(db: Db, accessTokens: AccessTokens, supportEmail: string): Gate {
  const checks = new FairQueue(CHECKS);
  const knownKeys = new BoundedMap<string, { readonly userId: number; readonly until: number }>(KNOWN_KEYS);
  /** The caller's membership of the brand that the path of a read names, read with their session. */
  const memberships = new WeakMap<FastifyRequest, Membership | undefined>();

  async function identify(request: FastifyRequest): Promise<Caller> {
    const token = bearerToken(request);
    if (!isApiKey(token)) {
      const bearer = await accessTokens.verify(token);
      const brandId = brandOfRead(request);
      return check(`member ${bearer.userId}`, async () => {
        const { session, membership } = await findSessionAndMembership(db, { ...bearer, brandId });
        await checkSession(db, { ...bearer, session }, request.ip);
        if (brandId !== undefined) memberships.set(request, membership);
        return bearer;
      });
    }
    const tokenHash = hashSecretToken(token).toString('hex');
    return check(`key ${tokenHash}`, async () => {
      const { userId, ...key } = await verifyKey(db, token);
      knownKeys.set(tokenHash, { userId, until: performance.now() + KEY_KNOWN_MS });
      return { userId, key };
    });
  }

  function check<T>(caller: string, work: () => Promise<T>): Promise<T> {
    return checks.run([caller], work).catch(explainRefusal);
  }

  async function recognize(request: FastifyRequest): Promise<number | undefined> {
    const token = bearerToken(request);
    if (!isApiKey(token)) return (await accessTokens.verify(token)).userId;
    const known = knownKeys.get(hashSecretToken(token).toString('hex'));
    return known && known.until > performance.now() ? known.userId : undefined;
  }

  /** Returns the status of the brand. */
  async function requireRoleInBrand(
    { userId, key }: Caller,
    request: FastifyRequest,
    brandId: number,
    required: Role,
  ): Promise<BrandStatus> {
    if (!key) {
      const membership = memberships.has(request) ? memberships.get(request) : await findMembership(db, brandId, userId);
      return (await admitMember(db, { brandId, userId, membership }, required)).brand_status;
    }
    if (key.brandId !== brandId) throw brandNotFound();
    if (!roleIncludes(key.role, required)) throw permissionDenied({ role: key.role, required_role: required });
    return key.brandStatus;
  }

  async function authorize(caller: Caller, request: FastifyRequest, endpoint: Endpoint): Promise<number | undefined> {
    const { access, path } = endpoint;
    if (caller.key && !allowsKeys(endpoint)) {
      throw new AppError('key_not_allowed', 'An API key cannot do this: it takes a person who is signed in.');
    }
    switch (access) {
      case 'public':
      case 'signed_in':
        return undefined;
      case 'staff':
        if (!(await getUser(db, caller.userId)).is_staff) throw permissionDenied();
        return undefined;
      default: {
        const { brandId: named, variantId } = request.params as { brandId?: number; variantId?: number };
        // A mistake in the contract must not grant access.
        if (named === undefined && variantId === undefined)
          throw new Error(`${path} requires a role, but its path has neither a brand nor a variant`);
        // Else the variant's brand, if it is one of the caller's.
        const brandId = named ?? (await getBrandIdOfVariant(db, variantId ?? 0, caller.userId));
        const status = await requireRoleInBrand(caller, request, brandId, access);
        const refusal = refusalOfStatus(endpoint, status, request.body);
        if (refusal) throw refusedByStatus(refusal, supportEmail);
        return brandId;
      }
    }
  }

  return {
    recognize: (request) => recognize(request).catch(() => undefined),
    authenticate: identify,
    authorize: (caller, request, endpoint) => check(`member ${caller.userId}`, () => authorize(caller, request, endpoint)),
  };
}

/**
 * The brand of a read, whose path is not validated yet. Undefined: it names no brand, or will be refused. A write has a body that may
 * arrive slowly: its membership is read afterwards, when the body is there.
 */
function brandOfRead(request: FastifyRequest): number | undefined {
  if (request.method !== 'GET') return undefined;
  const { brandId = '' } = request.params as { brandId?: string };
  return /^[1-9]\d{0,14}$/.test(brandId) ? Number(brandId) : undefined;
}

function bearerToken(request: FastifyRequest): string {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!token) {
    const how = 'Please sign in. A script sends its API key in the header "Authorization: Bearer bp_…".';
    throw new AppError('unauthenticated', how);
  }
  return token;
}
