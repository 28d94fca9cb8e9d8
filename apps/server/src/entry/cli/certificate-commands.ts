import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import { type Command, Option } from 'commander';
import { previewCertificateMail } from '../../catalog/certificates/certificate-mails.ts';
import { listRegistries, loadRegistry, removeRegistry, rollBackRegistry } from '../../catalog/certificates/registry.ts';
import { readRegistryFile, unitOf } from '../../catalog/certificates/registry-file.ts';
import { type CertificateName, listReviews, type Outcome, reviewCertificate, withdrawReview } from '../../catalog/certificates/reviews.ts';
import type { Effect } from '../../catalog/certificates/validation.ts';
import { type Db, inTransaction } from '../../db/database.ts';
import { useInstallation } from './installation.ts';
import { formatTable, toId, warnOfLocalLinks } from './terminal.ts';

interface NameOptions {
  brand: number;
  certification: string;
  id: string[];
}

interface LoadOptions {
  certification: string;
  file: string;
  replace?: boolean;
  apply?: boolean;
}

/** Rows printed on a terminal. */
const LISTED = 200;

export function addCertificateCommands(program: Command): void {
  const certificates = program.command('certificates').description('Certificates of brands and what decides about them');
  addRegistryCommands(certificates);
  addReviewCommands(certificates);

  certificates
    .command('mail')
    .description('Show the mail that the owners and admins of a brand would get now about certificates; sends nothing')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .addOption(new Option('--language <language>', 'language of the mail').choices(LANGUAGES).default('en'))
    .option('--html', 'print its HTML')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates mail --brand 7 --language es')
    .action(async ({ brand, language, html }: { brand: number; language: Language; html?: boolean }) => {
      const { mail, recipients } = await useInstallation(async ({ db, config: { publicUrl } }) => {
        const preview = await previewCertificateMail(db, brand, { language, publicUrl });
        if (preview.mail) warnOfLocalLinks(publicUrl);
        return preview;
      });
      if (!mail) return console.log(`There is nothing to tell the owners and admins of brand ${brand}.`);
      if (html) return console.log(mail.html);
      console.log(`To: ${recipients.join(', ') || 'nobody'}\nSubject: ${mail.subject}\n\n${mail.text}`);
    });

  certificates
    .command('pending')
    .description('List the certificates that wait for a registry or for your decision, the longest waiting first')
    .option('--brand <id>', 'number of a brand, for its certificates alone', toId)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates pending --brand 7')
    .action(async ({ brand, json }: { brand?: number; json?: boolean }) => {
      const { results, count } = await useInstallation(({ db }) => listReviews(db, { brandId: brand, limit: LISTED }));
      if (json) return console.log(JSON.stringify(results, null, 2));
      if (results.length === 0) return console.log('No certificate waits.');
      const rows = results.map(({ brand_id, brand_name, certification_name, certificate_id, since, variants }) => [
        since,
        String(brand_id),
        brand_name,
        certification_name,
        certificate_id,
        String(variants),
      ]);
      console.log(formatTable(['SINCE', 'BRAND', '', 'CERTIFICATION', 'ID', 'VARIANTS'], rows));
      if (count > results.length) console.log(`These are the first ${results.length} of ${count}.`);
    });
}

