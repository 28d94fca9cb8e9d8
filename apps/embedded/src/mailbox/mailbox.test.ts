// @module-tag empty-installation
import { useErrorHandler } from '@brand-portal/server/http/error-handler.ts';
import { useSecurityHeaders } from '@brand-portal/server/http/security-headers.ts';
import { createMailer } from '@brand-portal/server/mail/mailer.ts';
import { memberMail } from '@brand-portal/server/mail/member-mails.ts';
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import fastify, { type InjectOptions } from 'fastify';
import { createTransport } from 'nodemailer';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmbeddedMailbox } from './mailbox.ts';

const PUBLIC_URL = 'http://localhost:3000';
const LINK = `${PUBLIC_URL}/verify-email?token=abc-DEF_123`;
const invitation = {
  kind: 'invitation',
  language: 'en',
  email: 'luis@example.com',
  name: 'Luis Vega',
  brand: 'Casa Verde',
  role: 'editor',
  inviter: 'Ana Torres',
  link: LINK,
  invitationDays: 7,
} as const;

async function useMailbox() {
  const { db, pool } = await useTestDatabase();
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  const mailbox = await startEmbeddedMailbox({ db, publicUrl: PUBLIC_URL, logger });
  onTestFinished(mailbox.stop);
  const mailer = createMailer({ smtpUrl: mailbox.smtpUrl, from: 'Brand Portal <no-reply@portal.example>' });
  const app = fastify();
  useErrorHandler(app);
  useSecurityHeaders(app, { publicUrl: PUBLIC_URL });
  await mailbox.register(app);
  onTestFinished(() => app.close());
  const get = (url: string, host = 'localhost:3000', other: InjectOptions = {}) =>
    app.inject({ ...other, url, headers: { host, ...other.headers } });
  const messages = async () => (await pool.query('select * from embedded.mailbox_messages order by id')).rows;
  return { pool, mailbox, mailer, get, messages, lines };
}

