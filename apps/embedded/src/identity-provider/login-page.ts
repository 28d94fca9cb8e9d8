import type { Language } from '@brand-portal/contract/constants';
import { html } from '@brand-portal/server/http/html.ts';
import { MOUNT_PATH } from './cookies.ts';
import { alert, emailField, passwordField, secondaryLink, submitButton } from './form-parts.ts';
import { LOGIN_TEXTS } from './login-texts.ts';
import { page } from './page.ts';

/**
 * The error and its field. If the e-mail is wrong instead of the password, the password field is marked too, because it must be retyped.
 */
export type LoginProblem =
  | { readonly kind: 'email_missing' | 'password_missing' | 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

interface LoginPage {
  readonly language: Language;
  readonly email: string;
  readonly problem?: LoginProblem;
  /** Whether a forgotten password can be reset by mail. */
  readonly canReset: boolean;
}

/** The form posts to its own URL, which the interaction cookie is bound to. */
export function loginPage({ language, email, problem, canReset }: LoginPage): string {
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
${problem && alert(problem.kind === 'wait' ? texts.wait(problem.seconds) : texts[problem.kind])}
<form method="post" action="?language=${language}">
${emailField({ label: texts.email, wrong: emailWrong, focus: focusEmail }, email)}
${passwordField({ name: 'password', language, label: texts.password, wrong: passwordWrong, focus: !focusEmail }, false)}
${submitButton(texts.submit, texts.submitting)}
</form>
${canReset && secondaryLink(`${MOUNT_PATH}/forgot-password?language=${language}`, texts.forgot)}`,
  });
}
