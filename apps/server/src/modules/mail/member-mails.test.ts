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
  inviter: 'Ana Torres',
  link,
  invitationDays: 7,
};

describe.each(LANGUAGES)('in the language %s', (language) => {
  test.each(['invitation', 'added'] as const)('the %s says who, what and where in HTML and in text', (kind) => {
    const mail = memberMail({ ...given, language, kind });
    for (const body of [mail.html, mail.text]) {
      for (const part of ['Luis Vega', 'Casa Verde', 'Ana Torres', link, 'luis@example.com'])
        expect(body).toContain(part);
    }
    expect(mail.html).toContain(`<html lang="${language}">`);
    expect(mail.subject).toContain('Casa Verde');
  });

  test.each(ROLES)('the role %s has a name', (role) => {
    expect(memberMail({ ...given, language, role }).text).toMatch(/: \p{L}+\./u);
  });

  test('an invitation says how long its link works', () => {
    expect(memberMail({ ...given, language, invitationDays: 3 }).text).toMatch(/ 3 (days|días) /);
  });

  test('without a name and without an inviter it is still a letter', () => {
    const { text, to } = memberMail({ ...given, language, name: '', inviter: '' });
    expect(text).toMatch(/^(Hello,|Hola:)$/m);
    expect(text).toContain('Brand Portal');
    expect(to.name).toBe('');
  });
});

test('nothing is loaded from elsewhere: no image, no script, no font', () => {
  const { html } = memberMail(given);
  expect(html).not.toMatch(/<(img|script|link|iframe)|@import|url\(|src=/i);
  const addresses = [...html.matchAll(/https?:\/\/[^"\s<]+/g)].map(([address]) => address);
  expect(new Set(addresses)).toEqual(new Set([link]));
});

test('hostile names stay text and stay on one line', () => {
  const evil = '<script>alert(1)</script>"\'&\r\nBcc: all@example.com\r\n\r\nBuy now\u202e';
  const mail = memberMail({ ...given, name: evil, brand: evil, inviter: evil });
  expect(mail.html).not.toContain('<script>');
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; Bcc: all@example.com Buy now');
  for (const line of [mail.subject, mail.to.name]) expect(line).not.toMatch(/[\r\n\u202e]/);
  expect(mail.text).not.toMatch(/^(Bcc|Buy)/m);
});