describe('a mail that is sent over SMTP', () => {
  test.each([
    ['en', 'Your invitation to “Casa Verde” on Brand Portal', 'Join “Casa Verde”'],
    ['es', 'Tu invitación a «Casa Verde» en Brand Portal', 'Únete a «Casa Verde»'],
  ] as const)('arrives as it was written (%s)', async (language, subject, title) => {
    const { mailer, messages } = await useMailbox();
    const mail = memberMail({ ...invitation, language });
    await mailer.send(mail);
    expect(await messages()).toEqual([
      expect.objectContaining({ sender: 'no-reply@portal.example', recipients: 'luis@example.com', subject }),
    ]);
    const [message] = await messages();
    expect(message.text_body.replaceAll('\r\n', '\n').trim()).toBe(mail.text.trim());
    expect(message.html_body.replaceAll('\r\n', '\n').trim()).toBe(mail.html.trim());
    expect(message.html_body).toContain(title);
  });

  test('keeps every character, long lines and lines that begin with a dot', async () => {
    const { mailer, messages } = await useMailbox();
    const text = `.dot\n=3D = é 漢字 🎉\n${'x'.repeat(2_000)} end`;
    const to = { name: 'Łukasz "Ł" <x>', address: 'l@example.com' };
    await mailer.send({ to, subject: 'Ünïcødé 漢字 🎉 '.repeat(12).trim(), text, html: `<p>${text}</p>` });
    const [message] = await messages();
    expect(message.subject).toBe('Ünïcødé 漢字 🎉 '.repeat(12).trim());
    expect(message.text_body.replaceAll('\r\n', '\n').trim()).toBe(text);
    expect(message.recipients).toBe('l@example.com');
  });

  test('has no injected header or recipient, even with a hostile name', async () => {
    const { mailer, messages } = await useMailbox();
    const evil = 'Eve\r\nBcc: everyone@example.com\r\n\r\n<script>alert(1)</script>';
    await mailer.send({ to: { name: evil, address: 'eve@example.com' }, subject: evil, text: 'x', html: 'x' });
    await mailer.send(memberMail({ ...invitation, name: evil, brand: evil }));
    for (const message of await messages()) {
      expect(message.recipients).toMatch(/^(eve|luis)@example\.com$/);
      expect(message.subject).not.toMatch(/[\r\n]/);
    }
    expect((await messages())[0].text_body.trim()).toBe('x');
  });

  test('is logged with its links', async () => {
    const { mailer, lines } = await useMailbox();
    await mailer.send(memberMail(invitation));
    const log = lines.join('');
    expect(log).toContain(`Mail for luis@example.com: ${PUBLIC_URL}/mailbox/`);
    expect(log).toContain(`Invitation link: ${LINK}`);
  });

  test('is deleted once there are 200 newer ones', async () => {
    const { pool, mailer, messages } = await useMailbox();
    await pool.query(
      "insert into embedded.mailbox_messages (sender, recipients, subject, text_body, html_body) select '', '', i::text, '', '' from generate_series(1, 250) i",
    );
    await mailer.send(memberMail(invitation));
    const kept = await messages();
    expect(kept).toHaveLength(200);
    expect(kept.at(-1).recipients).toBe('luis@example.com');
  });

  test('that is too large is refused', async () => {
    const { mailbox, messages } = await useMailbox();
    const transport = createTransport(mailbox.smtpUrl);
    const mail = { from: 'a@example.com', to: 'b@example.com', text: 'x'.repeat(2 * 1024 * 1024) };
    await expect(transport.sendMail(mail)).rejects.toThrow();
    expect(await messages()).toHaveLength(0);
  });

  test('is accepted from this machine only', async () => {
    const { mailbox } = await useMailbox();
    expect(mailbox.smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
  });

  test('gets a temporary SMTP error if it cannot be stored', async () => {
    const { pool, mailer } = await useMailbox();
    await pool.query('alter table embedded.mailbox_messages rename to elsewhere');
    await expect(mailer.send(memberMail(invitation))).rejects.toMatchObject({ responseCode: 451 });
  });
});

describe('the pages', () => {
  test('list the newest first and show a mail with its links', async () => {
    const { mailer, get } = await useMailbox();
    await mailer.send(memberMail(invitation));
    await mailer.send(memberMail({ ...invitation, language: 'es' }));
    const list = await get('/mailbox');
    expect(list.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(list.body.indexOf('Tu invitación')).toBeLessThan(list.body.indexOf('Your invitation'));
    const path = /href="(\/mailbox\/\d+)"/.exec(list.body)?.[1] ?? '';
    const page = await get(path);
    expect(page.body).toContain(`<a href="${LINK}" target="_blank" rel="noopener noreferrer">`);
    expect(page.body).toContain(`sandbox="allow-popups allow-popups-to-escape-sandbox" src="${path}/html"`);
    const frame = await get(`${path}/html`);
    expect(frame.body).toContain('<head><base target="_blank">');
    expect(frame.headers['content-security-policy']).toContain('sandbox allow-popups');
    expect(frame.headers['content-security-policy']).toContain("default-src 'none'");
    expect(frame.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(page.headers['cache-control']).toBe('no-store');
  });

  test('have a strict policy, and hostile mails stay text', async () => {
    const { mailbox, get } = await useMailbox();
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'';
    await createTransport(mailbox.smtpUrl).sendMail({
      from: 'a@example.com',
      to: 'b@example.com',
      subject: evil,
      text: `${evil} javascript:alert(1) http://x.example/"onmouseover="alert(1)`,
      html: evil,
    });
    const list = await get('/mailbox');
    const path = /href="(\/mailbox\/\d+)"/.exec(list.body)?.[1] ?? '';
    const page = await get(path);
    for (const { body, headers } of [list, page]) {
      expect(body).not.toContain('<script>alert');
      expect(body).not.toContain('<img');
      expect(body).not.toMatch(/<a [^>]*onmouseover/);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe-inline');
      expect(body).toContain(`<style nonce="${/style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1]}">`);
    }
    expect((await get(`${path}/html`)).headers['content-security-policy']).not.toContain('script-src');
  });

  test('refuse requests with another host name', async () => {
    const { get } = await useMailbox();
    for (const url of ['/mailbox', '/mailbox/1', '/mailbox/1/html']) {
      expect((await get(url, 'attacker.example')).json()).toMatchObject({ code: 'host_not_allowed' });
    }
  });

  test.each(['/mailbox/999', '/mailbox/abc', '/mailbox/99999999999999999999', '/mailbox/1/html'])('%s is a 404', async (url) => {
    const { get } = await useMailbox();
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'not_found' });
  });

  test('are shown on the same machine only, even if the server listens on other interfaces', async () => {
    const { get, mailer } = await useMailbox();
    await mailer.send(memberMail(invitation));
    for (const url of ['/mailbox', '/mailbox/1', '/mailbox/1/html']) {
      const foreign: InjectOptions[] = [{ remoteAddress: '192.0.2.7' }, { headers: { 'x-forwarded-for': '192.0.2.7' } }];
      for (const other of foreign) {
        const answer = await get(url, 'localhost:3000', other);
        expect(answer.statusCode).toBe(403);
        expect(answer.body).not.toContain('Luis');
      }
      expect((await get(url)).statusCode).toBe(200);
    }
  });

  test('an empty mailbox says so', async () => {
    const { get } = await useMailbox();
    expect((await get('/mailbox')).body).toContain('No mail yet.');
  });
});
