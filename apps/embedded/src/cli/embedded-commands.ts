import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Installation, NotRunning, useInstallation } from '@brand-portal/server/entry/cli/installation.ts';
import { warnOfLocalLinks } from '@brand-portal/server/entry/cli/terminal.ts';
import { readConfig } from '@brand-portal/server/lib/config.ts';
import { StartupError, userNotFound } from '@brand-portal/server/lib/errors.ts';
import { revokeSigningKeys, rotateSigningKey } from '@brand-portal/server/people/identity/signing-keys.ts';
import type { Command } from 'commander';
import { insertLink } from '../channel-emulator/channel-emulator.queries.ts';
import { createChannelEmulator, PARTNER_ACCOUNT } from '../channel-emulator/channel-emulator.ts';
import { hasTables } from '../db/tables.ts';
import { removeDemoPeople } from '../demo-data.ts';
import { deleteSecrets } from '../identity-provider/keys.queries.ts';
import { createResetLink } from '../identity-provider/password-reset.ts';
import { startEmbeddedPostgres } from '../postgres.ts';
import { loopbackAddress } from '../stand-ins.ts';

/** Commands for the data of the stand-ins. */
export function addEmbeddedCommands(program: Command): void {
  program
    .command('demo')
    .description('The demo people and their brands')
    .command('remove')
    .description('Remove the demo people, whose password everybody knows, and the brands that nobody else is in')
    .addHelpText('after', '\nExample:\n  npm run portal -- demo remove')
    .action(async () => {
      const removed = await useOrStartInstallation(async ({ db }) => (await hasTables(db)) && removeDemoPeople(db));
      if (!removed || removed.people.length === 0) return console.log('There are no demo people.');
      const { people, brands, ownerless } = removed;
      console.log(`Removed ${people.join(', ')}.`);
      if (brands.length > 0) console.log(`Removed the brands that nobody else was in: ${brands.join(', ')}.`);
      for (const { id, name } of ownerless) {
        console.log(`Brand ${id} "${name}" has no owner any more: npm run portal -- member invite --brand ${id} --role owner --email …`);
      }
    });
}

/** Like Google, the emulator refuses unknown accounts and links. With these commands the operator adds them. */
export function addEmulatorCommands(program: Command): void {
  program
    .command('emulator')
    .description('The channel emulator, which stands in for Google while no account is configured')
    .command('link')
    .description("Let the emulator know a brand: as a client of this installation's account, or as the owner of its own account")
    .requiredOption('--registered-name <name>', 'the brand as it is registered there')
    .option('--client-id <id>', "the client id of the link with this installation's account")
    .option('--account <number>', "instead: the number of the brand's own account")
    .option('--key-file <path>', 'with --account: where to write the key file of a service account for it')
    .addHelpText('after', '\nExample:\n  npm run portal -- emulator link --client-id 4711 --registered-name "Casa Verde"')
    .action(async (options: { registeredName: string; clientId?: string; account?: string; keyFile?: string }) => {
      const { registeredName: brand, clientId = '', account = PARTNER_ACCOUNT, keyFile } = options;
      if ((clientId === '') === (options.account === undefined)) {
        throw new StartupError('Name either --client-id or --account.');
      }
      await useInstallation(async ({ db, config }) => {
        if (keyFile) {
          const { credentialsFor } = await createChannelEmulator({ db, serverUrl: loopbackAddress(config) });
          writeKeyFile(keyFile, JSON.stringify(credentialsFor(account), null, 2));
        }
        await insertLink(db, { account, client_id: clientId, brand });
      });
      console.log(`The emulator knows "${brand}" now.`);
    });
}

function writeKeyFile(path: string, content: string): void {
  try {
    writeFileSync(path, content, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`The file that --key-file names cannot be written: ${path} (${code}).`);
  }
}

export function addPasswordCommands(program: Command): void {
  program
    .command('password')
    .description('Passwords at the embedded identity provider')
    .command('link')
    .description('Make a link by which someone chooses a new password; it works once, for an hour')
    .requiredOption('--email <address>', 'who forgot theirs')
    .addHelpText('after', '\nExample:\n  npm run portal -- password link --email ana@example.com')
    .action(async ({ email }: { email: string }) => {
      await useInstallation(async ({ db, config: { publicUrl } }) => {
        const link = (await hasTables(db)) && (await createResetLink(db, publicUrl, email));
        if (!link) throw userNotFound();
        console.log(link);
        warnOfLocalLinks(publicUrl);
      });
    });
}

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('Keys that sign access tokens');

  keys
    .command('rotate')
    .description('Sign with a new key from two minutes on; nobody is signed out')
    .addHelpText('after', '\nExample:\n  npm run portal -- keys rotate')
    .action(async () => {
      await useOrStartInstallation(({ db }) => rotateSigningKey(db));
      console.log('A new key signs access tokens from two minutes on; what the old one signed stays valid until it expires.');
    });

  keys
    .command('revoke')
    .description('After a theft of the database or a backup: access tokens that the old keys signed are worthless within a minute')
    .addHelpText('after', '\nExample:\n  npm run portal -- keys revoke')
    .action(async () => {
      await useOrStartInstallation(async ({ db }) => {
        const hasProvider = await hasTables(db);
        await revokeSigningKeys(db);
        if (hasProvider) await deleteSecrets(db);
      });
      console.log(
        'Within a minute no access token that the old keys signed is accepted. Browsers get new ones by themselves. With the embedded identity provider, restart the servers: its keys are new then, and everybody signs in again.',
      );
    });
}

/** Also works if no server is running because it refuses to start: the embedded database then runs for this command only. */
async function useOrStartInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const { dataDir } = readConfig();
  try {
    return await useInstallation(work);
  } catch (error) {
    if (!(error instanceof NotRunning) || !existsSync(join(dataDir, 'postgres', 'data'))) throw error;
  }
  const postgres = await startEmbeddedPostgres({ dataDir, durable: true, report: () => {} });
  try {
    return await useInstallation(work);
  } finally {
    await postgres.stop();
  }
}
