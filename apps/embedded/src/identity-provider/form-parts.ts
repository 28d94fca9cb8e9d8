import type { Language } from '@brand-portal/contract/constants';
import { html, type Markup } from '@brand-portal/server/http/html.ts';
import { LOGIN_TEXTS } from './login-texts.ts';

interface Field {
  readonly label: string;
  readonly wrong: boolean;
  readonly focus: boolean;
}

export function emailField({ label, wrong, focus }: Field, value: string): Markup {
  return html`<div class="field">
<label for="email">${label}</label>
<input id="email" name="email" type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254" required value="${value}"${invalid(wrong)}${focus && AUTOFOCUS}>
</div>`;
}

interface PasswordField extends Field {
  readonly name: 'password' | 'confirm' | 'current';
  readonly language: Language;
  /** The id of the element that describes the field. */
  readonly hint?: string;
}

export function passwordField({ name, language, label, hint, wrong, focus }: PasswordField, isNew: boolean): Markup {
  const show = LOGIN_TEXTS[language].show_password;
  return html`<div class="field">
<label for="${name}">${label}</label>
<div class="secret">
<input id="${name}" name="${name}" type="password" autocomplete="${isNew ? 'new-password' : 'current-password'}" maxlength="256" required${invalid(wrong, hint)}${focus && AUTOFOCUS}>
<button class="reveal" type="button" aria-label="${isNew || name !== 'password' ? `${show}: ${label}` : show}" title="${show}" aria-pressed="false" aria-controls="${name}" hidden>${EYE}${EYE_OFF}</button>
</div>
</div>`;
}

export function submitButton(label: string, busy: string): Markup {
  return html`<button class="submit" type="submit" data-label="${label}" data-busy="${busy}"><span class="spinner" aria-hidden="true"></span><span class="label">${label}</span></button>`;
}

/** A secondary link below a form. */
export function secondaryLink(href: string, text: string): Markup {
  return html`<p class="aside"><a href="${href}">${text}</a></p>`;
}

/** An error of the whole form. The invalid fields refer to it. */
export function alert(text: string): Markup {
  return html`<p class="problem" id="problem" role="alert">${ICON_ALERT}<span>${text}</span></p>`;
}

function invalid(wrong: boolean, hint?: string): Markup | false {
  const described = [wrong && 'problem', hint].filter(Boolean).join(' ');
  const by = described && html` aria-describedby="${described}"`;
  return html`${wrong && html` aria-invalid="true"`}${by || undefined}`;
}

const AUTOFOCUS = html` autofocus`;
const ICON_ALERT = html`<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="M12 8v4M12 16h.01"/></svg>`;
const EYE = html`<svg class="eye" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7-10-7-10-7z"/><circle cx="12" cy="12" r="3"/></svg>`;
const EYE_OFF = html`<svg class="eye-off" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M10.6 5.1A10 10 0 0 1 12 5c6.4 0 10 7 10 7a18 18 0 0 1-2.4 3.3M6.6 6.7C3.7 8.6 2 12 2 12s3.6 7 10 7a9.6 9.6 0 0 0 5.3-1.6M9.9 9.9a3 3 0 0 0 4.2 4.2M3 3l18 18"/></svg>`;
