import { errors, jwtVerify, SignJWT } from 'jose';
import { BoundedMap } from '../../lib/bounded-map.ts';
import { AppError } from '../../lib/errors.ts';
import type { SigningKeys } from './signing-keys.ts';

const LIFETIME = '15 minutes';
const ALGORITHM = 'HS256';
const ISSUER = 'brand-portal';
const AUDIENCE = 'brand-portal-api';

export interface AccessTokens {
  sign(bearer: TokenBearer): Promise<string>;
  /** Returns the user and session of the token. Throws if it is invalid. Does not check whether the session has ended. */
  verify(token: string): Promise<TokenBearer>;
}

export interface TokenBearer {
  readonly userId: number;
  readonly sessionId: number;
}

/** A page makes dozens of calls with one token, and checking its signature costs as much as a small query. */
const REMEMBERED_TOKENS = 5_000;

interface Verified {
  readonly bearer: TokenBearer;
  readonly keyId: string;
  /** In seconds since 1970, like the token's `exp`. */
  readonly expires: number;
}

export function createAccessTokens(signingKeys: SigningKeys): AccessTokens {
  const verified = new BoundedMap<string, Verified>(REMEMBERED_TOKENS);

  return {
    sign: async ({ userId, sessionId }) => {
      const key = await signingKeys.current();
      return new SignJWT({ sid: String(sessionId) })
        .setProtectedHeader({ alg: ALGORITHM, kid: key.id })
        .setSubject(String(userId))
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(LIFETIME)
        .sign(key.secret);
    },
    verify: async (token) => {
      const known = verified.get(token);
      // Tokens of a deleted key are refused: it may have been stolen, and have signed a token without an end.
      if (known && known.expires > Date.now() / 1000 && (await signingKeys.find(known.keyId))) return known.bearer;
      verified.delete(token);
      const findSecret = async ({ kid }: { kid?: string }) => {
        const key = kid === undefined ? undefined : await signingKeys.find(kid);
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        return key.secret;
      };
      const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE };
      try {
        const { payload, protectedHeader } = await jwtVerify(token, findSecret, options);
        const bearer = { userId: Number(payload.sub), sessionId: Number(payload.sid) };
        if (!Number.isSafeInteger(bearer.sessionId)) throw new errors.JWTClaimValidationFailed('no session', payload);
        verified.set(token, { bearer, keyId: protectedHeader.kid ?? '', expires: payload.exp ?? 0 });
        return bearer;
      } catch (error) {
        // The key could not be read from the database: an error of the server, not a bad token.
        if (!(error instanceof errors.JOSEError)) throw error;
        throw new AppError('unauthenticated', 'The access token is not valid or has expired.');
      }
    },
  };
}
