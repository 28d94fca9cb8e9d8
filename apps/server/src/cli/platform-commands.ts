import type { Command } from 'commander';
import { distribute } from '../db/distribute.ts';
import { setStaff } from '../modules/identity/users.ts';
import { useInstallation } from './installation.ts';

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
  for (const { name, isStaff, description, done } of [
    {
      name: 'grant',
      isStaff: true,
      description: 'Give someone the pages under /platform: all brands, reviews, failures, registries, jobs',
      done: 'has the pages of platform staff',
    },
    {
      name: 'revoke',
      isStaff: false,
      description: 'Take that right back',
      done: 'no longer has the pages of platform staff',
    },
  ]) {
    staff
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'someone who has signed in, or is invited to a brand')
      .addHelpText('after', `\nExample:\n  npm run portal -- staff ${name} --email ana@example.com`)
      .action(async ({ email }: { email: string }) => {
        const user = await useInstallation(({ db }) => setStaff(db, email, isStaff));
        console.log(`${user.email} ${done}.`);
      });
  }
}
