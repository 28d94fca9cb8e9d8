import type { Language } from '@brand-portal/contract/constants';
import type { Role } from '@brand-portal/contract/roles';
import { renderHtml, renderText } from './mail-layout.ts';
import type { Mail } from './mailer.ts';
import { singleLine } from './single-line.ts';
import { en } from './texts-en.ts';
import { es } from './texts-es.ts';

export interface MemberMail {
  readonly kind: 'invitation' | 'added';
  readonly language: Language;
  readonly email: string;
  readonly name: string;
  readonly brand: string;
  readonly role: Role;
  readonly inviter: string;
  readonly link: string;
  /** How long the link of an invitation works. */
  readonly invitationDays: number;
}

const TEXTS = { en, es };
/** A mail to someone about their membership in a brand. */
export function memberMail({ kind, language, email, role, link, ...given }: MemberMail): Mail {
  const name = singleLine(given.name);
  const brand = singleLine(given.brand);
  const texts = TEXTS[language];
  const message = texts[kind];
  const content = {
    language,
    link,
    title: message.title(brand),
    greeting: texts.greeting(name),
    body: message.body({ inviter: singleLine(given.inviter), brand, role: texts.roles[role] }),
    button: message.button,
    linkHint: texts.linkHint,
    notes: message.notes(given.invitationDays),
    footer: texts.footer(email),
  };
  return {
    to: { name, address: email },
    subject: message.subject(brand),
    html: renderHtml(content),
    text: renderText(content),
  };
}
