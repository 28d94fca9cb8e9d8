import { PAGES } from '@brand-portal/contract/pages';
import type { Db } from '@brand-portal/server/db/database.ts';
import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import { KNOWN_BROWSER_COOKIE, persistentCookie, readCookie } from './cookies.ts';
import { type FormRoute, isForeign, languageOf, rememberLanguage, sendPage } from './forms.ts';
import { type LoginProblem, loginPage } from './login-page.ts';
import { endSession } from './logout-routes.ts';
import { messagePage } from './message-page.ts';
import type { Passwords } from './passwords.ts';
import { signIn } from './sign-in.ts';

interface LoginRoute extends FormRoute {
  Params: { uid: string };
}

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

interface Login {
  readonly db: Db;
  readonly provider: Provider;
  readonly passwords: Passwords;
  readonly publicUrl: string;
  readonly sendsMail: boolean;
}

/** The sign-in page and its form. */
export function registerLogin(app: FastifyInstance, { db, provider, passwords, publicUrl, sendsMail }: Login): void {
  app.get<LoginRoute>('/login/:uid', { schema: { hide: true } }, async (request, reply) => {
    rememberLanguage(request, reply, publicUrl);
    const interaction = await findInteraction(request, reply);
    if (!interaction) return sendStale(request, reply);
    const hint = interaction.params.login_hint;
    return sendForm(request, reply, interaction, { email: typeof hint === 'string' ? hint : '' });
  });

  app.post<LoginRoute>('/login/:uid', { schema: { hide: true } }, async (request, reply) => {
    const interaction = await findInteraction(request, reply);
    if (!interaction || isForeign(request, publicUrl)) return sendStale(request, reply);
    const email = (request.body?.get('email') ?? '').trim();
    const password = request.body?.get('password') ?? '';
    if (!email) return sendForm(request, reply, interaction, { email, problem: { kind: 'email_missing' } });
    if (!password) return sendForm(request, reply, interaction, { email, problem: { kind: 'password_missing' } });

    const outcome = await signIn(db, passwords, {
      email,
      password,
      address: request.ip,
      knownBrowser: readCookie(request.headers.cookie, KNOWN_BROWSER_COOKIE),
    });
    if (outcome.kind !== 'signed_in') {
      request.log.info({ outcome: outcome.kind }, 'Sign-in refused');
      if (outcome.kind === 'wrong' && outcome.subject) auditRefusal(request, outcome.subject);
      return sendForm(request, reply, interaction, { email, problem: outcome });
    }
    reply.header('set-cookie', persistentCookie(KNOWN_BROWSER_COOKIE, outcome.knownBrowser, publicUrl));
    await endOtherAccountSession(request, reply, interaction, outcome.subject);
    const login = { accountId: outcome.subject, amr: ['pwd'] };
    return reply.redirect(await provider.interactionResult(request.raw, reply.raw, { login }), 303);
  });

  /**
   * Not awaited: the response time must not reveal whether the account exists. Nothing is stored for unknown accounts: the text could be
   * anything, and strangers must not fill the log.
   */
  function auditRefusal(request: FastifyRequest, subject: string): void {
    const details = { reason: 'wrong_password', address: request.ip };
    auditAccount(db, subject, 'user.sign_in_refused', details).catch((error: unknown) =>
      request.log.error({ err: error }, 'A refused sign-in could not be written to the audit log'),
    );
  }

  /** The cookie is bound to this URL and browser, so a form sent from another site or machine does not have it. */
  async function findInteraction(request: FastifyRequest<LoginRoute>, reply: FastifyReply) {
    try {
      const interaction = await provider.interactionDetails(request.raw, reply.raw);
      return interaction.uid === request.params.uid ? interaction : undefined;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Ends the session of another account first. Otherwise the library would show its own page to switch accounts. */
  async function endOtherAccountSession(
    request: FastifyRequest,
    reply: FastifyReply,
    interaction: Interaction,
    subject: string,
  ): Promise<void> {
    const session = await provider.Session.get(provider.createContext(request.raw, reply.raw));
    if (!session.accountId || session.accountId === subject) return;
    await endSession(provider, session);
    interaction.session = undefined;
    await interaction.persist();
  }

  function sendForm(
    request: FastifyRequest<LoginRoute>,
    reply: FastifyReply,
    interaction: Interaction,
    form: { email: string; problem?: LoginProblem },
  ) {
    const wait = form.problem?.kind === 'wait' ? form.problem.seconds : undefined;
    if (wait !== undefined) reply.header('retry-after', wait);
    const language = languageOf(request, interaction.params.ui_locales);
    const status = wait !== undefined ? 429 : form.problem ? 400 : 200;
    return sendPage(reply, status, loginPage({ language, canReset: sendsMail, ...form }));
  }

  function sendStale(request: FastifyRequest<LoginRoute>, reply: FastifyReply) {
    const page = messagePage({ language: languageOf(request), message: 'stale', backTo: publicUrl + PAGES.login });
    return sendPage(reply, 400, page);
  }
}
