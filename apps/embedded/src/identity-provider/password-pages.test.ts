// @module-tag empty-installation
import { LANGUAGES } from '@brand-portal/contract/constants';
import { logIn, refreshAccessToken } from '@brand-portal/contract/identity';
import { createTasks } from '@brand-portal/server/entry/tasks.ts';
import type { Mail } from '@brand-portal/server/mail/mailer.ts';
import { Logger, runOnce } from 'graphile-worker';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { type EmbeddedServer, useEmbeddedServer } from '../../test/embedded-server.ts';
import { Browser } from './test-support/browser.ts';
import { ANA, ANA_INVITED } from './test-support/running-provider.ts';
import { refresh, signInFully, startSignIn, submitLogin, userinfo } from './test-support/sign-in.ts';

const NEW = 'Another.horse7';

async function usePasswordPages(options?: Parameters<typeof useEmbeddedServer>[0]) {
  const server = await useEmbeddedServer(options);
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail) };
  const logger = pino({ level: 'silent' });
  const { db, pool } = server.database;
  const runJobs = () =>
    runOnce({
      pgPool: pool,
      taskList: createTasks({
        db,
        mailer,
        publicUrl: server.publicUrl,
        logger,
        providerMailTasks: server.idp.mailTasks,
      }),
      noHandleSignals: true,
      logger: new Logger(() => () => {}),
    });
  const page = (path: string) => `${server.idp.domain}${path}`;
  const send = (browser: Browser, path: string, form: Record<string, string>, headers = {}) =>
    browser.open(page(path), 'nowhere', { method: 'POST', body: new URLSearchParams(form), headers });
  const ask = async (email: string, browser = new Browser()) => {
    const { answer, url } = await send(browser, '/forgot-password', { email });
    return { status: answer.status, url, text: await answer.text() };
  };
  const linkOf = (mail: Mail | undefined) => /https?:\S+reset-password\?token=[\w&=-]+/.exec(mail?.text ?? '')?.[0] ?? '';
  /** Requests a link and reads the mail. */
  const link = async () => {
    await ask(ANA.email);
    await runJobs();
    return linkOf(mails.at(-1));
  };
  const choose = async (url: string, fields: Record<string, string> = {}, browser = new Browser()) => {
    const token = new URL(url).searchParams.get('token') ?? '';
    const form = { token, password: NEW, confirm: NEW, ...fields };
    const { answer } = await send(browser, '/reset-password', form);
    return { status: answer.status, text: await answer.text() };
  };
  return { ...server, server, mails, runJobs, page, send, ask, link, linkOf, choose };
}

async function canSignIn(server: EmbeddedServer, password: string): Promise<boolean> {
  const browser = new Browser();
  const { url } = await startSignIn(server, browser);
  return (await submitLogin(browser, url, { email: ANA.email, password })).status === 303;
}

async function openSession(server: EmbeddedServer, browser: Browser) {
  const tokens = await signInFully(server, browser);
  const body = { token: tokens.access_token };
  const ours = (await server.app.inject({ method: 'POST', url: logIn.path, body })).json();
  const isAlive = async () => {
    const renewal = { method: 'POST', url: refreshAccessToken.path, body: { refresh: ours.refresh } } as const;
    return {
      portal: (await server.app.inject(renewal)).statusCode === 200,
      provider: (await userinfo(server, tokens.access_token)).status === 200,
    };
  };
  return { tokens, isAlive };
}

const gone = { portal: false, provider: false };
const alive = { portal: true, provider: true };

