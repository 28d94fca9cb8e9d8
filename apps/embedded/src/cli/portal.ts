import { addBrandCommands } from '@brand-portal/server/entry/cli/brand-commands.ts';
import { addCatalogueCommands } from '@brand-portal/server/entry/cli/catalogue-commands.ts';
import { addCertificateCommands } from '@brand-portal/server/entry/cli/certificate-commands.ts';
import { addChannelCommands } from '@brand-portal/server/entry/cli/channel-commands.ts';
import { addDeliveryCommands } from '@brand-portal/server/entry/cli/delivery-commands.ts';
import { addInvitationCommands, addMemberCommands } from '@brand-portal/server/entry/cli/member-commands.ts';
import { addPlatformCommands } from '@brand-portal/server/entry/cli/platform-commands.ts';
import { toAppError } from '@brand-portal/server/http/to-app-error.ts';
import { StartupError } from '@brand-portal/server/lib/errors.ts';
import { Command, CommanderError } from 'commander';
import { addEmbeddedCommands, addEmulatorCommands, addKeyCommands, addPasswordCommands } from './embedded-commands.ts';

/** Runs one of the operator's commands and returns its exit code. The rules are those of the API, with all permissions. */
export async function runCommand(args: readonly string[]): Promise<number> {
  const program = new Command('portal')
    .description('Commands for the operator of Brand Portal. They work on the installation that DATABASE_URL or DATA_DIR names.')
    .showHelpAfterError('Add --help to see what can be given.')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run portal -- brand create --name "Casa Verde" --owner-email ana@casaverde.example\n  npm run portal -- member list --brand 7',
    )
    .exitOverride();

  addBrandCommands(program);
  addMemberCommands(program);
  addInvitationCommands(program);
  addCatalogueCommands(program);
  addCertificateCommands(program);
  addChannelCommands(program);
  addDeliveryCommands(program);
  addPlatformCommands(program);
  addKeyCommands(program);
  addPasswordCommands(program);
  addEmulatorCommands(program);
  addEmbeddedCommands(program);

  // Commander's "help certificates approve" ignores the last word.
  const isNestedHelp = args[0] === 'help' && args.length > 2;
  try {
    await program.parseAsync(isNestedHelp ? [...args.slice(1), '--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** One sentence if the operator can fix it, otherwise the stack trace. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const { code, message } = toAppError(error);
  if (code !== 'internal_error') return message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

if (import.meta.main) process.exitCode = await runCommand(process.argv.slice(2));
