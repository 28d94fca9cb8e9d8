import { PAGES } from '@brand-portal/contract/pages';
import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Provider from 'oidc-provider';
import { findAccountBySubject, findPasswordHash } from './accounts.queries.ts';
import { replacePassword } from './accounts.ts';
import { KNOWN_BROWSER_COOKIE, MOUNT_PATH, makeKnownBrowser, persistentCookie } from './cookies.ts';
import { type FormRoute, isForeign, languageOf, rememberLanguage, sendPage } from './forms.ts';
import { type Message, messagePage } from './message-page.ts';
import { checkNewPassword, type ForgotProblem, forgotPage, newPasswordPage } from './password-pages.ts';
import { queueChangedNotice } from './password-reset.queries.ts';
import { findReset, redeemReset, requestReset } from './password-reset.ts';
import type { Passwords } from './passwords.ts';
import { begin, forget } from './throttle.ts';

interface Dependencies {
  readonly db: Db;
  readonly provider: Provider;
  readonly passwords: Passwords;
  readonly publicUrl: string;
  /** Without a mail server only the operator can reset a forgotten password. */
  readonly sendsMail: boolean;
  readonly sessionCookie: { name: string; options: object };
}

const hidden = { schema: { hide: true } };
const FORGOT = '/forgot-password';
const RESET = '/reset-password';
const CHANGE = '/change-password';

