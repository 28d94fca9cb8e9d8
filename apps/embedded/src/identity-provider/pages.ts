import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import { brokenPasswordRules, PASSWORD_RULES, type PasswordRule } from '@brand-portal/contract/onboarding';
import { PAGES } from '@brand-portal/contract/pages';
import { html, type Markup } from '@brand-portal/server/http/html.ts';
import { LOGIN_SCRIPT, STYLE, THEME_SCRIPT } from './assets.ts';
import { MOUNT_PATH } from './paths.ts';
import { type MessageName, TEXTS } from './texts.ts';

const MAX_PASSWORD_LENGTH = 256;

type FieldName = 'email' | 'password' | 'confirm' | 'current';

/** The error of a form, and the field that it is about. */
export interface Problem {
  readonly text: string;
  readonly field?: FieldName;
  readonly brokenRules?: readonly PasswordRule[];
}

interface Form {
  readonly language: Language;
  readonly problem?: Problem | undefined;
}

export function loginPage({ email, canReset, ...state }: Form & { email: string; canReset: boolean }): string {
  const texts = TEXTS[state.language];
  const field = fieldOf(state, email ? 'password' : 'email');
  const fields = [field('email', texts.email, 'username', email), field('password', texts.password, 'current-password')];
  return page({
    ...state,
    title: texts.title,
    text: texts.subtitle,
    content: html`${form(state, fields, texts.title)}
${canReset && aside(`${MOUNT_PATH}/forgot-password?language=${state.language}`, texts.forgot)}`,
  });
}

/** The form to request a reset link. */
export function forgotPage(state: Form): string {
  const texts = TEXTS[state.language];
  const fields = [fieldOf(state, 'email')('email', texts.email, 'username', '')];
  return page({
    ...state,
    title: texts.forgot_title,
    text: texts.forgot_subtitle,
    content: html`${form(state, fields, texts.forgot_submit)}
${aside(PAGES.login, texts.go_to_sign_in)}`,
  });
}

/** The form for a new password: with the token of a reset link, or with the current password. */
export function newPasswordPage({ email, token, ...state }: Form & { email: string; token?: string }): string {
  const texts = TEXTS[state.language];
  const isReset = token !== undefined;
  const field = fieldOf(state, isReset ? 'password' : 'current');
  const fields = [
    // For password managers.
    html`<input type="text" name="username" autocomplete="username" value="${email}" hidden>`,
    isReset ? html`<input type="hidden" name="token" value="${token}">` : field('current', texts.current_password, 'current-password'),
    field('password', texts.new_password, 'new-password'),
    rulesList(state.language, state.problem?.brokenRules),
    field('confirm', texts.confirm_password, 'new-password'),
  ];
  return page({
    ...state,
    title: isReset ? texts.reset_title : texts.change_title,
    text: texts.password_for(email, isReset),
    content: html`${form(state, fields, texts.save_password)}
${!isReset && aside(PAGES.home, texts.back_to_portal)}`,
    ...(isReset && { kept: `token=${encodeURIComponent(token)}&` }),
  });
}

/** The error of a new password, if any. */
export function checkNewPassword(language: Language, password: string, confirm: string): Problem | undefined {
  const texts = TEXTS[language];
  const brokenRules = brokenPasswordRules(password);
  if (brokenRules.length > 0) return { text: texts.password_rules, field: 'password', brokenRules };
  if (password.length > MAX_PASSWORD_LENGTH) return { text: texts.password_too_long, field: 'password' };
  return password === confirm ? undefined : { text: texts.password_mismatch, field: 'confirm' };
}

interface MessagePage {
  readonly language: Language;
  readonly message: MessageName;
  /** For troubleshooting. */
  readonly detail?: string | undefined;
}

/** One sentence about what happened, and a link to continue: usually to the portal, which starts a new sign-in. */
export function messagePage({ language, message, detail }: MessagePage): string {
  const texts = TEXTS[language];
  let [href, label] = [PAGES.login as string, texts.go_to_sign_in];
  if (message === 'link_dead') [href, label] = [`${MOUNT_PATH}/forgot-password?language=${language}`, texts.ask_again];
  if (message === 'password_changed') [href, label] = [PAGES.home, texts.back_to_portal];
  const content = html`${detail && html`<p class="detail" lang="en">${detail}</p>`}
<a class="submit" href="${href}">${label}</a>`;
  return page({ language, ...texts.messages[message], content });
}

/** It posts to the page's own URL, which the interaction cookie is bound to. */
function form({ language, problem }: Form, fields: readonly Markup[], submit: string): Markup {
  return html`${problem && html`<p class="problem" id="problem" role="alert">${ICON_ALERT}<span>${problem.text}</span></p>`}
<form method="post" action="?language=${language}">
${fields}
<button class="submit" type="submit"><span class="spinner" aria-hidden="true"></span>${submit}</button>
</form>`;
}

