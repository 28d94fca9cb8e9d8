import type { Language } from '@brand-portal/contract/constants';
import { html } from '@brand-portal/server/http/html.ts';
import { LOGIN_TEXTS, type MessageName } from './login-texts.ts';
import { page } from './page.ts';

export type Message = MessageName;

interface MessagePage {
  readonly language: Language;
  readonly message: Message;
  /** The target of the link, usually the portal, which starts a new sign-in if needed. */
  readonly backTo: string;
  /** For troubleshooting. */
  readonly detail?: string | undefined;
  readonly languageSwitch?: boolean;
}

/** One sentence about what happened, and a link to continue. */
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