/** The pages to reset a forgotten password or change a known one. */
export function registerPasswordPages(app: FastifyInstance, deps: Dependencies): void {
  const { db, passwords, publicUrl, sendsMail } = deps;

  app.get<FormRoute>(FORGOT, hidden, async (request, reply) => {
    if (!sendsMail) return sendMessage(request, reply, 200, 'no_mail');
    rememberLanguage(request, reply, publicUrl);
    return sendPage(reply, 200, forgotPage({ language: languageOf(request) }));
  });

  if (sendsMail) {
    app.post<FormRoute>(FORGOT, hidden, async (request, reply) => {
      if (isForeign(request, publicUrl)) return sendMessage(request, reply, 400, 'stale');
      const refuse = (status: number, problem: ForgotProblem) =>
        sendPage(reply, status, forgotPage({ language: languageOf(request), problem }));
      const email = (request.body?.get('email') ?? '').trim();
      if (!email) return refuse(400, { kind: 'email_missing' });
      const seconds = await begin(db, 'reset_address', request.ip);
      if (seconds > 0) return refuse(429, { kind: 'wait', seconds });
      const language = languageOf(request);
      await requestReset(db, { email, language });
      return reply.redirect(`${MOUNT_PATH}${FORGOT}/sent?language=${language}`, 303);
    });
  }

  app.get<FormRoute>(RESET, hidden, async (request, reply) => {
    rememberLanguage(request, reply, publicUrl);
    const { token } = request.query;
    const account = typeof token === 'string' ? await findReset(db, token) : undefined;
    if (!account || typeof token !== 'string') return sendMessage(request, reply, 400, 'link_dead');
    return sendPage(reply, 200, newPasswordPage({ language: languageOf(request), email: account.email, token }));
  });

  app.post<FormRoute>(RESET, hidden, async (request, reply) => {
    if (isForeign(request, publicUrl)) return sendMessage(request, reply, 400, 'stale');
    const { token, password, confirm } = fieldsOf(request);
    const account = await findReset(db, token);
    if (!account) return sendMessage(request, reply, 400, 'link_dead');
    const language = languageOf(request);
    const problem = checkNewPassword(password, confirm);
    if (problem) return sendPage(reply, 400, newPasswordPage({ language, email: account.email, token, problem }));
    const passwordHash = await passwords.hash(password);
    const changed = await redeemReset(db, { token, passwordHash, language });
    if (!changed) return sendMessage(request, reply, 400, 'link_dead');
    return reply.header('set-cookie', knownBrowser(passwordHash)).redirect(`${MOUNT_PATH}${RESET}/done?language=${language}`, 303);
  });

  app.get<FormRoute>(CHANGE, hidden, async (request, reply) => {
    rememberLanguage(request, reply, publicUrl);
    const signedIn = await findSignedIn(request, reply);
    if (!signedIn) return sendMessage(request, reply, 401, 'signed_out');
    return sendPage(reply, 200, newPasswordPage({ language: languageOf(request), email: signedIn.account.email }));
  });

  app.post<FormRoute>(CHANGE, hidden, async (request, reply) => {
    if (isForeign(request, publicUrl)) return sendMessage(request, reply, 400, 'stale');
    const signedIn = await findSignedIn(request, reply);
    if (!signedIn) return sendMessage(request, reply, 401, 'signed_out');
    const { account, session, renewSession } = signedIn;
    const language = languageOf(request);
    const { current, password, confirm } = fieldsOf(request);
    const refuse = (status: number, problem: Parameters<typeof newPasswordPage>[0]['problem']) =>
      sendPage(reply, status, newPasswordPage({ language, email: account.email, problem }));

    const problem = checkNewPassword(password, confirm);
    if (problem) return refuse(400, problem);
    // Rate limited: an open session must not be a way to guess the password.
    const seconds = await begin(db, 'change', account.subject);
    if (seconds > 0) return refuse(429, { kind: 'wait', seconds });
    const isRight = await passwords.matches(await findPasswordHash(db, account.subject), current);
    if (!isRight) return refuse(400, { kind: 'current_wrong' });
    await forget(db, 'change', account.subject);

    const password_hash = await passwords.hash(password);
    const grantIds = Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
    await inTransaction(db, async (db) => {
      await replacePassword(db, account.subject, { password_hash }, { session: session.uid, grantIds });
      await auditAccount(db, account.subject, 'user.password_changed');
      await queueChangedNotice(db, { subject: account.subject, language });
    });
    await renewSession();
    return reply.header('set-cookie', knownBrowser(password_hash)).redirect(`${MOUNT_PATH}${CHANGE}/done?language=${language}`, 303);
  });

  // The target after a form (POST, redirect, GET), so that a reload does not send the form again.
  for (const [path, message] of [
    [`${FORGOT}/sent`, 'mail_sent'],
    [`${RESET}/done`, 'password_reset'],
    [`${CHANGE}/done`, 'password_changed'],
  ] as const) {
    app.get<FormRoute>(path, hidden, async (request, reply) => {
      rememberLanguage(request, reply, publicUrl);
      return sendMessage(request, reply, 200, message);
    });
  }

  /** The account signed in in this browser. */
  async function findSignedIn(request: FastifyRequest, reply: FastifyReply) {
    const { provider, sessionCookie } = deps;
    const context = provider.createContext(request.raw, reply.raw);
    const session = await provider.Session.get(context);
    const account = session.accountId ? await findAccountBySubject(db, session.accountId) : undefined;
    if (!account) return undefined;
    /** Changes the session id, so that a copy of the old cookie is no longer valid. */
    const renewSession = async () => {
      session.resetIdentifier();
      await session.persist();
      const expires = session.exp === undefined ? undefined : new Date(session.exp * 1000);
      context.cookies.set(sessionCookie.name, session.jti, { ...sessionCookie.options, ...(expires && { expires }) });
      // The library writes headers past Fastify, which would drop them in favour of its own.
      for (const line of [reply.raw.getHeader('set-cookie') ?? []].flat()) reply.header('set-cookie', String(line));
      reply.raw.removeHeader('set-cookie');
    };
    return { account, session, renewSession };
  }

  function knownBrowser(passwordHash: string): string {
    return persistentCookie(KNOWN_BROWSER_COOKIE, makeKnownBrowser(passwordHash), publicUrl);
  }

  function sendMessage(request: FastifyRequest, reply: FastifyReply, status: number, message: Message) {
    const target = {
      link_dead: `${MOUNT_PATH}${FORGOT}?language=${languageOf(request)}`,
      password_changed: publicUrl,
    }[message as string];
    const page = messagePage({
      language: languageOf(request),
      message,
      backTo: target ?? publicUrl + PAGES.login,
      languageSwitch: status === 200,
    });
    return sendPage(reply, status, page);
  }
}

function fieldsOf({ body }: FastifyRequest<FormRoute>) {
  const field = (name: string) => body?.get(name) ?? '';
  return { token: field('token'), current: field('current'), password: field('password'), confirm: field('confirm') };
}
