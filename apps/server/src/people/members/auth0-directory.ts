import { emailKey } from '@brand-portal/contract/people';
import type { ManagementError } from 'auth0';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../lib/config.ts';
import { AppError } from '../../lib/errors.ts';
import type { IdentityDirectory, Person } from './identity-directory.ts';
import { passwordTooWeak } from './identity-directory.ts';

interface Options {
  readonly domain: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The application that people sign in with. */
  readonly loginClientId?: string | undefined;
  /** The tenant's database connection, which stores the passwords. */
  readonly connection: string;
  readonly deadlineMs?: number;
  /** The SDK only accepts a host name, and uses https. Tests redirect its requests. */
  readonly fetch?: typeof fetch;
}

/** Less than the browser's timeout of 10 seconds, so that it gets the reason. */
const DEADLINE_MS = 8_000;
/** `PasswordStrengthError: Password is too weak`, and similar errors for common, reused and personal passwords. */
const PASSWORD_REFUSED = /^Password\w*Error: (.*)$/;

/** Accounts at Auth0, if the configuration allows creating them. */
export async function chooseDirectory(
  { identityManagement, identity }: Pick<Config, 'identityManagement' | 'identity'>,
  logger: FastifyBaseLogger,
): Promise<IdentityDirectory> {
  const { domain, clientId, clientSecret } = identityManagement;
  if (domain && clientId && clientSecret) return createAuth0Directory({ ...identityManagement, loginClientId: identity.clientId });
  logger.warn('Invited people cannot make accounts: set AUTH0_MANAGEMENT_CLIENT_ID and AUTH0_MANAGEMENT_CLIENT_SECRET');
  return {
    createOrUpdateUser: async () => {
      throw new AppError('provider_unavailable', 'This installation cannot make accounts yet. Please tell its operator.');
    },
  };
}

/** Accounts at Auth0, through its Management API. */
export async function createAuth0Directory(options: Options): Promise<IdentityDirectory> {
  // Loading it takes over a second and 40 MB, so it is imported only if Auth0 is used.
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
    // Auth0 stores addresses in lower case, and its search is case-sensitive.
    const found = await users.listUsersByEmail({ email: emailKey(email) }, { abortSignal });
    const account = found.find(({ identities }) => identities?.some((identity) => identity.connection === connection));
    const subject = subjectOf(account?.user_id);
    // Two requests: Auth0 does not accept both fields in one.
    await users.update(subject, { password, connection }, { abortSignal });
    if (!account?.email_verified) await users.update(subject, { email_verified: true, connection }, { abortSignal });
    return subject;
  }

  /** Auth0 sends a link by e-mail. There is no form here, because only Auth0 knows the current password. */
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
    // For other accounts, such as Google's, Auth0 has no password.
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
      // The SDK ignores our signal while it waits between retries and for its own token.
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
  return new AppError('provider_unavailable', `The identity provider cannot make the account at the moment (${reason}).`);
}
