import { allowsKeys, type Endpoint } from '@brand-portal/contract/endpoint';
import { type Role, roleIncludes } from '@brand-portal/contract/roles';
import type { FastifyRequest } from 'fastify';
import type { Db } from './db/database.ts';
import { AppError, brandNotFound, permissionDenied } from './errors.ts';
import type { Caller, Gate } from './http/route.ts';
import { isApiKey, verifyKey } from './modules/api-keys/api-keys.ts';
import type { AccessTokens } from './modules/identity/access-tokens.ts';
import { checkSession } from './modules/identity/sessions.ts';
import { getUser } from './modules/identity/users.ts';
import {
  admitMember,
  findMembership,
  findSessionAndMembership,
  type Membership,
} from './modules/members/memberships.ts';
import { getBrandIdOfVariant } from './modules/variants/variants.ts';

/** Authenticates a request by its access token or API key, and authorises it by the endpoint's `access` in the contract. */
export function createGate(db: Db, accessTokens: AccessTokens): Gate {
  /** Also called by the rate limit, so the result is cached per request. */
  const callers = new WeakMap<FastifyRequest, Promise<Caller>>();
  /** The caller's membership of the brand that the path of a read names, read with their session. */
  const memberships = new WeakMap<FastifyRequest, Membership | undefined>();

  async function identify(request: FastifyRequest): Promise<Caller> {
    const token = bearerToken(request);
    if (!isApiKey(token)) {
      const bearer = await accessTokens.verify(token);
      const brandId = brandOfRead(request);
      const { session, membership } = await findSessionAndMembership(db, { ...bearer, brandId });
      await checkSession(db, { ...bearer, session }, request.ip);
      if (brandId !== undefined) memberships.set(request, membership);
      return bearer;
    }
    const { userId, ...key } = await verifyKey(db, token);
    return { userId, key };
  }

  function authenticate(request: FastifyRequest): Promise<Caller> {
    const caller = callers.get(request) ?? identify(request);
    callers.set(request, caller);
    return caller;
  }

  async function requireRoleInBrand({ userId, key }: Caller, request: FastifyRequest, brandId: number, required: Role) {
    if (!key) {
      const membership = memberships.has(request)
        ? memberships.get(request)
        : await findMembership(db, brandId, userId);
      return admitMember(db, { brandId, userId, membership }, required);
    }
    if (key.brandId !== brandId) throw brandNotFound();
    if (!roleIncludes(key.role, required)) throw permissionDenied({ role: key.role, required_role: required });
  }

  async function authorize(caller: Caller, request: FastifyRequest, endpoint: Endpoint) {
    const { access, path } = endpoint;
    if (caller.key && !allowsKeys(endpoint)) {
      throw new AppError('key_not_allowed', 'An API key cannot do this: it takes a person who is signed in.');
    }
    switch (access) {
      case 'public':
      case 'signed_in':
        return;
      case 'staff':
        if (!(await getUser(db, caller.userId)).is_staff) throw permissionDenied();
        return;
      default: {
        const { brandId, variantId } = request.params as { brandId?: number; variantId?: number };
        if (brandId !== undefined) return requireRoleInBrand(caller, request, brandId, access);
        // The variant's brand, if it is one of the caller's.
        if (variantId !== undefined) {
          const itsBrandId = await getBrandIdOfVariant(db, variantId, caller.userId);
          return requireRoleInBrand(caller, request, itsBrandId, access);
        }
        // A mistake in the contract must not grant access.
        throw new Error(`${path} requires a role, but its path has neither a brand nor a variant`);
      }
    }
  }

  return { authenticate, authorize };
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