/** Without a problem of one field, the focus is on `first`. */
function fieldOf({ language, problem }: Form, first: FieldName) {
  return (name: FieldName, label: string, autocomplete: string, value?: string): Markup => {
    const isWrong = problem?.field === name;
    const hasRules = name === 'password' && autocomplete === 'new-password';
    const describedBy = [isWrong && 'problem', hasRules && 'rules'].filter(Boolean).join(' ');
    const invalid = isWrong && html` aria-invalid="true"`;
    const described = describedBy !== '' && html` aria-describedby="${describedBy}"`;
    const focus = (problem?.field ?? first) === name && html` autofocus`;
    const attributes = html`autocomplete="${autocomplete}" required${invalid}${described}${focus}`;
    const input =
      value === undefined
        ? secretInput(name, `${TEXTS[language].show_password}: ${label}`, attributes)
        : html`<input id="${name}" name="${name}" type="email" autocapitalize="none" spellcheck="false" maxlength="254" value="${value}" ${attributes}>`;
    return html`<div class="field">
<label for="${name}">${label}</label>
${input}
</div>`;
  };
}

function secretInput(name: FieldName, show: string, attributes: Markup): Markup {
  return html`<div class="secret">
<input id="${name}" name="${name}" type="password" maxlength="${MAX_PASSWORD_LENGTH}" ${attributes}>
<button class="reveal" type="button" aria-label="${show}" title="${show}" aria-pressed="false" aria-controls="${name}" hidden>${EYE}${EYE_OFF}</button>
</div>`;
}

function aside(href: string, text: string): Markup {
  return html`<p class="aside"><a href="${href}">${text}</a></p>`;
}

/** After an attempt, each rule shows whether it was met. */
function rulesList(language: Language, broken: readonly PasswordRule[] | undefined): Markup {
  const texts = TEXTS[language];
  const items = (Object.keys(PASSWORD_RULES) as PasswordRule[]).map((rule) => {
    const text = texts.rules[rule];
    if (!broken) return html`<li>${text}</li>`;
    const met = !broken.includes(rule);
    return html`<li data-met="${String(met)}"><span class="visually-hidden">${met ? texts.met : texts.unmet}: </span>${text}</li>`;
  });
  return html`<div class="rules" id="rules"><p>${texts.rules_title}</p><ul>${items}</ul></div>`;
}

interface Page {
  readonly language: Language;
  readonly title: string;
  readonly text: string;
  readonly content: Markup;
  /** Parameters to keep when the language is switched, such as `token=…&`. */
  readonly kept?: string;
}

/** The layout of all pages of the provider. */
function page({ language, title, text, content, kept = '' }: Page): string {
  const languages = LANGUAGES.map((other) => {
    const name = TEXTS[other].language_name;
    if (other === language) return html`<span lang="${other}" aria-current="true">${name}</span>`;
    return html`<a href="?${kept}language=${other}" lang="${other}" hreflang="${other}" data-language="${other}">${name}</a>`;
  });
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#f7f8fa" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0e1014" media="(prefers-color-scheme: dark)">
<title>${title} · Brand Portal</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${MOUNT_PATH}${STYLE.path}">
<script src="${MOUNT_PATH}${THEME_SCRIPT.path}"></script>
<script src="${MOUNT_PATH}${LOGIN_SCRIPT.path}" defer></script>
</head>
<body>
<main class="card">
<div class="brand">${LOGO}<span>Brand Portal</span></div>
<h1>${title}</h1>
<p class="subtitle">${text}</p>
${content}
</main>
<nav class="languages" aria-label="${TEXTS[language].language_label}">${languages}</nav>
</body>
</html>
`.markup;
}

const LOGO = html`<svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M10 8.5h7.2a4.3 4.3 0 0 1 2.6 7.7 4.6 4.6 0 0 1-2 8.8H10z M10 16.2h7.4"/></svg>`;
const ICON_ALERT = html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M12 8v4M12 16h.01"/></svg>`;
const EYE = html`<svg class="eye" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/></svg>`;
const EYE_OFF = html`<svg class="eye-off" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M10.6 5.1A10 10 0 0 1 12 5c6.4 0 10 7 10 7a18 18 0 0 1-2.4 3.3M6.6 6.7C3.7 8.6 2 12 2 12s3.6 7 10 7a9.6 9.6 0 0 0 5.3-1.6M9.9 9.9a3 3 0 0 0 4.2 4.2M3 3l18 18"/></svg>`;
