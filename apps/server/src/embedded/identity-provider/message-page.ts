import type { Language } from '@brand-portal/contract/constants';
import { html } from '../../http/html.ts';
import { LOGIN_TEXTS } from './login-texts.ts';
import { page } from './page.ts';

type Message = 'stale' | 'error' | 'unavailable' | 'logout_refused';

const TITLES = {
  stale: 'stale_title',
  error: 'error_title',
  unavailable: 'error_title',
  logout_refused: 'logout_refused_title',
} as const;

interface MessagePage {
  readonly language: Language;
  readonly message: Message;
  /** Where the way on leads: the portal, which starts a fresh sign-in when one is needed. */
  readonly backTo: string;
  /** For whoever has to find out why. */
  readonly detail?: string | undefined;
}

/** What happened, in one sentence, and the way on. */
export function messagePage({ language, message, backTo, detail }: MessagePage): string {
  const texts = LOGIN_TEXTS[language];
  const title = texts[TITLES[message]];
  return page({
    language,
    title,
    languageSwitch: false,
    body: html`<h1>${title}</h1>
<p class="subtitle">${texts[message]}</p>
${detail && html`<p class="detail" lang="en">${detail}</p>`}
<a class="submit" href="${backTo}">${texts.back}</a>`,
  });
}
