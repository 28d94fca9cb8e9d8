import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { createMailer, RecipientRefused } from './mailer.ts';

const mail = { to: { name: '', address: 'luis@example.com' }, subject: 'Hello', html: '<p>Hello</p>', text: 'Hello' };
const from = 'Brand Portal <no-reply@portal.example>';

async function useSmtpThatAnswers(code: number, at: 'onRcptTo' | 'onMailFrom', text = 'no'): Promise<string> {
  const refuse = (_address: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error(text), { responseCode: code }));
  const server = new SMTPServer({ disabledCommands: ['AUTH', 'STARTTLS'], closeTimeout: 100, [at]: refuse });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

test.each([
  [550, 'no'],
  [550, '5.1.1 <luis@example.com>: Recipient address rejected: User unknown in virtual mailbox table'],
  [550, '5.1.1 <luis@example.com>: Recipient address rejected: User unknown in relay recipient table'],
  [550, 'sender@example.com: no such user'],
  [552, '5.2.2 Mailbox full'],
])('a recipient who does not exist or takes no mail is a permanent failure: %i %s', async (code, text) => {
  const smtpUrl = await useSmtpThatAnswers(code, 'onRcptTo', text);
  await expect(createMailer({ smtpUrl, from }).send(mail)).rejects.toBeInstanceOf(RecipientRefused);
});

test('a temporarily unavailable recipient can be retried', async () => {
  const smtpUrl = await useSmtpThatAnswers(450, 'onRcptTo');
  const sending = createMailer({ smtpUrl, from }).send(mail);
  await expect(sending).rejects.toThrow();
  await expect(sending).rejects.not.toBeInstanceOf(RecipientRefused);
});

test('a refused sender is a configuration error of the operator, so the mail can be retried', async () => {
  const smtpUrl = await useSmtpThatAnswers(550, 'onMailFrom');
  const sending = createMailer({ smtpUrl, from }).send(mail);
  await expect(sending).rejects.toThrow();
  await expect(sending).rejects.not.toBeInstanceOf(RecipientRefused);
});

// Postfix holds every refusal back until the recipient.
test.each([
  [554, '5.7.1 <luis@example.com>: Relay access denied'],
  [554, '5.7.1 <unknown[192.0.2.7]>: Client host rejected: Access denied'],
  [553, '5.7.1 <no-reply@portal.example>: Sender address rejected: not owned by user portal'],
  [550, '5.1.8 <no-reply@portal.example>: Sender address rejected: Domain not found'],
  [550, 'relay not permitted'],
  [530, 'Authentication required'],
])('so can a mail after a refusal of the portal itself that comes at the recipient: %i %s', async (code, text) => {
  const smtpUrl = await useSmtpThatAnswers(code, 'onRcptTo', text);
  const sending = createMailer({ smtpUrl, from }).send(mail);
  await expect(sending).rejects.toThrow(text);
  await expect(sending).rejects.not.toBeInstanceOf(RecipientRefused);
});

test('an unreachable mail server can be retried', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  await expect(createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from }).send(mail)).rejects.toThrow('ECONNREFUSED');
});
