import type { Language } from '@brand-portal/contract/constants';
import { brokenPasswordRules, PASSWORD_RULES, type PasswordRule } from '@brand-portal/contract/onboarding';
import { PAGES } from '@brand-portal/contract/pages';
import { html, type Markup } from '@brand-portal/server/http/html.ts';
import { alert, emailField, passwordField, secondaryLink, submitButton } from './form-parts.ts';
import { LOGIN_TEXTS } from './login-texts.ts';
import { page } from './page.ts';

const MAX_PASSWORD_LENGTH = 256;

export type ForgotProblem = { readonly kind: 'email_missing' } | { readonly kind: 'wait'; readonly seconds: number };

/** The form to request a reset link. */
export function forgotPage({ language, problem }: { language: Language; problem?: ForgotProblem }): string {
  const texts = LOGIN_TEXTS[language];
  return page({
    language,
    title: texts.forgot_title,
    languageSwitch: true,
    body: html`<h1>${texts.forgot_title}</h1>
<p class="subtitle">${texts.forgot_subtitle}</p>
${problem && alert(problem.kind === 'wait' ? texts.wait_to_ask(problem.seconds) : texts.email_missing)}
<form method="post" action="?language=${language}">
${emailField({ label: texts.email, wrong: problem?.kind === 'email_missing', focus: true }, '')}
${submitButton(texts.forgot_submit, texts.forgot_submitting)}
</form>
${secondaryLink(PAGES.login, texts.back)}`,
  });
}

export type NewPasswordProblem =
  | { readonly kind: 'rules'; readonly broken: readonly PasswordRule[] }
  | { readonly kind: 'mismatch' | 'too_long' | 'current_wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** The error of a new password, if any. */
export function checkNewPassword(password: string, confirm: string): NewPasswordProblem | undefined {
  const broken = brokenPasswordRules(password);
  if (broken.length > 0) return { kind: 'rules', broken };
  if (password.length > MAX_PASSWORD_LENGTH) return { kind: 'too_long' };
  return password === confirm ? undefined : { kind: 'mismatch' };
}

interface NewPasswordPage {
  readonly language: Language;
  /** The account's address, also for password managers. */
  readonly email: string;
  /** The token of the reset link. Without it the form requires the current password. */
  readonly token?: string;
  readonly problem?: NewPasswordProblem | undefined;
}

/** The form for a new password, by a reset link or with the current password. */
export function newPasswordPage({ language, email, token, problem }: NewPasswordPage): string {
  const texts = LOGIN_TEXTS[language];
  const title = token === undefined ? texts.change_title : texts.reset_title;
  const currentWrong = problem?.kind === 'current_wrong';
  const confirmWrong = problem?.kind === 'mismatch';
  const passwordWrong = problem?.kind === 'rules' || problem?.kind === 'too_long';
  const asksCurrent = token === undefined;
  const focusPassword = passwordWrong || (!asksCurrent && !confirmWrong);
  const confirm = { name: 'confirm', language, label: texts.confirm_password } as const;
  return page({
    language,
    title,
    languageSwitch: true,
    ...(token !== undefined && { query: `token=${encodeURIComponent(token)}&` }),
    body: html`<h1>${title}</h1>
<p class="subtitle wrap">${texts.password_for(email, token !== undefined)}</p>
${problem && alert(describe(problem, language))}
<form method="post" action="?language=${language}">
<input type="text" name="username" autocomplete="username" value="${email}" hidden>
${token !== undefined && html`<input type="hidden" name="token" value="${token}">`}
${asksCurrent && passwordField({ name: 'current', language, label: texts.current_password, wrong: currentWrong, focus: !focusPassword && !confirmWrong }, false)}
${passwordField({ name: 'password', language, label: texts.new_password, hint: 'rules', wrong: passwordWrong, focus: focusPassword }, true)}
${rulesList(language, problem?.kind === 'rules' ? problem.broken : undefined)}
${passwordField({ ...confirm, wrong: confirmWrong, focus: confirmWrong }, true)}
${submitButton(texts.save_password, texts.saving_password)}
</form>
${asksCurrent && secondaryLink(PAGES.home, texts.back_to_portal)}`,
  });
}

function describe(problem: NewPasswordProblem, language: Language): string {
  const texts = LOGIN_TEXTS[language];
  return problem.kind === 'wait' ? texts.wait(problem.seconds) : texts[`password_${problem.kind}`];
}

/** After an attempt, each rule shows whether it was met. */
function rulesList(language: Language, broken: readonly PasswordRule[] | undefined): Markup {
  const texts = LOGIN_TEXTS[language];
  const items = (Object.keys(PASSWORD_RULES) as PasswordRule[]).map((rule) => {
    const text = texts.rules[rule];
    if (!broken) return html`<li>${text}</li>`;
    const met = !broken.includes(rule);
    return html`<li data-met="${String(met)}"><span class="visually-hidden">${met ? texts.met : texts.unmet}: </span>${text}</li>`;
  });
  return html`<div class="rules" id="rules"><p>${texts.rules_title}</p><ul>${items}</ul></div>`;
}
