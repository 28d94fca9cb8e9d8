import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { deleteRecordsOfSession } from './adapter.queries.ts';
import { type FormRoute, formField, languageOf, type PagesDependencies, sendMessage, sendPage } from './forms.ts';
import { loginPage, type Problem } from './pages.ts';
import { checkPassword } from './sign-in.ts';
import { TEXTS } from './texts.ts';

interface LoginRoute extends FormRoute {
  Params: { uid: string };
}

type LoginRequest = FastifyRequest<LoginRoute>;
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The sign-in page with its form, and Auth0's own logout, which its SDK uses. */
export function registerLogin(app: FastifyInstance, deps: PagesDependencies): void {
  const { db, provider, publicUrl, sendsMail, sessionCookie } = deps;

  app.get<LoginRoute>('/login/:uid', { schema: { hide: true } }, async (request, reply) => {
    const interaction = await findInteraction(request, reply);
    if (!interaction) return sendMessage(request, reply, 400, 'stale');
    const hint = interaction.params.login_hint;
    const language = languageOf(request, interaction.params.ui_locales);
    return sendPage(reply, 200, loginPage({ language, email: typeof hint === 'string' ? hint : '', canReset: sendsMail }));
  });

  app.post<LoginRoute>('/login/:uid', { schema: { hide: true } }, async (request, reply) => {
    const interaction = await findInteraction(request, reply);
    if (!interaction) return sendMessage(request, reply, 400, 'stale');
    const language = languageOf(request, interaction.params.ui_locales);
    const texts = TEXTS[language];
    const email = formField(request, 'email').trim();
    const password = formField(request, 'password');
    const refuse = (status: number, problem: Problem) =>
      sendPage(reply, status, loginPage({ language, email, problem, canReset: sendsMail }));
    if (!email) return refuse(400, { text: texts.email_missing, field: 'email' });
    if (!password) return refuse(400, { text: texts.password_missing, field: 'password' });

    const outcome = await checkPassword(deps, { email, password, address: request.ip });
    if (outcome.kind !== 'right') request.log.info({ outcome: outcome.kind }, 'Sign-in refused');
    if (outcome.kind === 'wait') {
      reply.header('retry-after', outcome.seconds);
      return refuse(429, { text: texts.wait(outcome.seconds) });
    }
    if (outcome.kind === 'wrong') {
      if (outcome.subject) auditRefusal(request, outcome.subject);
      return refuse(400, { text: texts.wrong, field: 'password' });
    }
    await endOtherAccountSession(request, reply, interaction, outcome.subject);
    const login = { accountId: outcome.subject, amr: ['pwd'] };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, { login }), 303);
  });

  app.get<FormRoute>('/v2/logout', { schema: { hide: true } }, async (request, reply) => {
    const { returnTo = publicUrl } = request.query;
    const isOurs = typeof returnTo === 'string' && URL.canParse(returnTo) && new URL(returnTo).origin === publicUrl;
    if (!isOurs) return sendMessage(request, reply, 400, 'logout_refused');
    const context = provider.createContext(request.raw, reply.raw);
    const { accountId, uid } = await provider.Session.get(context);
    if (accountId) await deleteRecordsOfSession(db, accountId, uid);
    context.cookies.set(sessionCookie.name, null, sessionCookie.options);
    return reply.header('cache-control', 'no-store').redirect(returnTo, 302);
  });

  /**
   * Not awaited: the response time must not reveal whether the account exists. Nothing is stored for unknown accounts: the text could be
   * anything, and strangers must not fill the log.
   */
  function auditRefusal(request: LoginRequest, subject: string): void {
    const details = { reason: 'wrong_password', address: request.ip };
    auditAccount(db, subject, 'user.sign_in_refused', details).catch((error: unknown) =>
      request.log.error({ err: error }, 'A refused sign-in could not be written to the audit log'),
    );
  }

  /** The cookie is bound to this URL and browser, so a form sent from another site or machine does not have it. */
  async function findInteraction(request: LoginRequest, reply: FastifyReply): Promise<Interaction | undefined> {
    try {
      const interaction = await provider.interactionDetails(request.raw, reply.raw);
      return interaction.uid === request.params.uid ? interaction : undefined;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Ends the session of another account first. Otherwise the library would show its own page to switch accounts. */
  async function endOtherAccountSession(request: LoginRequest, reply: FastifyReply, interaction: Interaction, subject: string) {
    const { accountId, uid } = await provider.Session.get(provider.createContext(request.raw, reply.raw));
    if (!accountId || accountId === subject) return;
    await deleteRecordsOfSession(db, accountId, uid);
    interaction.session = undefined;
    await interaction.persist();
  }
}
