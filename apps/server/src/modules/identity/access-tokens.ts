import { errors, jwtVerify, SignJWT } from 'jose';
import { AppError } from '../../errors.ts';
import type { SigningKeys } from './signing-keys.ts';

const LIFETIME = '15 minutes';
const ALGORITHM = 'HS256';
const ISSUER = 'brand-portal';
const AUDIENCE = 'brand-portal-api';

export interface AccessTokens {
  sign(userId: number): Promise<string>;
  /** The id of the user that the token was signed for; refuses everything that is not a valid token of ours. */
  verify(token: string): Promise<number>;
}

/** A page makes dozens of calls with one token, and checking its signature costs as much as a small query. */
const REMEMBERED_TOKENS = 5_000;

interface Verified {
  readonly userId: number;
  /** In seconds, as the token has it. */
  readonly expires: number;
}

export function createAccessTokens(signingKeys: SigningKeys): AccessTokens {
  const verified = new Map<string, Verified>();

  function remember(token: string, verdict: Verified): void {
    verified.set(token, verdict);
    const [oldest] = verified.keys();
    if (verified.size > REMEMBERED_TOKENS && oldest !== undefined) verified.delete(oldest);
  }

  return {
    sign: async (userId) => {
      const key = await signingKeys.current();
      return new SignJWT()
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
      if (known && known.expires > Date.now() / 1000) return known.userId;
      verified.delete(token);
      const findSecret = async ({ kid }: { kid?: string }) => {
        const key = kid === undefined ? undefined : await signingKeys.find(kid);
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        return key.secret;
      };
      const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE };
      try {
        const { payload } = await jwtVerify(token, findSecret, options);
        const userId = Number(payload.sub);
        remember(token, { userId, expires: payload.exp ?? 0 });
        return userId;
      } catch (error) {
        // An outage of the database while looking a key up is not the caller's fault.
        if (!(error instanceof errors.JOSEError)) throw error;
        throw new AppError('unauthenticated', 'The access token is not valid or has expired.');
      }
    },
  };
}
