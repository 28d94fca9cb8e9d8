import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';

export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** The same for each try of a mail: mail systems drop a second copy if the answer to the first was lost. */
  readonly messageId?: string;
}

export interface Mailer {
  /** Resolves when the mail server has accepted the mail. */
  send(mail: Mail): Promise<void>;
}

/** The mail server rejects the recipient permanently: no retry. */
export class RecipientRefused extends Error {}

/** A permanent rejection of the recipient is not retried. Every failure is logged, with whom the mail is for. */
export async function sendUnlessRefused(
  { mailer, logger }: { mailer: Mailer; logger: FastifyBaseLogger },
  mail: Mail,
  ids: object,
): Promise<void> {
  await mailer.send(mail).catch((error: unknown) => {
    const failure = { ...ids, to: mail.to.address, reason: error instanceof Error ? error.message : String(error) };
    if (error instanceof RecipientRefused) {
      logger.warn(failure, 'The mail server refused the recipient of a mail');
    } else {
      logger.warn(failure, 'A mail could not be sent and is tried again later');
      throw error;
    }
  });
}

/**
 * Only a refusal of the recipient is permanent; the operator can fix a wrong password, sender or network. But many servers (Postfix by
 * default) send those refusals too only when they hear the recipient.
 */
const ABOUT_SENDER = /\b5\.7\.\d|\b5\.1\.[78]\b|relay(?! recipient)|sender|authenticat/i;

const DEADLINE_MS = 10_000;

export function createMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: DEADLINE_MS,
      greetingTimeout: DEADLINE_MS,
      socketTimeout: 2 * DEADLINE_MS,
      // Text that users choose, such as their name, must never make the mailer read a file or fetch a URL.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  return {
    send: async (mail) => {
      // Names and addresses are passed as fields, so that the library quotes and encodes each.
      await transport.sendMail(mail).catch((error: SmtpError) => {
        const isAtRecipient = error.command === 'RCPT TO' && (error.responseCode ?? 0) >= 500;
        // Without addresses, which may contain such a word.
        const text = error.message.replaceAll(/\S+@\S+/g, '');
        if (isAtRecipient && !ABOUT_SENDER.test(text)) throw new RecipientRefused(error.message);
        throw error;
      });
    },
  };
}

interface SmtpError extends Error {
  readonly command?: string;
  readonly responseCode?: number;
}
