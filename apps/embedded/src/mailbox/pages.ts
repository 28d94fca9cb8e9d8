import { html, type Markup } from '@brand-portal/server/http/html.ts';
import type { StoredMessage } from './mailbox.queries.ts';

const STYLE = html`
:root { color-scheme: light dark; --text: light-dark(#16181d, #eceef3); --muted: light-dark(#4a5060, #b4bac8);
  --background: light-dark(#f7f8fa, #0e1014); --surface: light-dark(#ffffff, #181b22); --border: light-dark(#dde0e7, #2b303b);
  --primary: light-dark(#3e4bd0, #8e9bff); }
body { margin: 0 auto; max-width: 860px; padding: 32px 16px; background: var(--background); color: var(--text);
  font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; }
h1 { margin: 0 0 8px; font-size: 22px; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 15px; }
a { color: var(--primary); }
p, time, dt { color: var(--muted); }
ul { margin: 24px 0; padding: 0; list-style: none; border: 1px solid var(--border); border-radius: 12px; background: var(--surface); }
li { padding: 12px 16px; overflow-wrap: anywhere; }
li + li { border-top: 1px solid var(--border); }
li div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; font-size: 13px; color: var(--muted); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 16px 0; overflow-wrap: anywhere; }
dd { margin: 0; }
iframe { box-sizing: border-box; width: 100%; height: 620px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface); }
pre { margin: 0; padding: 16px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface);
  white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.6 ui-monospace, monospace; }
`;

export function listPage(messages: readonly StoredMessage[], nonce: string): string {
  const rows = messages.map(
    (message) => html`<li><a href="/mailbox/${message.id}">${message.subject || '(no subject)'}</a>
<div><span>${message.recipients}</span>${time(message.received_at)}</div></li>`,
  );
  return page(
    'Mailbox',
    nonce,
    html`<h1>Mailbox</h1>
<p>Mail that this development server has sent. Nothing has left the machine.</p>
${rows.length > 0 ? html`<ul>${rows}</ul>` : html`<p>No mail yet.</p>`}`,
  );
}

/** The mail's HTML is in a sandboxed frame without scripts or network. Its links open in a new tab. */
export function messagePage(message: StoredMessage, nonce: string): string {
  const { id, subject, sender, recipients, text_body, html_body, received_at } = message;
  return page(
    subject,
    nonce,
    html`<p><a href="/mailbox">← Mailbox</a></p>
<h1>${subject || '(no subject)'}</h1>
<dl><dt>To</dt><dd>${recipients}</dd><dt>From</dt><dd>${sender}</dd><dt>Received</dt><dd>${time(received_at)}</dd></dl>
${html_body ? html`<h2>HTML</h2><iframe title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/mailbox/${id}/html"></iframe>` : undefined}
<h2>Text</h2><pre>${linkify(text_body)}</pre>`,
  );
}

function page(title: string, nonce: string, body: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${title} · Brand Portal mailbox</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.markup;
}

function time(date: Date): Markup {
  return html`<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** Turns URLs into links; everything else stays text. */
function linkify(text: string): Markup[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) =>
      index % 2 === 1 ? html`<a href="${piece}" target="_blank" rel="noopener noreferrer">${piece}</a>` : html`${piece}`,
    );
}
