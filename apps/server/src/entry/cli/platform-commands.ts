import type { Command } from 'commander';
import { distribute } from '../../db/distribute.ts';
import { grantStaff, INVITATION_DAYS, revokeStaff } from '../../people/members/staff-invitations.ts';
import { useInstallation } from './installation.ts';
import { warnOfLocalLinks } from './terminal.ts';

export function addPlatformCommands(program: Command): void {
  program
    .command('database')
    .description('The database as a whole')
    .command('distribute')
    .description('Spread the brands over the nodes of a Citus cluster, with the rows that are there; safe to repeat')
    .addHelpText('after', '\nExample:\n  npm run portal -- database distribute')
    .action(async () => {
      const tables = await useInstallation(({ db }) => distribute(db));
      console.log(tables.length > 0 ? `Distributed ${tables.join(', ')}.` : 'Everything is distributed already.');
    });

  const staff = program.command('staff').description('Who runs the platform in the portal itself, under /platform');

  staff
    .command('grant')
    .description('Give someone the pages under /platform: all brands, reviews, failures, registries, jobs')
    .requiredOption('--email <address>', 'who gets them; for someone without an account, a link to make one is printed')
    .addHelpText('after', '\nExample:\n  npm run portal -- staff grant --email ana@example.com')
    .action(async ({ email: address }: { email: string }) => {
      await useInstallation(async ({ db, config: { publicUrl } }) => {
        const { email, link } = await grantStaff(db, publicUrl, address);
        console.log(`${email} has the pages of platform staff.`);
        if (!link) return;
        console.log(`They have no account yet. Pass this link on, which makes one within ${INVITATION_DAYS} days:\n${link}`);
        warnOfLocalLinks(publicUrl);
      });
    });

  staff
    .command('revoke')
    .description('Take that right back')
    .requiredOption('--email <address>', 'who had the right')
    .addHelpText('after', '\nExample:\n  npm run portal -- staff revoke --email ana@example.com')
    .action(async ({ email: address }: { email: string }) => {
      const { email } = await useInstallation(({ db }) => revokeStaff(db, address));
      console.log(`${email} no longer has the pages of platform staff.`);
    });
}
