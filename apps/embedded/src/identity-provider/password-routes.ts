import { inTransaction } from '@brand-portal/server/db/database.ts';
import { auditAccount } from '@brand-portal/server/people/identity/users.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findAccountBySubject, queueMail } from './accounts.queries.ts';
import { replacePassword } from './accounts.ts';
import { type FormRoute, formField, languageOf, type PagesDependencies, sendMessage, sendPage } from './forms.ts';
import { checkNewPassword, forgotPage, newPasswordPage, type Problem } from './pages.ts';
import { findReset, redeemReset, requestReset } from './password-reset.ts';
import { MOUNT_PATH } from './paths.ts';
import { checkPassword } from './sign-in.ts';
import { TEXTS } from './texts.ts';
import { begin, networkOf } from './throttle.ts';

const hidden = { schema: { hide: true } };
const FORGOT = '/forgot-password';
const RESET = '/reset-password';
const CHANGE = '/change-password';
/** The targets after a form (POST, redirect, GET), so that a reload does not send the form again. */
const DONE = { [`${FORGOT}/sent`]: 'mail_sent', [`${RESET}/done`]: 'password_reset', [`${CHANGE}/done`]: 'password_changed' } as const;

/** The pages to reset a forgotten password or change a known one. */
export function registerPasswordPages(app: FastifyInstance, deps: PagesDependencies): void {
  const { db, provider, passwords, sendsMail, sessionCookie } = deps;

  app.get<FormRoute>(FORGOT, hidden, async (request, reply) => {
    if (!sendsMail) return sendMessage(request, reply, 200, 'no_mail');
    return sendPage(reply, 200, forgotPage({ language: languageOf(request) }));
  });

  if (sendsMail) {
    app.post<FormRoute>(FORGOT, hidden, async (request, reply) => {
      const language = languageOf(request);
      const texts = TEXTS[language];
      const email = formField(request, 'email').trim();
      const refuse = (status: number, problem: Problem) => sendPage(reply, status, forgotPage({ language, problem }));
      if (!email) return refuse(400, { text: texts.email_missing, field: 'email' });
      const seconds = await begin(db, { reset_network: networkOf(request.ip) });
      if (seconds > 0) return refuse(429, { text: texts.wait_to_ask(seconds) });
      await requestReset(db, { email, language });
      return redirectTo(reply, `${FORGOT}/sent`, language);
    });
  }

  app.get<FormRoute>(RESET, hidden, async (request, reply) => {
    const token = String(request.query.token ?? '');
    const account = await findReset(db, token);
    if (!account) return sendMessage(request, reply, 400, 'link_dead');
    return sendPage(reply, 200, newPasswordPage({ language: languageOf(request), email: account.email, token }));
  });

  app.post<FormRoute>(RESET, hidden, async (request, reply) => {
    const language = languageOf(request);
    const token = formField(request, 'token');
    const account = await findReset(db, token);
    if (!account) return sendMessage(request, reply, 400, 'link_dead');
    const password = formField(request, 'password');
    const problem = checkNewPassword(language, password, formField(request, 'confirm'));
    if (problem) return sendPage(reply, 400, newPasswordPage({ language, email: account.email, token, problem }));
    const isDone = await redeemReset(db, { token, passwordHash: await passwords.hash(password), language });
    return isDone ? redirectTo(reply, `${RESET}/done`, language) : sendMessage(request, reply, 400, 'link_dead');
  });

  app.get<FormRoute>(CHANGE, hidden, async (request, reply) => {
    const { account } = await findSignedIn(request, reply);
    if (!account) return sendMessage(request, reply, 401, 'signed_out');
    return sendPage(reply, 200, newPasswordPage({ language: languageOf(request), email: account.email }));
  });

  app.post<FormRoute>(CHANGE, hidden, async (request, reply) => {
    const { account, session, context } = await findSignedIn(request, reply);
    if (!account) return sendMessage(request, reply, 401, 'signed_out');
    const { email, subject } = account;
    const language = languageOf(request);
    const texts = TEXTS[language];
    const refuse = (status: number, problem: Problem) => sendPage(reply, status, newPasswordPage({ language, email, problem }));
    const password = formField(request, 'password');
    const problem = checkNewPassword(language, password, formField(request, 'confirm'));
    if (problem) return refuse(400, problem);
    // Rate limited: an open session must not be a way to guess the password.
    const outcome = await checkPassword(deps, { email, password: formField(request, 'current'), address: request.ip });
    if (outcome.kind === 'wait') return refuse(429, { text: texts.wait(outcome.seconds) });
    if (outcome.kind === 'wrong') return refuse(400, { text: texts.password_current_wrong, field: 'current' });

    const password_hash = await passwords.hash(password);
    await inTransaction(db, async (db) => {
      await replacePassword(db, subject, { password_hash }, session.uid);
      await auditAccount(db, subject, 'user.password_changed');
      await queueMail(db, 'send_password_notice', { subject, language });
    });
    // A copy of the old cookie must not stay valid.
    session.resetIdentifier();
    await session.persist();
    const expires = new Date((session.exp ?? 0) * 1000);
    context.cookies.set(sessionCookie.name, session.jti, { ...sessionCookie.options, expires });
    return redirectTo(reply, `${CHANGE}/done`, language);
  });

  for (const [path, message] of Object.entries(DONE)) {
    app.get<FormRoute>(path, hidden, async (request, reply) => sendMessage(request, reply, 200, message));
  }

  /** The session of this browser, and its account if somebody is signed in. */
  async function findSignedIn(request: FastifyRequest, reply: FastifyReply) {
    const context = provider.createContext(request.raw, reply.raw);
    const session = await provider.Session.get(context);
    const account = session.accountId ? await findAccountBySubject(db, session.accountId) : undefined;
    return { account, session, context };
  }
}

function redirectTo(reply: FastifyReply, path: keyof typeof DONE, language: string): FastifyReply {
  return reply.redirect(`${MOUNT_PATH}${path}?language=${language}`, 303);
}
