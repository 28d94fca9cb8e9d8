import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { AppError } from '../lib/errors.ts';
import { html } from './html.ts';
import { languageOf } from './language.ts';

const TEXTS = {
  en: {
    limited: 'Too many requests',
    limitedHint: 'Too many requests came from your network within a minute. Please wait a moment and try again.',
    failed: 'This page could not be shown',
    failedHint: 'Something went wrong on our side. Please try again in a moment.',
    retry: 'Try again',
  },
  es: {
    limited: 'Demasiadas solicitudes',
    limitedHint: 'Llegaron demasiadas solicitudes desde tu red en un minuto. Espera un momento e inténtalo de nuevo.',
    failed: 'No se pudo mostrar esta página',
    failedHint: 'Algo falló por nuestra parte. Inténtalo de nuevo en un momento.',
    retry: 'Intentar de nuevo',
  },
};

const STYLE = `
  :root { color-scheme: light dark; --text: #16181d; --soft: #4a5060; --ground: #f7f8fa; --link: #3e4bd0; }
  @media (prefers-color-scheme: dark) { :root { --text: #eceef3; --soft: #b4bac8; --ground: #0e1014; --link: #8e9bff; } }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 16px; box-sizing: border-box;
    font: 14px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); text-align: center; }
  h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; }
  p { margin: 0 auto 16px; max-width: 40ch; color: var(--soft); }
  a { color: var(--link); }
`;

/** For requests of pages that are refused before the web app is loaded. */
export function sendErrorPage(reply: FastifyReply, { code }: AppError): FastifyReply {
  const language = languageOf(reply.request);
  const texts = TEXTS[language];
  const [title, hint] = code === 'rate_limited' ? [texts.limited, texts.limitedHint] : [texts.failed, texts.failedHint];
  const nonce = randomBytes(16).toString('base64');
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Brand Portal</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main><h1>${title}</h1><p>${hint}</p><a href="">${texts.retry}</a></main>
</body>
</html>
`;
  return reply
    .header('content-security-policy', `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page.markup);
}
