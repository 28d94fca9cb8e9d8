import type { Endpoint } from '@brand-portal/contract/endpoint';
import type { FastifyRequest } from 'fastify';
import type { Db } from './db/database.ts';
import { AppError, permissionDenied } from './errors.ts';
import type { Gate } from './http/route.ts';
import type { AccessTokens } from './modules/identity/access-tokens.ts';
import { getUser } from './modules/identity/users.ts';
import { admitMember } from './modules/members/memberships.ts';
import { requireRoleForVariant } from './modules/variants/variant-access.ts';

/** Whose a request is follows from its access token; whether it may pass, from what the contract declares. */
export function createGate(db: Db, accessTokens: AccessTokens): Gate {
  async function requireAccess(userId: number, request: FastifyRequest, { access, path }: Endpoint) {
    switch (access) {
      case 'public':
      case 'signed_in':
        return;
      case 'staff':
        if (!(await getUser(db, userId)).is_staff) throw permissionDenied();
        return;
      default: {
        const { brandId, variantId } = request.params as { brandId?: number; variantId?: number };
        if (brandId !== undefined) return admitMember(db, brandId, userId, access);
        // Its brand is the one that counts, found among the member's own.
        if (variantId !== undefined) return requireRoleForVariant(db, variantId, userId, access);
        // A mistake in the contract must never open a door.
        throw new Error(`${path} asks for a role, but names neither a brand nor a variant`);
      }
    }
  }

  return {
    authenticate: async (request) => accessTokens.verify(bearerToken(request)),
    authorize: requireAccess,
  };
}

function bearerToken(request: FastifyRequest): string {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!token) throw new AppError('unauthenticated', 'Please sign in.');
  return token;
}
