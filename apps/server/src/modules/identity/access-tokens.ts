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

export function createAccessTokens(signingKeys: SigningKeys): AccessTokens {
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
      const findSecret = async ({ kid }: { kid?: string }) => {
        const key = kid === undefined ? undefined : await signingKeys.find(kid);
        if (!key) throw new errors.JWSSignatureVerificationFailed();
        return key.secret;
      };
      const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE };
      try {
        const { payload } = await jwtVerify(token, findSecret, options);
        return Number(payload.sub);
      } catch (error) {
        // An outage of the database while looking a key up is not the caller's fault.
        if (!(error instanceof errors.JOSEError)) throw error;
        throw new AppError('unauthenticated', 'The access token is not valid or has expired.');
      }
    },
  };
}
