import type { Command } from 'commander';
import { setStaff } from '../modules/identity/users.ts';
import { useInstallation } from './installation.ts';

export function addPlatformCommands(program: Command): void {
  const staff = program.command('staff').description('Who may create brands in the portal itself');
  for (const { name, isStaff, description, done } of [
    { name: 'grant', isStaff: true, description: 'Let someone create brands', done: 'may create brands' },
    { name: 'revoke', isStaff: false, description: 'Take that right back', done: 'may no longer create brands' },
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
