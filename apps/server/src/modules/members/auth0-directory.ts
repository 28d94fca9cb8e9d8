import { emailKey } from '@brand-portal/contract/people';
import type { ManagementError } from 'auth0';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { IdentityDirectory, Person } from './identity-directory.ts';
import { passwordTooWeak } from './password-rules.ts';

interface Options {
  readonly domain: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The application that people sign in with. */
  readonly loginClientId?: string | undefined;
  /** The database connection that the tenant keeps passwords in. */
  readonly connection: string;
  readonly deadlineMs?: number;
  /** The SDK talks https to a bare host name only; tests lead its requests elsewhere. */
  readonly fetch?: typeof fetch;
}

/** The browser gives up after 10 seconds, and should hear the reason before. */
const DEADLINE_MS = 8_000;
/** `PasswordStrengthError: Password is too weak`, and its kin for common, reused and personal passwords. */
const PASSWORD_REFUSED = /^Password\w*Error: (.*)$/;

/** Accounts at Auth0, where the configuration lets us make them. */
export async function chooseDirectory(
  { identityManagement, identity }: Pick<Config, 'identityManagement' | 'identity'>,
  logger: FastifyBaseLogger,
): Promise<IdentityDirectory> {
  const { domain, clientId, clientSecret } = identityManagement;
  if (domain && clientId && clientSecret)
    return createAuth0Directory({ ...identityManagement, loginClientId: identity.clientId });
  logger.warn('Invited people cannot make accounts: set AUTH0_MANAGEMENT_CLIENT_ID and AUTH0_MANAGEMENT_CLIENT_SECRET');
  return {
    createOrUpdateUser: async () => {
      throw new AppError(
        'provider_unavailable',
        'This installation cannot make accounts yet. Please tell its operator.',
      );
    },
  };
}

/** Accounts at Auth0, through its Management API. */
export async function createAuth0Directory(options: Options): Promise<IdentityDirectory> {
  // Over a second and 40 MB to load: only installations that use Auth0 pay for it.
  const { ManagementClient } = await import('auth0');
  const { connection, deadlineMs = DEADLINE_MS, loginClientId, ...client } = options;
  const { users } = new ManagementClient({ ...client, maxRetries: 1, telemetry: false });

  async function create({ email, password, firstName, lastName }: Person, abortSignal: AbortSignal): Promise<string> {
    const user = await users.create(
      {
        connection,
        email,
        password,
        email_verified: true,
        verify_email: false,
        // Auth0 refuses empty names.
        ...(firstName && { given_name: firstName }),
        ...(lastName && { family_name: lastName }),
      },
      { abortSignal },
    );
    return subjectOf(user.user_id);
  }

  async function update({ email, password }: Person, abortSignal: AbortSignal): Promise<string> {
    // Auth0 keeps addresses in lower case, and its search minds the case.
    const found = await users.listUsersByEmail({ email: emailKey(email) }, { abortSignal });
    const account = found.find(({ identities }) => identities?.some((identity) => identity.connection === connection));
    const subject = subjectOf(account?.user_id);
    // One after the other: Auth0 does not take both in one request.
    await users.update(subject, { password, connection }, { abortSignal });
    if (!account?.email_verified) await users.update(subject, { email_verified: true, connection }, { abortSignal });
    return subject;
  }

  /** Auth0 mails a link. There is no form here: only Auth0 knows the current password. */
  async function mailPasswordLink(email: string): Promise<void> {
    const send = options.fetch ?? fetch;
    const answer = await send(`https://${options.domain}/dbconnections/change_password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: loginClientId, email, connection }),
      signal: AbortSignal.timeout(deadlineMs),
    }).catch(() => undefined);
    if (answer?.ok) return;
    throw new AppError('provider_unavailable', 'The identity provider cannot send the email at the moment.');
  }

  return {
    // Of others, such as Google's, it is not Auth0 that keeps the password.
    passwordChange: (subject) => (loginClientId && subject.startsWith('auth0|') ? 'mail' : 'none'),
    mailPasswordLink,
    deleteUser: async (subject) => {
      const signal = AbortSignal.timeout(deadlineMs);
      await Promise.race([users.delete(subject, { abortSignal: signal }), expiry(signal)]);
    },
    createOrUpdateUser: async (person) => {
      const signal = AbortSignal.timeout(deadlineMs);
      const work = create(person, signal)
        .catch((error: unknown) => {
          if (statusOf(error) === 409) return update(person, signal);
          throw error;
        })
        .catch((error: unknown) => {
          throw explain(error);
        });
      // The SDK waits between two tries, and for its own token, without looking at our signal.
      return { subject: await Promise.race([work, expiry(signal)]) };
    },
  };
}

function expiry(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(unavailable('it did not answer in time')), { once: true });
  });
}

function explain(error: unknown): Error {
  if (error instanceof AppError) return error;
  const status = statusOf(error);
  const { message } = ((error as ManagementError).body ?? {}) as { message?: unknown };
  const refused = typeof message === 'string' ? PASSWORD_REFUSED.exec(message)?.[1] : undefined;
  if (status === 400 && refused) return passwordTooWeak(refused);
  return unavailable(status === undefined ? 'no connection' : `it answered ${status}`);
}

function statusOf(error: unknown): number | undefined {
  return (error as Partial<ManagementError>).statusCode;
}

function subjectOf(userId: string | undefined): string {
  if (!userId) throw unavailable('it does not tell the account');
  return userId;
}

function unavailable(reason: string): AppError {
  return new AppError(
    'provider_unavailable',
    `The identity provider cannot make the account at the moment (${reason}).`,
  );
}
