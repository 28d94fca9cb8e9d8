import { LANGUAGES } from '@brand-portal/contract/constants';
import { ROLES } from '@brand-portal/contract/roles';
import { describe, expect, test } from 'vitest';
import { type MemberMail, memberMail } from './member-mails.ts';

const link = 'https://portal.example/verify-email?token=abc';
const given: MemberMail = {
  kind: 'invitation',
  language: 'en',
  email: 'luis@example.com',
  name: 'Luis Vega',
  brand: 'Casa Verde',
  role: 'editor',
  actor: 'Ana Torres',
  link,
  linkLasts: 7,
};

describe.each(LANGUAGES)('in the language %s', (language) => {
  test.each(['invitation', 'added', 'role_changed', 'removed'] as const)(
    'the mail "%s" says who, what and where in HTML and in text',
    (kind) => {
      const mail = memberMail({ ...given, language, kind });
      for (const body of [mail.html, mail.text]) {
        for (const part of ['Luis Vega', 'Casa Verde', 'Ana Torres', link, 'luis@example.com'])
          expect(body).toContain(part);
      }
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect(mail.subject).toContain('Casa Verde');
    },
  );

  test.each(['password_reset', 'password_changed'] as const)('the mail "%s" needs no brand', (kind) => {
    const { brand: _brand, role: _role, actor: _actor, ...account } = given;
    const mail = memberMail({ ...account, language, kind });
    expect(mail.text).toContain(link);
    expect(mail.text).not.toContain('undefined');
    expect(mail.subject).not.toMatch(/undefined|Casa Verde/);
  });

  test('a link to reset the password says how long it works', () => {
    expect(memberMail({ ...given, language, kind: 'password_reset', linkLasts: 60 }).text).toMatch(/ 60 minut[eo]s/);
  });

  test.each(ROLES)('the role %s has a name', (role) => {
    for (const kind of ['invitation', 'added', 'role_changed'] as const) {
      expect(memberMail({ ...given, language, kind, role }).text).toMatch(/: \p{L}+\./u);
    }
  });

  test.each(['invitation_to_account', 'added'] as const)('the mail "%s" says which account to sign in with', (kind) => {
    const { text } = memberMail({ ...given, language, kind });
    expect(text).toMatch(/^(Sign in with your account|Inicia sesión con tu cuenta) luis@example\.com\b/m);
  });

  test('an invitation says how long its link works', () => {
    expect(memberMail({ ...given, language, linkLasts: 3 }).text).toMatch(/ 3 (days|días) /);
  });

  test('a mail without a name and without an actor is still complete', () => {
    const { text, to } = memberMail({ ...given, language, name: '', actor: '' });
    expect(text).toMatch(/^(Hello,|Hola:)$/m);
    expect(text).toContain('Brand Portal');
    expect(to.name).toBe('');
  });
});

test('mails load no external image, script or font', () => {
  const { html } = memberMail(given);
  expect(html).not.toMatch(/<(img|script|link|iframe)|@import|url\(|src=/i);
  const addresses = [...html.matchAll(/https?:\/\/[^"\s<]+/g)].map(([address]) => address);
  expect(new Set(addresses)).toEqual(new Set([link]));
});

test('hostile names are escaped and stay on one line', () => {
  const evil = '<script>alert(1)</script>"\'&\r\nBcc: all@example.com\r\n\r\nBuy now\u202e';
  const mail = memberMail({ ...given, name: evil, brand: evil, actor: evil });
  expect(mail.html).not.toContain('<script>');
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; Bcc: all@example.com Buy now');
  for (const line of [mail.subject, mail.to.name]) expect(line).not.toMatch(/[\r\n\u202e]/);
  expect(mail.text).not.toMatch(/^(Bcc|Buy)/m);
});
