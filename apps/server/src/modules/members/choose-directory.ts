import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { createAuth0Directory } from './auth0-directory.ts';
import type { IdentityDirectory } from './identity-directory.ts';

/** What an embedded provider offers for it. */
interface Accounts {
  createAccount(account: {
    email: string;
    password: string;
    first_name: string;
    last_name: string;
    email_verified: boolean;
  }): Promise<{ subject: string; created: boolean }>;
  setPassword(subject: string, password: string): Promise<unknown>;
  setEmailVerified(subject: string, verified: boolean): Promise<unknown>;
}

/** The embedded provider's accounts where it runs, else Auth0's. */
export async function chooseDirectory(
  config: Pick<Config, 'identityManagement'>,
  accounts: Accounts | undefined,
  logger: FastifyBaseLogger,
): Promise<IdentityDirectory> {
  if (accounts) return directoryOfAccounts(accounts);
  const { domain, clientId, clientSecret, connection } = config.identityManagement;
  if (domain && clientId && clientSecret) {
    return createAuth0Directory({ domain, clientId, clientSecret, connection });
  }
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

function directoryOfAccounts(accounts: Accounts): IdentityDirectory {
  return {
    createOrUpdateUser: async ({ email, password, firstName, lastName }) => {
      const names = { first_name: firstName, last_name: lastName };
      const { subject, created } = await accounts.createAccount({ email, password, ...names, email_verified: true });
      if (!created) {
        await accounts.setPassword(subject, password);
        await accounts.setEmailVerified(subject, true);
      }
      return { subject };
    },
  };
}
