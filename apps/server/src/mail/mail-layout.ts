import type { Language } from '@brand-portal/contract/constants';
import { html } from '../http/html.ts';

export interface MailContent {
  readonly language: Language;
  readonly title: string;
  readonly greeting: string;
  readonly body: string;
  /** A list below the body. */
  readonly items?: readonly string[];
  readonly button: string;
  readonly link: string;
  readonly linkHint: string;
  readonly notes: readonly string[];
  /** Where the recipient can turn off mails of this kind. */
  readonly turnOff?: { readonly text: string; readonly link: string };
  readonly footer: string;
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/**
 * Mail programs support only old HTML: tables for layout, inline styles, no external images (which are blocked, and would reveal when the
 * mail was read). Newer programs also get dark colours.
 */
export function renderHtml(content: MailContent): string {
  const { language, title, greeting, body, items = [], button, link, linkHint, notes, turnOff, footer } = content;
  const paragraph = `margin:0 0 16px;font-size:16px;line-height:24px;color:#16181d;${FONT}`;
  const small = `margin:0 0 8px;font-size:13px;line-height:20px;color:#4a5060;${FONT}`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background-color: #0e1014 !important; }
  .card { background-color: #181b22 !important; border-color: #2b303b !important; }
  .text { color: #eceef3 !important; }
  .muted { color: #b4bac8 !important; }
  .link { color: #8e9bff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:#f7f8fa">
<div style="display:none;max-height:0;overflow:hidden">${body}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:#f7f8fa">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 0 16px"><span class="text" style="font-size:18px;font-weight:600;color:#16181d;${FONT}">Brand Portal</span></td></tr>
<tr><td class="card" style="padding:32px;background-color:#ffffff;border:1px solid #dde0e7;border-radius:12px">
<h1 class="text" style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600;color:#16181d;${FONT}">${title}</h1>
<p class="text" style="${paragraph}">${greeting}</p>
<p class="text" style="${paragraph}">${body}</p>
${items.length > 0 && html`<ul class="text" style="${paragraph};padding:0 0 0 20px">${items.map((item) => html`<li style="margin:0 0 8px">${item}</li>`)}</ul>`}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td bgcolor="#3e4bd0" style="border-radius:8px"><a href="${link}" style="display:inline-block;padding:12px 24px;font-size:16px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none;border-radius:8px;${FONT}">${button}</a></td></tr>
</table>
${notes.map((note) => html`<p class="muted" style="${small}">${note}</p>`)}
<p class="muted" style="${small}">${linkHint}<br><a class="link" href="${link}" style="color:#3e4bd0;word-break:break-all">${link}</a></p>
${turnOff && html`<p class="muted" style="${small}">${turnOff.text}<br><a class="link" href="${turnOff.link}" style="color:#3e4bd0;word-break:break-all">${turnOff.link}</a></p>`}
</td></tr>
<tr><td class="muted" style="padding:16px 0 0;font-size:12px;line-height:18px;color:#676d7c;${FONT}">${footer}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`.markup;
}

export function renderText(content: MailContent): string {
  const { title, greeting, body, items = [], button, link, notes, turnOff, footer } = content;
  const list = items.map((item) => `- ${item}`).join('\n');
  const off = turnOff ? `${turnOff.text}\n${turnOff.link}` : '';
  const parts = [title, greeting, body, list, `${button}:\n${link}`, notes.join('\n'), off, `-- \n${footer}`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
