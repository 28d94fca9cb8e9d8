import type { Language } from '@brand-portal/contract/constants';
import { html, type Markup } from '../../http/html.ts';
import { LOGIN_TEXTS } from './login-texts.ts';
import { page } from './page.ts';

/** What is wrong, and with which field; a wrong password may also be a wrong e-mail, but it is what must be retyped. */
export type LoginProblem =
  | { readonly kind: 'email_missing' | 'password_missing' | 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

interface LoginPage {
  readonly language: Language;
  readonly email: string;
  readonly problem?: LoginProblem;
}

/** The form posts to its own address, which the browser's interaction cookie is bound to. */
export function loginPage({ language, email, problem }: LoginPage): string {
  const texts = LOGIN_TEXTS[language];
  const emailWrong = problem?.kind === 'email_missing';
  const passwordWrong = problem?.kind === 'password_missing' || problem?.kind === 'wrong';
  const focusEmail = emailWrong || (!email && !passwordWrong);
  return page({
    language,
    title: texts.title,
    languageSwitch: true,
    body: html`<h1>${texts.title}</h1>
<p class="subtitle">${texts.subtitle}</p>
${problem && alert(describe(problem, language))}
<form method="post" action="?language=${language}">
<div class="field">
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${email}"${invalid(emailWrong)}${focusEmail && AUTOFOCUS}>
</div>
<div class="field">
<label for="password">${texts.password}</label>
<div class="secret">
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required${invalid(passwordWrong)}${!focusEmail && AUTOFOCUS}>
<button class="reveal" type="button" aria-label="${texts.show_password}" title="${texts.show_password}" aria-pressed="false" aria-controls="password" hidden>${EYE}${EYE_OFF}</button>
</div>
</div>
<button class="submit" type="submit" data-label="${texts.submit}" data-busy="${texts.submitting}"><span class="spinner" aria-hidden="true"></span><span class="label">${texts.submit}</span></button>
</form>`,
  });
}

function describe(problem: LoginProblem, language: Language): string {
  const texts = LOGIN_TEXTS[language];
  return problem.kind === 'wait' ? texts.wait(problem.seconds) : texts[problem.kind];
}

const AUTOFOCUS = html` autofocus`;

function invalid(wrong: boolean): Markup | false {
  return wrong && html` aria-invalid="true" aria-describedby="problem"`;
}

function alert(text: string): Markup {
  return html`<p class="problem" id="problem" role="alert">${ICON_ALERT}<span>${text}</span></p>`;
}

const ICON_ALERT = html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M12 8v4M12 16h.01"/></svg>`;
const EYE = html`<svg class="eye" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/></svg>`;
const EYE_OFF = html`<svg class="eye-off" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M10.6 5.1A10 10 0 0 1 12 5c6.4 0 10 7 10 7a18 18 0 0 1-2.4 3.3M6.6 6.7C3.7 8.6 2 12 2 12s3.6 7 10 7a9.6 9.6 0 0 0 5.3-1.6M9.9 9.9a3 3 0 0 0 4.2 4.2M3 3l18 18"/></svg>`;
