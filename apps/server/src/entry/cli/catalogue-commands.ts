import type { Command } from 'commander';
import {
  addCatalogueEntry,
  listWholeCatalogue,
  retireFromCatalogue,
  setAliases,
  setGoogleNames,
} from '../../catalog/certificates/catalogue.ts';
import { StartupError } from '../../lib/errors.ts';
import { useInstallation } from './installation.ts';
import { formatTable } from './terminal.ts';

interface AddOptions {
  name: string;
  bodyCode: string;
  bodyName?: string;
  schemeCode?: string;
  idPattern?: string;
  alias?: string[];
}

export function addCatalogueCommands(program: Command): void {
  const catalogue = program.command('catalogue').description('Certifications that imports may name');

  catalogue
    .command('list')
    .description('List the certifications and who issues them, the retired included')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run portal -- catalogue list')
    .action(async ({ json }: { json?: boolean }) => {
      const entries = await useInstallation(({ db }) => listWholeCatalogue(db));
      const rows = entries.map(({ name, body_code, body_name, id_pattern, aliases, is_retired }) => [
        name,
        body_code,
        body_name,
        id_pattern ?? '',
        aliases.join(', '),
        is_retired ? 'retired' : '',
      ]);
      const table = formatTable(['NAME', 'BODY', 'NAME OF THE BODY', 'FORM OF ITS IDS', 'OTHER NAMES', ''], rows);
      console.log(json ? JSON.stringify(entries, null, 2) : table);
    });

  catalogue
    .command('add')
    .description('Add a certification, or bring back one that was retired')
    .requiredOption('--name <name>', 'name of the certification, as imports write it')
    .requiredOption('--body-code <code>', 'code of the certifying body')
    .option('--body-name <name>', 'its name, if the body is not in the catalogue yet')
    .option('--scheme-code <code>', "GS1's code of the scheme")
    .option('--id-pattern <expression>', 'form of its ids, if the issuer documents it, as a JavaScript expression')
    .option('--alias <names...>', 'what else people call it, each in quotes')
    .addHelpText(
      'after',
      '\nExample:\n  npm run portal -- catalogue add --name "Demeter" --body-code DEMETER --body-name "Demeter International" --id-pattern "^DEM-[0-9]{5}$"',
    )
    .action(async ({ alias, ...entry }: AddOptions) => {
      await useInstallation(({ db }) => addCatalogueEntry(db, { ...entry, aliases: alias }));
      console.log(`"${entry.name.trim()}" is in the catalogue.`);
    });

  catalogue
    .command('aliases')
    .description('Replace what else people call a certification; names of other certifications are refused')
    .requiredOption('--name <name>', 'name of the certification')
    .option('--alias <names...>', 'its other names, each in quotes; none: it has no others')
    .addHelpText('after', '\nExample:\n  npm run portal -- catalogue aliases --name "Blue Angel" --alias "Der Blaue Engel" "Blauer Engel"')
    .action(async ({ name, alias = [] }: { name: string; alias?: string[] }) => {
      const changed = await useInstallation(({ db }) => setAliases(db, name, alias));
      const { usable, shared, removed } = changed;
      const told = [`Imports take ${usable.length > 0 ? quoted(usable) : 'no other name'} for "${changed.name}".`];
      if (shared.length > 0) {
        const [are, names] = shared.length === 1 ? ['is', 'a name'] : ['are', 'names'];
        told.push(`They refuse ${quoted(shared)}, which ${are} ${names} of another certification too.`);
      }
      if (removed.length > 0) told.push(`Removed: ${quoted(removed)}.`);
      console.log(told.join(' '));
    });

  catalogue
    .command('google')
    .description('Say how Google names a certification and its issuer, or that it displays no such certification')
    .requiredOption('--name <name>', 'name of the certification')
    .option('--google-name <name>', "its name in Google's vocabulary; none: Google does not display it")
    .option('--google-authority <name>', "its issuer in Google's vocabulary")
    .addHelpText('after', '\nExample:\n  npm run portal -- catalogue google --name "EPREL" --google-name EPREL --google-authority EC')
    .action(async (options: { name: string; googleName?: string; googleAuthority?: string }) => {
      const { googleName, googleAuthority } = options;
      if ((googleName === undefined) !== (googleAuthority === undefined)) {
        throw new StartupError('Name both --google-name and --google-authority, or neither.');
      }
      const google = googleName && googleAuthority ? { name: googleName, authority: googleAuthority } : null;
      const entry = await useInstallation(({ db }) => setGoogleNames(db, options.name, google));
      const told = google ? `is sent as "${google.name}" by "${google.authority}"` : 'is sent by its own name';
      console.log(`"${entry.name}" ${told}. What is live is sent so with "delivery retry --state live".`);
    });

  catalogue
    .command('retire')
    .description('Take a certification out of the catalogue; certificates of it stay as they are')
    .requiredOption('--name <name>', 'name of the certification')
    .addHelpText('after', '\nExample:\n  npm run portal -- catalogue retire --name "EPEAT Gold"')
    .action(async ({ name }: { name: string }) => {
      const entry = await useInstallation(({ db }) => retireFromCatalogue(db, name));
      console.log(`"${entry.name}" is retired: imports can no longer name it.`);
    });
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
