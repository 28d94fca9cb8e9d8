import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import { html, type Markup } from '@brand-portal/server/http/html.ts';
import { LOGIN_SCRIPT, STYLE, THEME_SCRIPT } from './assets.ts';
import { MOUNT_PATH } from './cookies.ts';
import { LOGIN_TEXTS } from './login-texts.ts';

/** Only our own files. Forms may post only to this origin. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
} as const;

interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: Markup;
  readonly languageSwitch: boolean;
  /** Parameters to keep when the language is switched, such as `token=…&`. */
  readonly query?: string;
}

/** The layout of all pages of the provider. */
export function page({ language, title, body, languageSwitch: hasSwitch, query = '' }: Page): string {
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
${body}
</main>
${hasSwitch && languageSwitch(language, query)}
</body>
</html>
`.markup;
}

function languageSwitch(language: Language, query: string): Markup {
  const links = LANGUAGES.map((other) => languageLink(other, other === language, query));
  return html`<nav class="languages" aria-label="${LOGIN_TEXTS[language].language_label}">${links}</nav>`;
}

function languageLink(language: Language, current: boolean, query: string): Markup {
  const name = LOGIN_TEXTS[language].language_name;
  if (current) return html`<span lang="${language}" aria-current="true">${name}</span>`;
  return html`<a href="?${query}language=${language}" lang="${language}" hreflang="${language}" data-language="${language}">${name}</a>`;
}

const LOGO = html`<svg class="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M10 8.5h7.2a4.3 4.3 0 0 1 2.6 7.7 4.6 4.6 0 0 1-2 8.8H10z M10 16.2h7.4"/></svg>`;
