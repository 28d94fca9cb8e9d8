import { PAGES } from '@brand-portal/contract/pages';
import type { Db } from '@brand-portal/server/db/database.ts';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { findProtocolAccount } from './accounts.ts';
import { createAdapterFactory } from './adapter.ts';
import { languageOf, PAGE_HEADERS } from './forms.ts';
import type { ProviderKeys } from './keys.ts';
import { messagePage } from './pages.ts';
import { MOUNT_PATH, ROUTES } from './paths.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface Installation {
  readonly db: Db;
  readonly publicUrl: string;
  readonly clientId: string;
  readonly keys: ProviderKeys;
}

export function providerConfiguration({ db, publicUrl, clientId, keys }: Installation): Configuration {
  const secure = publicUrl.startsWith('https:');
  return {
    adapter: createAdapterFactory(db),
    jwks: keys.jwks,
    routes: ROUTES,
    clients: [
      {
        client_id: clientId,
        // A browser cannot keep a secret. PKCE, which is required for such clients, protects the code instead.
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [publicUrl + PAGES.callback],
      },
    ],
    responseTypes: ['code'],
    clientBasedCORS: (_ctx, origin) => origin === publicUrl,
    scopes: ['openid', 'offline_access'],
    claims: {
      // A custom claim: the session of the token, so that both sides end it together.
      openid: ['sub', 'session'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    // Auth0 puts these into the ID token, the only source of its SDK's `user`.
    conformIdTokenClaims: false,
    findAccount: (_ctx, subject, token) => findProtocolAccount(db, subject, (token as { sessionUid?: string } | undefined)?.sessionUid),
    loadExistingGrant: findOrMakeGrant,
    // The library drops `offline_access` without a consent prompt, which Auth0 does not show for first-party apps.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Reuse of a rotated token reveals a theft; the adapter allows a leeway for tabs.
    rotateRefreshToken: true,
    // Signing out ends every token of the session, in every tab.
    expiresWithSession: async () => true,
    interactions: { policy: signInPolicy(), url: (_ctx, { uid }) => `${MOUNT_PATH}/login/${uid}` },
    cookies: {
      keys: keys.cookieKeys,
      names: { session: 'idp_session', interaction: 'idp_interaction', resume: 'idp_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, secure, path: MOUNT_PATH },
      // Without a path: the library binds each cookie to the one URL that may read it.
      short: { httpOnly: true, sameSite: 'lax', signed: true, secure },
    },
    ttl: {
      AuthorizationCode: MINUTE,
      AccessToken: HOUR,
      IdToken: HOUR,
      Interaction: 30 * MINUTE,
      // The same lifetime for all: a refresh token is useless without its grant and its session.
      RefreshToken: 30 * DAY,
      Grant: 30 * DAY,
      Session: 30 * DAY,
    },
    renderError: (ctx, out, error) => renderError(ctx, out.error_description, error),
    features: {
      // Features that the portal does not use are off. `/v2/logout` replaces the standard logout.
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
    },
  };
}

function signInPolicy(): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  // Without this check a session of a deleted account causes an internal error.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the account of this session does not exist any more',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    );
  return policy;
}

/** There is one application, our own, so every request is granted without consent. */
async function findOrMakeGrant({ oidc }: KoaContextWithOIDC) {
  const { client, session, account, provider } = oidc;
  if (!client || !session || !account) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const found = grantId ? await provider.Grant.find(grantId) : undefined;
  const grant =
    found?.accountId === account.accountId ? found : new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  // Clears the expiry, so that the grant is saved with a new one and outlives the refresh token created next.
  grant.exp = undefined;
  await grant.save();
  return grant;
}

function renderError(ctx: KoaContextWithOIDC, detail: string | undefined, error: Error): void {
  const known = error instanceof errors.OIDCProviderError;
  const stale = error instanceof errors.SessionNotFound;
  ctx.set(PAGE_HEADERS);
  ctx.body = messagePage({
    language: languageOf(ctx, ctx.query.ui_locales),
    message: stale ? 'stale' : known ? 'error' : 'unavailable',
    detail: known && !stale ? detail : undefined,
  });
}
