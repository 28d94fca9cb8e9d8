import {
  getCurrentUser,
  getProviderUser,
  getRuntimeConfig,
  logIn,
  logOut,
  type RuntimeConfig,
  refreshAccessToken,
  syncUser as syncUserEndpoint,
} from '@brand-portal/contract/identity';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { activateInvitedMemberships } from '../onboarding/activation.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { Provider } from './provider.ts';
import { endSession, getLiveSession, startSession } from './sessions.ts';
import { getUser, linkUser, syncUser, toWireUser } from './users.ts';

interface Dependencies {
  readonly db: Db;
  readonly accessTokens: AccessTokens;
  readonly provider: Provider;
  readonly runtimeConfig: RuntimeConfig;
}

export function registerIdentityRoutes(
  route: Route,
  { db, accessTokens, provider, runtimeConfig }: Dependencies,
): void {
  route(logIn, async ({ body }) => {
    const user = await linkUser(db, await provider.verify(body.token));
    await activateInvitedMemberships(db, user.id);
    const refresh = await startSession(db, user.id);
    return { access: await accessTokens.sign(user.id), refresh, user: toWireUser(user) };
  });

  route(syncUserEndpoint, async ({ body, userId }) => {
    return toWireUser(await syncUser(db, userId, await provider.verify(body.token)));
  });

  route(refreshAccessToken, async ({ body }) => {
    const session = await getLiveSession(db, body.refresh);
    return { access: await accessTokens.sign(session.user_id) };
  });

  route(logOut, async ({ body }) => {
    await endSession(db, body.refresh);
  });

  route(getCurrentUser, async ({ userId }) => toWireUser(await getUser(db, userId)));

  route(getProviderUser, async ({ userId }) => {
    const { provider_subject, email, first_name, last_name } = await getUser(db, userId);
    // Nobody is linked without a verified e-mail.
    return { sub: provider_subject ?? '', email, email_verified: true, first_name, last_name };
  });

  route(getRuntimeConfig, async () => runtimeConfig);
}
