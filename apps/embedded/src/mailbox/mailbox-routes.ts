import { randomBytes } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { pagePolicy } from '@brand-portal/server/http/security-headers.ts';
import { AppError } from '@brand-portal/server/lib/errors.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { requireLocalCaller, requireOwnHost } from '../callers.ts';
import { findMessage, listMessages, type StoredMessage } from './mailbox.queries.ts';
import { listPage, messagePage } from './pages.ts';

interface MessageRoute {
  Params: { id: string };
}

/** Only the mail's own styles. `sandbox` also applies if the URL is opened outside its frame. */
const MESSAGE_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

export function registerMailboxRoutes(app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  const hidden = { schema: { hide: true } };

  // Mails contain links that give access.
  app.addHook('onRequest', async (request) => {
    requireOwnHost(request, { what: 'The mailbox', address: publicUrl });
    requireLocalCaller(request, 'The mailbox');
  });

  app.get('/mailbox', hidden, async (_request, reply) => {
    const messages = await listMessages(db);
    return sendPage(reply, (nonce) => listPage(messages, nonce));
  });

  app.get<MessageRoute>('/mailbox/:id', hidden, async (request, reply) => {
    const message = await getMessage(db, request.params.id);
    return sendPage(reply, (nonce) => messagePage(message, nonce));
  });

  app.get<MessageRoute>('/mailbox/:id/html', hidden, async (request, reply) => {
    const { html_body } = await getMessage(db, request.params.id);
    return (
      reply
        .header('content-security-policy', MESSAGE_POLICY)
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        // Links must open outside the frame, which may show only the mail.
        .send(html_body.replace('<head>', '<head><base target="_blank">'))
    );
  });
}

async function getMessage(db: Db, id: string): Promise<StoredMessage> {
  const message = /^\d{1,15}$/.test(id) ? await findMessage(db, Number(id)) : undefined;
  if (!message) throw new AppError('not_found', 'There is no such message.');
  return message;
}

function sendPage(reply: FastifyReply, render: (nonce: string) => string): FastifyReply {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('content-security-policy', pagePolicy(nonce, undefined))
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(render(nonce));
}
