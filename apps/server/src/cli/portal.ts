import { Command } from 'commander';
import { codeOfDatabaseError } from '../db/pg-errors.ts';
import { AppError, StartupError } from '../errors.ts';
import { addBrandCommands } from './brand-commands.ts';
import { addCatalogueCommands } from './catalogue-commands.ts';
import { addCertificateCommands } from './certificate-commands.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
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

try {
  await program.parseAsync();
} catch (error) {
  // One sentence where the operator can mend it, the whole story where only we can.
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (error instanceof AppError || error instanceof StartupError) return error.message;
  if (codeOfDatabaseError(error) === 'storage_full') return 'The disk of the database is full.';
  if (codeOfDatabaseError(error) === 'database_unavailable') return 'The connection to the database was lost.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
