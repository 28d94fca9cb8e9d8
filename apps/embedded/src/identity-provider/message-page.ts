import type { Language } from '@brand-portal/contract/constants';
import { html } from '@brand-portal/server/http/html.ts';
import { LOGIN_TEXTS, type MessageName } from './login-texts.ts';
import { page } from './page.ts';

export type Message = MessageName;

interface MessagePage {
  readonly language: Language;
  readonly message: Message;
  /** Where the way on leads: mostly the portal, which starts a fresh sign-in when one is needed. */
  readonly backTo: string;
  /** For whoever has to find out why. */
  readonly detail?: string | undefined;
  readonly languageSwitch?: boolean;
}

/** What happened, in one sentence, and the way on. */
export function messagePage({ language, message, backTo, detail, languageSwitch = false }: MessagePage): string {
  const texts = LOGIN_TEXTS[language];
  const { title, text, action = texts.back } = texts.messages[message];
  return page({
    language,
    title,
    languageSwitch,
    body: html`<h1>${title}</h1>
<p class="subtitle">${text}</p>
${detail && html`<p class="detail" lang="en">${detail}</p>`}
<a class="submit" href="${backTo}">${action}</a>`,
  });
}
