import { pino } from 'pino';
import { expect, test } from 'vitest';
import { useTestDatabase } from '../../../test/test-database.ts';
import { readConfig } from '../../config.ts';
import { createEmbeddedIdentityProvider } from '../../embedded/identity-provider/identity-provider.ts';
import { chooseDirectory } from './choose-directory.ts';

const logger = pino({ level: 'silent' });
const luis = { email: 'luis@example.com', password: 'Correct.horse7', firstName: 'Luis', lastName: 'Vega' };

test('over the embedded provider it makes an account, and a second call only changes its password', async () => {
  const { db } = await useTestDatabase();
  const provider = await createEmbeddedIdentityProvider({ db, publicUrl: 'http://localhost:3000', logger });
  const directory = await chooseDirectory(readConfig({}), provider, logger);
  const { subject } = await directory.createOrUpdateUser(luis);
  await provider.setEmailVerified(subject, false);
  const before = await db.selectFrom('idp_accounts').selectAll().executeTakeFirstOrThrow();

  expect(await directory.createOrUpdateUser({ ...luis, password: 'Another.one8' })).toEqual({ subject });
  const after = await db.selectFrom('idp_accounts').selectAll().executeTakeFirstOrThrow();
  expect(after).toMatchObject({ email: luis.email, first_name: 'Luis', last_name: 'Vega', email_verified: true });
  expect(after.password_hash).not.toBe(before.password_hash);
});

test('without credentials for Auth0’s Management API the server starts, and says why no account can be made', async () => {
  const directory = await chooseDirectory(readConfig({ AUTH0_DOMAIN: 'tenant.eu.auth0.com' }), undefined, logger);
  await expect(directory.createOrUpdateUser(luis)).rejects.toMatchObject({ code: 'provider_unavailable' });
});
