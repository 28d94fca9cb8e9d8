import { BRAND_STATUSES } from '@brand-portal/contract/brand-status';
import { createBrand } from '@brand-portal/contract/brands';
import { LANGUAGES, type Language } from '@brand-portal/contract/constants';
import type { PlatformBrand } from '@brand-portal/contract/platform';
import { type Command, Option } from 'commander';
import { listPlatformBrands } from '../../operations/platform/platform.ts';
import { createBrandWithOwner } from '../../people/members/invitations.ts';
import { listMembers } from '../../people/members/members.ts';
import { useInstallation } from './installation.ts';
import { checkBody, formatTable } from './terminal.ts';

interface CreateOptions {
  name: string;
  ownerEmail: string;
  website?: string;
  logo?: string;
  description?: string;
  status?: string;
  language?: Language;
}

export function addBrandCommands(program: Command): void {
  const brand = program.command('brand').description('Brands of the portal');

  brand
    .command('create')
    .description('Create a brand and invite its owner')
    .requiredOption('--name <name>', 'name of the brand')
    .requiredOption('--owner-email <address>', 'who owns it; they are invited by mail, or added if they have an account')
    .option('--website <url>', 'web site of the brand')
    .option('--logo <url>', 'address of its logo')
    .option('--description <text>', 'what it is about')
    .addOption(new Option('--status <status>', 'status of the brand').choices(BRAND_STATUSES))
    .addOption(new Option('--language <language>', 'language of the invitation').choices(LANGUAGES))
    .addHelpText(
      'after',
      '\nExample:\n  npm run portal -- brand create --name "Casa Verde" --owner-email ana@casaverde.example --status active --language es',
    )
    .action(async ({ ownerEmail, language, ...fields }: CreateOptions) => {
      const body = checkBody(createBrand, { ...fields, owner_email: ownerEmail });
      await useInstallation(async ({ db }) => {
        const { id, name } = await createBrandWithOwner(db, null, { ...body, ...(language && { language }) });
        const owner = (await listMembers(db, id)).results[0];
        const told = owner?.status === 'active' ? 'owns it and is told by mail' : 'is invited by mail to own it';
        console.log(`Brand ${id} "${name}" is created; ${owner?.email} ${told}.`);
      });
    });

  brand
    .command('list')
    .description('List all brands by name, with the numbers that other commands take')
    .option('--search <text>', 'in the name or in an owner’s address')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run portal -- brand list --search verde')
    .action(async ({ search = '', json }: { search?: string; json?: boolean }) => {
      const everything = { search, page_size: Number.MAX_SAFE_INTEGER };
      const { results } = await useInstallation(({ db }) => listPlatformBrands(db, everything));
      console.log(json ? JSON.stringify(results, null, 2) : toTable(results));
    });
}

function toTable(brands: readonly PlatformBrand[]): string {
  const rows = brands.map(({ id, name, status, member_count, owner }) => {
    const told = owner ? `${owner.email}${owner.is_invited ? ' (invited)' : ''}` : 'none';
    return [String(id), name, status, String(member_count), told];
  });
  return formatTable(['NUMBER', 'NAME', 'STATUS', 'MEMBERS', 'OWNER'], rows);
}