function addRegistryCommands(certificates: Command): void {
  const registry = certificates.command('registry').description('Registries that certificates are compared with');

  registry
    .command('load')
    .description('Show what loading a registry would change, or load it with --apply; certificates that it does not list become invalid')
    .requiredOption('--certification <name>', 'name of the certification in the catalogue')
    .requiredOption('--file <path>', 'CSV with the columns certificate_id, active, expires_on, or JSON with such objects')
    .option('--replace', 'remove entries that the file does not have (otherwise they stay)')
    .option('--apply', 'load it; without this, nothing is changed')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates registry load --certification FSC --file fsc.csv --replace --apply')
    .action(async ({ certification, file, replace = false, apply = false }: LoadOptions) => {
      const source = { certification, entries: readRegistryFile(file), unit: unitOf(file), replace };
      const loaded = await useInstallation(({ db }) => loadRegistry(db, source, { isPreview: !apply }));
      const { entries, added, changed, removed, brands, effects } = loaded;
      const what = `${entries} entries read, ${added} added, ${changed} changed, ${removed} removed`;
      console.log(
        apply
          ? `The registry of ${loaded.certification} is loaded: ${what}. ${revalidated(brands)}`
          : `The registry of ${loaded.certification} would be loaded: ${what}.\n${describe(effects)}`,
      );
    });

  registry
    .command('rollback')
    .description('Show what taking the last load of a registry back would change, or take it back with --apply')
    .requiredOption('--certification <name>', 'name of the certification in the catalogue')
    .option('--apply', 'take it back; without this, nothing is changed')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates registry rollback --certification FSC --apply')
    .action(async ({ certification, apply = false }: { certification: string; apply?: boolean }) => {
      const back = await useInstallation(({ db }) => rollBackRegistry(db, certification, { isPreview: !apply }));
      const { loadedAt, brands, effects } = back;
      const to = loadedAt ? `as it was loaded at ${loadedAt.toISOString()}` : 'removed, as before its first load';
      console.log(
        apply
          ? `The registry of ${back.certification} is ${to}. ${revalidated(brands)}`
          : `The registry of ${back.certification} would be ${to}.\n${describe(effects)}`,
      );
    });

  registry
    .command('list')
    .description('List the registries that are loaded')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates registry list')
    .action(async () => {
      const registries = await useInstallation(({ db }) => listRegistries(db));
      if (registries.length === 0) return console.log('No registry is loaded.');
      const rows = registries.map(({ certification_name, entries, loaded_at }) => [
        certification_name,
        String(entries),
        loaded_at.toISOString(),
      ]);
      console.log(formatTable(['CERTIFICATION', 'ENTRIES', 'LOADED'], rows));
    });

  registry
    .command('remove')
    .description('Remove a registry; certificates of it wait for your decision again')
    .requiredOption('--certification <name>', 'name of the certification in the catalogue')
    .addHelpText('after', '\nExample:\n  npm run portal -- certificates registry remove --certification FSC')
    .action(async ({ certification }: { certification: string }) => {
      const removed = await useInstallation(({ db }) => removeRegistry(db, certification));
      console.log(`The registry of ${removed.certification} is removed. ${revalidated(removed.brands)}`);
    });
}

function addReviewCommands(certificates: Command): void {
  naming(certificates.command('approve'))
    .description('Approve certificates, until you withdraw that, they expire, or their registry says that they have ended')
    .requiredOption('--reason <text>', 'why; members read it')
    .option('--expires-on <day>', 'last day on which they are valid, such as 2027-01-31')
    .addHelpText('after', example('approve', ' --reason "Seen on the issuer\'s site" --expires-on 2027-01-31'))
    .action(({ reason, expiresOn, ...options }: NameOptions & { reason: string; expiresOn?: string }) =>
      decideEach(options, (db, name) => reviewCertificate(db, name, { verdict: 'approved', note: reason, expiresOn })),
    );

  naming(certificates.command('reject'))
    .description('Reject certificates, whatever a registry says, until you withdraw that')
    .requiredOption('--reason <text>', 'why; members read it')
    .addHelpText('after', example('reject', ' --reason "The holder is another company"'))
    .action(({ reason, ...options }: NameOptions & { reason: string }) =>
      decideEach(options, (db, name) => reviewCertificate(db, name, { verdict: 'rejected', note: reason })),
    );

  naming(certificates.command('withdraw'))
    .description('Withdraw what you decided; ids and the registry decide again')
    .addHelpText('after', example('withdraw', ''))
    .action((options: NameOptions) => decideEach(options, withdrawReview));
}

/** Throws if any of them is unknown. */
async function decideEach(
  { brand, certification, id }: NameOptions,
  decide: (db: Db, name: CertificateName) => Promise<Outcome>,
): Promise<void> {
  const outcomes = await useInstallation(({ db }) =>
    inTransaction(db, async (db) => {
      const done: string[] = [];
      for (const externalId of id) {
        const { status, reason } = await decide(db, { brandId: brand, certification, externalId });
        done.push(`"${externalId}" is ${status} (${reason}).`);
      }
      return done;
    }),
  );
  console.log(outcomes.join('\n'));
}

function naming(command: Command): Command {
  return command
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .requiredOption('--certification <name>', 'name of the certification')
    .requiredOption('--id <ids...>', 'id of the certificate; several at once');
}

function example(command: string, rest: string): string {
  return `\nExample:\n  npm run portal -- certificates ${command} --brand 7 --certification FSC --id FSC-C104882${rest}`;
}

/** The changes that members will see. */
function describe(effects: readonly Effect[]): string {
  const lines = effects.map(({ from, to, certificates, brands }) => {
    const become = certificates === 1 ? 'becomes' : 'become';
    return `${certificates} ${from} ${become} ${to}, in ${brands} ${brands === 1 ? 'brand' : 'brands'}.`;
  });
  const told = lines.length > 0 ? lines : ['No certificate would change its status.'];
  return [...told, 'Nothing is changed yet: repeat it with --apply.'].join('\n');
}

function revalidated(brands: number): string {
  return brands === 1 ? '1 brand is validated anew.' : `${brands} brands are validated anew.`;
}
