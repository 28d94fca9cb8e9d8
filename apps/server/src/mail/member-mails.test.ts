import { LANGUAGES } from '@brand-portal/contract/constants';
import { ROLES } from '@brand-portal/contract/roles';
import { describe, expect, test } from 'vitest';
import { certificateMail } from '../catalog/certificates/certificate-mail.ts';
import { type MemberMail, memberMail } from './member-mails.ts';

const link = 'https://portal.example/verify-email?token=abc';
const given: MemberMail = {
  kind: 'invitation',
  language: 'en',
  email: 'luis@example.com',
  name: 'Luis Vega',
  brand: 'Casa Verde',
  role: 'editor',
  actor: { name: 'Ana Torres', email: 'ana@example.com' },
  link,
  linkLasts: 7,
};

describe.each(LANGUAGES)('in the language %s', (language) => {
  test.each(['invitation', 'added', 'role_changed', 'removed'] as const)(
    'the mail "%s" says who, what and where in HTML and in text',
    (kind) => {
      const mail = memberMail({ ...given, language, kind });
      for (const body of [mail.html, mail.text]) {
        for (const part of ['Luis Vega', 'Casa Verde', 'Ana Torres', link, 'luis@example.com']) expect(body).toContain(part);
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
    const { text, to } = memberMail({ ...given, language, name: '', actor: undefined });
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

/** What mail programs turn into a link. */
const ADDRESS = /:\/|(mailto|tel):\S|www\.\S|[\p{L}\p{N}-][.。．｡․]\p{L}{2,}/iu;

const HOSTILE = [
  'click https://evil.example/x',
  'WWW.EVIL.EXAMPLE or evil．com',
  'mailto:x@evil.co\r\n\r\nBcc: all@evil.example\u202e\u200f',
  'Eve” «Your account is closed. Call +34 900 123» “',
  'T.me/evil or x.com or a.evil.example or tel:+34 900',
  '<b>Buy</b>',
];

describe.each(LANGUAGES)('hostile names in the language %s', (language) => {
  const kinds = ['invitation', 'invitation_to_account', 'added', 'role_changed', 'removed'] as const;

  test.each(kinds)('make no link, no line and no sentence of ours in the mail "%s"', (kind) => {
    for (const evil of HOSTILE) {
      const actor = { name: evil, email: 'eve@example.com' };
      const mail = memberMail({ ...given, kind, language, name: evil, brand: evil, actor });
      const visible = mail.html.replace(/<style>.*<\/style>|<[^>]*>/gs, ' ');
      for (const part of [mail.subject, mail.to.name, visible, mail.text]) {
        const theirs = part.replaceAll(link, '').replaceAll('luis@example.com', '');
        expect(theirs).not.toMatch(ADDRESS);
        expect(theirs).not.toMatch(/[\u202e\u200f]/);
      }
      expect(mail.html).not.toContain('<b>');
      expect(mail.text).not.toMatch(/^Bcc:/m);
      // In quotation marks that it cannot end.
      const [open, close] = language === 'es' ? ['«', '»'] : ['“', '”'];
      expect(mail.subject.split(open)).toHaveLength(2);
      expect(mail.subject.split(close)).toHaveLength(2);
      expect(mail.text.replaceAll(new RegExp(`${open}.*?${close}`, 'g'), '')).not.toMatch(/900|closed\./);
    }
  });

  test('make none in the mail about certificates, nor do their ids', () => {
    for (const evil of HOSTILE) {
      const certificate = { external_certificate_id: evil, certification: 'FSC', variants: 1 };
      const mail = certificateMail({
        person: { email: 'luis@example.com', name: evil, language },
        brand: evil,
        day: '2026-11-18',
        total: 1,
        link,
        turnOffLink: link,
        certificates: [{ ...certificate, status: 'invalid', reason: 'not_listed', expires_on: null }],
      });
      for (const part of [mail.subject, mail.to.name, mail.text]) {
        expect(part.replaceAll(link, '').replaceAll('luis@example.com', '')).not.toMatch(ADDRESS);
      }
    }
  });

  test('that are very long are cut', () => {
    const long = 'Very long '.repeat(20);
    const actor = { name: long, email: 'eve@example.com' };
    const mail = memberMail({ ...given, language, name: long, brand: long, actor });
    expect(mail.subject.length).toBeLessThan(130);
    expect(mail.to.name.length).toBeLessThan(85);
    expect(mail.text).toMatch(/Very long…/);
  });

  test('a member whose name says nothing is shown by their address, not as the team', () => {
    const { text } = memberMail({ ...given, language, actor: { name: '+34 900 123', email: 'eve@example.com' } });
    expect(text).toMatch(/^eve@example\.com /m);
  });
});

test.each([
  'Dr. Ana-María O’Neill',
  "Jean-Luc O'Neill Jr.",
  'Ana Mª López',
  'J.R.R. Tolkien',
  'O´Neill & Söhne',
  'Mª. José, Marketing',
  '山田 太郎',
  'ジャン・リュック',
  'محمد عبد الله',
  'علی\u200cرضا',
  'ශ්\u200dරී',
  'John Smith 3rd',
  'Ana López (3M)',
  'María de los Dolores Fernández de Córdoba y Álvarez de Toledo',
])('the name %s stays as it is', (name) => {
  expect(memberMail({ ...given, name }).text).toContain(`Hello ${name},`);
});

test('a name that is only an address greets nobody', () => {
  expect(memberMail({ ...given, name: 'luis@example.com' }).text).toMatch(/^Hello,$/m);
});

test.each([
  'e.l.f.',
  'L’Oréal & Co. KG',
  'Größe 38: Mode',
  '7.5 mm',
  '7 For All Mankind',
  'H&M',
  'Dr. Hauschka',
  's.Oliver',
  'J.Crew',
  'Re:Form',
  'Casa Verde S.L.U.',
])('the brand %s stays as it is', (brand) => {
  expect(memberMail({ ...given, brand }).subject).toBe(`Your invitation to “${brand}” on Brand Portal`);
});
