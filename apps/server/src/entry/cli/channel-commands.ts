import type { ConnectionKind } from '@brand-portal/contract/channel';
import { CONNECTION_KINDS } from '@brand-portal/contract/channel';
import { type Command, Option } from 'commander';
import { connectBrand, disconnectBrand, getConnection } from '../../channel/connections.ts';
import { encryptCredentials } from '../../channel/credentials.ts';
import { readServiceAccount } from '../../channel/google-account.ts';
import { StartupError } from '../../lib/errors.ts';
import { getBrand } from '../../people/brands/brands.ts';
import { useInstallation } from './installation.ts';
import { formatTable, toId } from './terminal.ts';

interface ConnectOptions {
  brand: number;
  kind: ConnectionKind;
  clientId?: string;
  account?: string;
  keyFile?: string;
  countries: string;
  language: string;
  registeredName: string;
}

export function addChannelCommands(program: Command): void {
  const channel = program.command('channel').description("A brand's connection to Google's Manufacturer Center");

  channel
    .command('connect')
    .description('Connect a brand, instead of its connection before: what is published is withdrawn there and sent here')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .addOption(
      new Option('--kind <kind>', "partner: through this installation's account. own: through the brand's account")
        .choices(CONNECTION_KINDS)
        .default('partner'),
    )
    .option('--client-id <id>', 'partner: the client id of the link, once it is approved')
    .option('--account <number>', "own: the number of the brand's account")
    .option('--key-file <path>', 'own: key file of a service account that may use it; kept encrypted')
    .requiredOption('--countries <codes>', 'where products shall be shown, such as DE,AT')
    .requiredOption('--language <code>', "language of the brand's texts, such as de")
    .requiredOption('--registered-name <name>', 'the brand as it is registered at Google, to the letter')
    .addHelpText(
      'after',
      '\nExample:\n  npm run portal -- channel connect --brand 7 --client-id 4711 --countries DE,AT --language de --registered-name "Casa Verde"',
    )
    .action(async (options: ConnectOptions) => {
      await useInstallation(async ({ db, config }) => {
        const { brand, kind, language, registeredName } = options;
        const credentials = kind === 'own' ? encryptKeyFile(options, config.channel.encryptionKey) : null;
        await connectBrand(db, brand, {
          kind,
          language,
          credentials,
          registered_name: registeredName,
          account: kind === 'own' ? (options.account ?? '') : null,
          client_id: kind === 'partner' ? (options.clientId ?? null) : null,
          countries: options.countries.split(',').map((code) => code.trim().toUpperCase()),
        });
        const { state } = await getConnection(db, brand);
        console.log(
          state === 'waiting'
            ? `Brand ${brand} waits for its link: run this again with --client-id once it is approved.`
            : `Brand ${brand} is connected.`,
        );
      });
    });

  channel
    .command('disconnect')
    .description('End the connection of a brand: what was sent is withdrawn, what is published waits')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .action(async ({ brand }: { brand: number }) => {
      const hadConnection = await useInstallation(({ db }) => disconnectBrand(db, brand));
      console.log(hadConnection ? `Brand ${brand} is no longer connected.` : `Brand ${brand} was not connected.`);
    });

  channel
    .command('show')
    .description('Show the connection of a brand')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .option('--json', 'print JSON')
    .action(async ({ brand, json }: { brand: number; json?: boolean }) => {
      const connection = await useInstallation(async ({ db }) => {
        await getBrand(db, brand);
        return getConnection(db, brand);
      });
      if (json) return console.log(JSON.stringify(connection, null, 2));
      const rows = Object.entries(connection).map(([name, value]) => [name, String(value ?? '')]);
      console.log(formatTable(['FIELD', 'VALUE'], rows));
    });
}

function encryptKeyFile({ brand, account, keyFile }: ConnectOptions, encryptionKey: Buffer | undefined): Buffer {
  if (!account || !keyFile) throw new StartupError('--kind own needs --account and --key-file.');
  if (!encryptionKey) {
    throw new StartupError(
      'CHANNEL_ENCRYPTION_KEY must be set, here and for the server: 32 random bytes in base64, as "openssl rand -base64 32" prints them.',
    );
  }
  return encryptCredentials(encryptionKey, brand, JSON.stringify(readServiceAccount(keyFile, '--key-file')));
}
