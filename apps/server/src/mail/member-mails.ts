import type { Language } from '@brand-portal/contract/constants';
import type { Role } from '@brand-portal/contract/roles';
import { renderHtml, renderText } from './mail-layout.ts';
import type { KeyFacts, MailKind } from './mail-texts.ts';
import type { Mail } from './mailer.ts';
import { brandInMail, personInMail } from './single-line.ts';
import { en } from './texts-en.ts';
import { es } from './texts-es.ts';

export interface MemberMail {
  readonly kind: MailKind;
  readonly language: Language;
  readonly email: string;
  readonly name: string;
  readonly link: string;
  readonly brand?: string;
  readonly role?: Role;
  /** Who did it. Undefined: the operator. */
  readonly actor?: { readonly name: string; readonly email: string } | undefined;
  readonly linkLasts?: number;
  readonly keys?: KeyFacts | undefined;
}

const NO_KEYS: KeyFacts = { member: '', change: 'removed', names: [], more: 0, feed: false, revoked: false };

const TEXTS = { en, es };

/** A mail about the recipient's account, or their membership in a brand. */
export function memberMail(mail: MemberMail): Mail {
  const { kind, language, email, role, link, linkLasts = 0, actor, keys = NO_KEYS, ...given } = mail;
  const name = personInMail(given.name);
  const texts = TEXTS[language];
  const message = texts.messages[kind];
  const facts = {
    actor: actor ? personInMail(actor.name) || actor.email : '',
    email,
    brand: brandInMail(given.brand ?? ''),
    role: role ? texts.roles[role] : '',
    linkLasts,
    keys: { ...keys, member: personInMail(keys.member), names: keys.names.map(brandInMail) },
  };
  const content = {
    language,
    link,
    title: message.title(facts),
    greeting: texts.greeting(name),
    body: message.body(facts),
    button: message.button,
    linkHint: texts.linkHint,
    notes: message.notes(facts),
    footer: texts.footer(email),
  };
  return {
    to: { name, address: email },
    subject: message.subject(facts),
    html: renderHtml(content),
    text: renderText(content),
  };
}
