import {
  getCurrentUser,
  getProviderUser,
  getRuntimeConfig,
  logIn,
  logOut,
  logOutEverywhere,
  type RuntimeConfig,
  refreshAccessToken,
  syncUser as syncUserEndpoint,
} from '@brand-portal/contract/identity';
import { type Db, inTransaction } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Provider } from './provider.ts';
import { endSession, endSessionsOfUser, getLiveSession, startSession } from './sessions.ts';
import { getUser, linkUser, rememberSignIn, syncUser, toWireUser } from './users.ts';

interface Dependencies {
  readonly db: Db;
  readonly accessTokens: AccessTokens;
  readonly provider: Provider;
  readonly runtimeConfig: RuntimeConfig;
  /** Embedded provider only: ends one session of an account there, or all of them. */
  readonly endProviderSessions?: ((subject: string, session?: string) => Promise<void>) | undefined;
}

export function registerIdentityRoutes(
  route: Route,
  { db, accessTokens, provider, runtimeConfig, endProviderSessions }: Dependencies,
): void {
  route(logIn, async ({ body, request }) => {
    const profile = await provider.verify(body.token);
    const user = await linkUser(db, profile);
    const origin = {
      token: body.token,
      providerSession: profile.providerSession,
      address: request.ip,
      userAgent: request.headers['user-agent'],
    };
    const visit = { address: request.ip, language: languageOf(request) };
    const session = await inTransaction(db, async (db) => {
      await rememberSignIn(db, user, visit);
      return startSession(db, user.id, origin);
    });
    const access = await accessTokens.sign({ userId: user.id, sessionId: session.id });
    return { access, refresh: session.refresh, user: toWireUser(user) };
  });

  route(syncUserEndpoint, async ({ body, userId }) => {
    return toWireUser(await syncUser(db, userId, await provider.verify(body.token)));
  });

  route(refreshAccessToken, async ({ body }) => {
    const session = await getLiveSession(db, body.refresh);
    return { access: await accessTokens.sign({ userId: session.user_id, sessionId: session.id }) };
  });

  route(logOut, async ({ body }) => {
    const session = await endSession(db, body.refresh);
    if (!session?.provider_session) return;
    const { provider_subject: subject } = await getUser(db, session.user_id);
    if (subject) await endProviderSessions?.(subject, session.provider_session);
  });

  route(logOutEverywhere, async ({ userId }) => {
    await endSessionsOfUser(db, userId);
    const { provider_subject: subject } = await getUser(db, userId);
    if (subject) await endProviderSessions?.(subject);
  });

  route(getCurrentUser, async ({ userId }) => toWireUser(await getUser(db, userId)));

  route(getProviderUser, async ({ userId }) => {
    const { provider_subject, email, first_name, last_name } = await getUser(db, userId);
    // Linking requires a verified e-mail.
    return { sub: provider_subject ?? '', email, email_verified: true, first_name, last_name };
  });

  route(getRuntimeConfig, async () => runtimeConfig);
}
