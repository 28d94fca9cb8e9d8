import type { Db } from '@brand-portal/server/db/database.ts';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import { insertMessage } from './mailbox.queries.ts';
import { registerMailboxRoutes } from './mailbox-routes.ts';
import { startSmtp } from './smtp.ts';

export interface EmbeddedMailbox {
  /** The URL for senders. */
  readonly smtpUrl: string;
  /** Adds the mailbox pages. */
  register(app: FastifyInstance): Promise<void>;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly db: Db;
  readonly publicUrl: string;
  readonly logger: FastifyBaseLogger;
}

/** The default mail server in development: all mail goes to `/mailbox` only. */
export async function startEmbeddedMailbox({ db, publicUrl, logger }: Dependencies): Promise<EmbeddedMailbox> {
  const smtp = await startSmtp(
    async ({ sender, recipients, raw }) => {
      const { subject = '', text = '', html = '' } = await PostalMime.parse(raw);
      const id = await insertMessage(db, {
        sender: storable(sender),
        recipients: storable(recipients.join(', ')),
        subject: storable(subject),
        text_body: storable(text),
        html_body: storable(html),
      });
      // Also shows the link in the terminal, where a new developer is looking.
      const link = /https?:\/\/\S+\/verify-email\?token=[\w-]+/.exec(text)?.[0];
      logger.info(`Mail for ${recipients.join(', ')}: ${publicUrl}/mailbox/${id}`);
      if (link) logger.info(`Invitation link: ${link}`);
    },
    (error) => logger.warn({ err: error }, 'The embedded mailbox failed to receive a mail'),
  );
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
    register: async (app) => {
      await app.register(async (pages) => registerMailboxRoutes(pages, { db, publicUrl }));
    },
    stop: smtp.stop,
  };
}

/** PostgreSQL's text cannot contain NUL. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