describe('a forgotten password', () => {
  test('is reset by a link in a mail, which ends every session', async () => {
    const { server, page, link, choose, runJobs, mails } = await usePasswordPages();
    const login = await startSignIn(server, new Browser());
    expect(await login.answer.text()).toMatch(/<a [^>]*href="\/idp\/forgot-password[^"]*"[^>]*>Forgot password\?<\/a>/);
    const session = await openSession(server, new Browser());
    expect(await session.isAlive()).toEqual(alive);

    const url = await link();
    expect(mails[0]).toMatchObject({ to: { address: ANA.email, name: 'Ana Ruiz' } });
    const form = await (await fetch(url)).text();
    expect(form).toContain(ANA.email);
    expect(form).toMatch(/<input id="password"[^>]*autocomplete="new-password"/);
    expect(await canSignIn(server, ANA.password)).toBe(true);

    const done = await choose(url);
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Your password is changed') });
    expect(await session.isAlive()).toEqual(gone);
    expect((await refresh(server, session.tokens.refresh_token)).status).toBe(400);
    expect(await canSignIn(server, ANA.password)).toBe(false);
    expect(await canSignIn(server, NEW)).toBe(true);

    await runJobs();
    expect(mails.at(-1)).toMatchObject({ subject: 'Your password for Brand Portal was changed' });
    expect(mails.at(-1)?.text).toContain(page('/forgot-password'));
    const { rows } = await server.database.pool.query("select details from audit_log where action = 'user.password_reset'");
    expect(rows).toHaveLength(1);
  });

  test('ends a sign-in that was started with the old password and not finished', async () => {
    const { server, publicUrl, link, choose } = await usePasswordPages();
    const thief = new Browser();
    const { url } = await startSignIn(server, thief);
    const parked = await submitLogin(thief, url, { email: ANA.email, password: ANA.password });
    expect(parked.status).toBe(303);
    await choose(await link());
    const next = new URL(parked.headers.get('location') ?? '', publicUrl).href;
    const { url: end } = await thief.open(next, `${publicUrl}/callback`);
    expect(end).not.toContain('code=');
  });

  test('an unused link becomes invalid when the password is changed in another way', async () => {
    const { link, choose, idp } = await usePasswordPages();
    const unused = await link();
    await idp.createOrUpdateUser({ ...ANA_INVITED, password: 'Changed.horse7' });
    expect((await choose(unused)).status).toBe(400);
  });

  test('is answered the same whether there is an account or not', async () => {
    const { ask, runJobs, mails, database } = await usePasswordPages();
    const answers = [await ask(ANA.email), await ask('nobody@example.org'), await ask('no-address')];
    expect(answers[0]).toMatchObject({ status: 200, text: expect.stringContaining('Check your inbox') });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const { rows } = await database.pool.query('select task_identifier from graphile_worker.jobs');
    expect(rows).toEqual([{ task_identifier: 'send_password_reset' }, { task_identifier: 'send_password_reset' }]);
    await runJobs();
    expect(mails.map(({ to }) => to.address)).toEqual([ANA.email]);
  });

  test('the link works once, and only the newest one does', async () => {
    const { link, choose } = await usePasswordPages();
    const [first, second] = [await link(), await link()];
    expect(second).not.toBe(first);
    expect(await choose(first)).toMatchObject({ status: 400, text: expect.stringContaining('does not work any more') });
    expect((await choose(second)).status).toBe(200);
    expect(await choose(second, { password: 'Third.horse9', confirm: 'Third.horse9' })).toMatchObject({ status: 400 });
    const opened = await fetch(second);
    expect(opened.status).toBe(400);
    expect(await opened.text()).toContain('href="/idp/forgot-password');
  });

  test('of several concurrent uses of the link exactly one succeeds', async () => {
    const { link, choose } = await usePasswordPages();
    const url = await link();
    const answers = await Promise.all([1, 2, 3].map((n) => choose(url, { password: `${NEW}${n}`, confirm: `${NEW}${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  test('the link expires after an hour, and the database has only its hash', async () => {
    const { link, choose, database } = await usePasswordPages();
    const url = await link();
    const { rows } = await database.pool.query(
      'select round(extract(epoch from expires_at - now()) / 60)::int as minutes, to_jsonb(r)::text as text from embedded.idp_password_resets r',
    );
    expect(rows[0].minutes).toBe(60);
    const token = new URL(url).searchParams.get('token') ?? '';
    for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')]) {
      expect(rows[0].text).not.toContain(form);
    }
    await database.pool.query("update embedded.idp_password_resets set expires_at = now() - interval '1 second'");
    expect((await choose(url)).status).toBe(400);
    expect((await fetch(url)).status).toBe(400);
  });

  test('a new password must follow the rules, be confirmed and not be too long', async () => {
    const { link, choose, server } = await usePasswordPages();
    const url = await link();
    const weak = await choose(url, { password: 'short', confirm: 'short' });
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('Please fix password requirements');
    expect(weak.text.match(/data-met="false"/g)).toHaveLength(4);
    expect(weak.text).not.toContain('value="short"');
    expect(await choose(url, { confirm: 'Other.horse8' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('Passwords do not match'),
    });
    const long = `Aa1!${'x'.repeat(300)}`;
    expect((await choose(url, { password: long, confirm: long })).status).toBe(400);
    expect(await canSignIn(server, ANA.password)).toBe(true);
    expect((await choose(url)).status).toBe(200);
  });

  test('mails per account and requests per IP address are limited', async () => {
    const { ask, runJobs, mails } = await usePasswordPages();
    for (let round = 0; round < 6; round++) {
      expect((await ask(ANA.email)).status).toBe(200);
      await runJobs();
    }
    expect(mails).toHaveLength(3);
    for (let other = 0; other < 14; other++) expect((await ask(`other-${other}@example.org`)).status).toBe(200);
    expect(await ask('one-more@example.org')).toMatchObject({ status: 429, text: expect.stringContaining('Wait') });
  });

  test('a form of another site is refused', async () => {
    const { send, link, database } = await usePasswordPages();
    const foreign = { origin: 'https://evil.example' };
    const { answer } = await send(new Browser(), '/forgot-password', { email: ANA.email }, foreign);
    expect(answer.status).toBe(400);
    expect((await database.pool.query('select 1 from graphile_worker.jobs')).rowCount).toBe(0);
    const token = new URL(await link()).searchParams.get('token') ?? '';
    const form = { token, password: NEW, confirm: NEW };
    expect((await send(new Browser(), '/reset-password', form, foreign)).answer.status).toBe(400);
  });

  test('without a mail server the page says whom to contact', async () => {
    const { server, page } = await usePasswordPages({ sendsMail: false });
    const login = await startSignIn(server, new Browser());
    expect(await login.answer.text()).not.toContain('forgot-password');
    const answer = await fetch(page('/forgot-password'));
    expect(await answer.text()).toContain('operator');
    expect((await fetch(page('/forgot-password'), { method: 'POST', body: new URLSearchParams({ email: 'a@b.c' }) })).status).toBe(404);
  });
});

describe('a change of password', () => {
  const form = { current: ANA.password, password: NEW, confirm: NEW };

  test('needs the current password, and ends all other sessions', async () => {
    const { server, send, page, runJobs, mails } = await usePasswordPages();
    const [browser, phone] = [new Browser(), new Browser()];
    const here = await openSession(server, browser);
    const there = await openSession(server, phone);
    const cookie = browser.cookie('idp_session');
    expect(await (await browser.send(page('/change-password'))).text()).toContain(ANA.email);

    const wrong = await send(browser, '/change-password', { ...form, current: 'Wrong-horse-1' });
    expect(wrong.answer.status).toBe(400);
    expect(await wrong.answer.text()).toContain('Your current password is wrong.');
    expect(await there.isAlive()).toEqual(alive);

    const { answer } = await send(browser, '/change-password', form);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('Your password is changed');
    expect(await there.isAlive()).toEqual(gone);
    expect(await here.isAlive()).toEqual(alive);
    expect((await refresh(server, here.tokens.refresh_token)).status).toBe(200);
    expect((await startSignIn(server, browser)).url).toContain('/callback?code=');
    expect((await startSignIn(server, phone)).url).toContain('/idp/login/');
    // A copy of the old cookie is no longer valid.
    expect(browser.cookie('idp_session')).not.toBe(cookie);
    expect(await canSignIn(server, ANA.password)).toBe(false);
    expect(await canSignIn(server, NEW)).toBe(true);

    await runJobs();
    expect(mails.map(({ subject }) => subject)).toEqual(['Your password for Brand Portal was changed']);
  });

  test('needs a session, and a form from our own site', async () => {
    const { server, send, page } = await usePasswordPages();
    const opened = await fetch(page('/change-password'));
    expect(opened.status).toBe(401);
    expect(await opened.text()).toContain('href="/login"');
    expect((await send(new Browser(), '/change-password', form)).answer.status).toBe(401);
    const browser = new Browser();
    await signInFully(server, browser);
    const foreign = await send(browser, '/change-password', form, { origin: 'https://evil.example' });
    expect(foreign.answer.status).toBe(400);
    expect(await canSignIn(server, ANA.password)).toBe(true);
  });

  test('checks the rules, and limits guesses of the current password', async () => {
    const { server, send } = await usePasswordPages();
    const browser = new Browser();
    await signInFully(server, browser);
    const weak = await send(browser, '/change-password', { ...form, password: 'weak', confirm: 'weak' });
    expect(await weak.answer.text()).toContain('Please fix password requirements');
    for (let guess = 1; guess <= 5; guess++) {
      await send(browser, '/change-password', { ...form, current: `Wrong-horse-${guess}` });
    }
    await server.database.pool.query(
      "update embedded.idp_attempts set blocked_until = now() + interval '1 minute' where blocked_until is not null",
    );
    const { answer } = await send(browser, '/change-password', form);
    expect(answer.status).toBe(429);
    await server.database.pool.query('update embedded.idp_attempts set blocked_until = null');
    expect(await canSignIn(server, ANA.password)).toBe(true);
  });
});

describe.each(LANGUAGES)('in the language %s', (language) => {
  test('every page is complete, keeps the language and loads only its own files', async () => {
    const { server, page, link } = await usePasswordPages();
    const browser = new Browser();
    await signInFully(server, browser);
    const [url = ''] = (await link()).split('&language=');
    for (const address of [
      page('/forgot-password'),
      page('/forgot-password/sent'),
      url,
      page('/reset-password/done'),
      page('/reset-password?token=unknown'),
      page('/change-password'),
      page('/change-password/done'),
    ]) {
      const answer = await browser.send(`${address}${address.includes('?') ? '&' : '?'}language=${language}`);
      const text = await answer.text();
      expect(text, address).toContain(`<html lang="${language}">`);
      expect(text, address).not.toMatch(/undefined|\[object|<style|<script>|style=|onclick=/);
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
    }
    // The language switch must keep the link's token.
    const form = await (await browser.send(url)).text();
    expect(form).toContain(`href="?token=${new URL(url).searchParams.get('token')}&amp;language=`);
  });
});
