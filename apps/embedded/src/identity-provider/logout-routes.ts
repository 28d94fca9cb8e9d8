import type { FastifyInstance } from 'fastify';
import type Provider from 'oidc-provider';
import { languageOf, sendPage } from './forms.ts';
import { messagePage } from './message-page.ts';

interface LogoutRoute {
  Querystring: { client_id?: string; returnTo?: string; language?: string };
}

interface Logout {
  readonly provider: Provider;
  readonly publicUrl: string;
  /** Must have the same flags as when the session cookie was set; otherwise the browser would keep it. */
  readonly sessionCookie: { name: string; options: object };
}

/** Auth0's own logout, which its SDK uses: ends the session, then returns to the application. */
export function registerLogout(app: FastifyInstance, { provider, publicUrl, sessionCookie }: Logout): void {
  app.get<LogoutRoute>('/v2/logout', { schema: { hide: true } }, async (request, reply) => {
    const { returnTo = publicUrl } = request.query;
    if (!isOurs(returnTo)) {
      const page = messagePage({ language: languageOf(request), message: 'logout_refused', backTo: publicUrl });
      return sendPage(reply, 400, page);
    }
    const context = provider.createContext(request.raw, reply.raw);
    const session = await provider.Session.get(context);
    await endSession(provider, session);
    context.cookies.set(sessionCookie.name, null, sessionCookie.options);
    return reply.header('cache-control', 'no-store').redirect(returnTo, 302);
  });

  function isOurs(returnTo: unknown): boolean {
    return typeof returnTo === 'string' && URL.canParse(returnTo) && new URL(returnTo).origin === publicUrl;
  }
}

type Session = Awaited<ReturnType<Provider['Session']['get']>>;

/** Ends a session with all its grants. */
export async function endSession(provider: Provider, session: Session): Promise<void> {
  const grantIds = Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
  await Promise.all(
    grantIds.flatMap((grantId) => [
      provider.AccessToken.revokeByGrantId(grantId),
      provider.RefreshToken.revokeByGrantId(grantId),
      provider.AuthorizationCode.revokeByGrantId(grantId),
      provider.Grant.adapter.destroy(grantId),
    ]),
  );
  await session.destroy();
}
