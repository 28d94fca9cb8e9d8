import type { Language } from '@brand-portal/contract/constants';
import { renderHtml, renderText } from '../../mail/mail-layout.ts';
import type { CertificateTexts } from '../../mail/mail-texts.ts';
import type { Mail } from '../../mail/mailer.ts';
import { brandInMail, personInMail, singleLine, unlinked } from '../../mail/single-line.ts';
import { en } from '../../mail/texts-en.ts';
import { es } from '../../mail/texts-es.ts';
import type { NoticedCertificate } from '../../writes/certificate-notices.ts';

export interface CertificateMail {
  readonly person: { readonly email: string; readonly name: string; readonly language: Language };
  readonly brand: string;
  /** The day of the mail. */
  readonly day: string;
  /** The first of `total`. */
  readonly certificates: readonly NoticedCertificate[];
  readonly total: number;
  readonly link: string;
  readonly turnOffLink: string;
}

const TEXTS = { en, es };
const DAY_MS = 86_400_000;

/** About certificates that expire soon or are no longer valid. */
export function certificateMail(mail: CertificateMail): Mail {
  const { person, day, certificates, total, link, turnOffLink } = mail;
  const { language, email } = person;
  const name = personInMail(person.name);
  const facts = { brand: brandInMail(mail.brand), total };
  const { certificates: texts, greeting, footer, linkHint } = TEXTS[language];
  const items = certificates.map((certificate) => describe(certificate, { texts, day, language }));
  const left = total - certificates.length;
  const content = {
    language,
    link,
    linkHint,
    title: texts.subject(facts),
    greeting: greeting(name),
    body: texts.body(facts),
    items: left > 0 ? [...items, texts.more(left)] : items,
    button: texts.button,
    notes: [texts.note],
    turnOff: { text: texts.turnOff, link: turnOffLink },
    footer: footer(email),
  };
  return {
    to: { name, address: email },
    subject: texts.subject(facts),
    html: renderHtml(content),
    text: renderText(content),
  };
}

function describe(
  { external_certificate_id, certification, status, reason, expires_on, variants }: NoticedCertificate,
  { texts, day, language }: { texts: CertificateTexts; day: string; language: Language },
): string {
  const [code = '', ...detail] = reason.split(':');
  const inWords = (text: string) => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(text));
  const name = `${unlinked(external_certificate_id)} (${singleLine(certification)})`;
  const what =
    status === 'invalid' && code !== 'expired'
      ? texts.invalid(code, singleLine(detail.join(':')))
      : expires_on === null
        ? ''
        : expires_on < day || status === 'invalid'
          ? texts.ended(inWords(expires_on))
          : texts.ends(Math.round((Date.parse(expires_on) - Date.parse(day)) / DAY_MS), inWords(expires_on));
  return `${name} ${what} · ${texts.variants(variants)}`;
}
