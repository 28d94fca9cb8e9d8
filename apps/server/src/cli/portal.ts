import { Command } from 'commander';
import { StartupError } from '../errors.ts';
import { toAppError } from '../http/to-app-error.ts';
import { addBrandCommands } from './brand-commands.ts';
import { addCatalogueCommands } from './catalogue-commands.ts';
import { addCertificateCommands } from './certificate-commands.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { addEmbeddedCommands, addKeyCommands, addPasswordCommands } from './embedded-commands.ts';
import { addInvitationCommands, addMemberCommands } from './member-commands.ts';
import { addPlatformCommands } from './platform-commands.ts';

/** The operator's commands. They follow the same rules as the API, but may do everything. */
const program = new Command('portal')
  .description(
    'Commands for the operator of Brand Portal. They work on the installation that DATABASE_URL or DATA_DIR names.',
  )
  .showHelpAfterError('Add --help to see what can be given.')
  .addHelpText(
    'after',
    '\nExamples:\n  npm run portal -- brand create --name "Casa Verde" --owner-email ana@casaverde.example\n  npm run portal -- member list --brand 7',
  );

addBrandCommands(program);
addMemberCommands(program);
addInvitationCommands(program);
addCatalogueCommands(program);
addCertificateCommands(program);
addDeliveryCommands(program);
addPlatformCommands(program);
addKeyCommands(program);
addPasswordCommands(program);
addEmbeddedCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  // One sentence where the operator can mend it, the whole story where only we can.
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  const { code, message } = toAppError(error);
  if (code !== 'internal_error') return message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
