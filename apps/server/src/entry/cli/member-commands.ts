import { LANGUAGES } from '@brand-portal/contract/constants';
import { inviteMember as inviteEndpoint, type Member } from '@brand-portal/contract/members';
import { fullName } from '@brand-portal/contract/people';
import { ROLES } from '@brand-portal/contract/roles';
import { type Command, Option } from 'commander';
import type { Db } from '../../db/database.ts';
import { getBrand } from '../../people/brands/brands.ts';
import { getUserByEmail } from '../../people/identity/users.ts';
import { createInvitationLink, inviteMember } from '../../people/members/invitations.ts';
import { getMember, listMembers, removeMember } from '../../people/members/members.ts';
import { useInstallation } from './installation.ts';
import { checkBody, formatTable, toId, warnOfLocalLinks } from './terminal.ts';

interface MemberOptions {
  brand: number;
  email: string;
}

interface InviteOptions extends MemberOptions {
  role: string;
  firstName?: string;
  lastName?: string;
  language?: string;
}

export function addMemberCommands(program: Command): void {
  const member = program.command('member').description('Members of a brand');

  member
    .command('invite')
    .description('Invite someone to a brand; someone who has an account is added at once')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .requiredOption('--email <address>', 'whom to invite')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .option('--first-name <name>', 'their first name')
    .option('--last-name <name>', 'their last name')
    .addOption(new Option('--language <language>', 'language of the mail').choices(LANGUAGES).default('en'))
    .addHelpText('after', '\nExample:\n  npm run portal -- member invite --brand 7 --email luis@example.com --role editor')
    .action(async ({ brand, firstName, lastName, ...fields }: InviteOptions) => {
      const body = checkBody(inviteEndpoint, { ...fields, first_name: firstName, last_name: lastName });
      await useInstallation(async ({ db }) => {
        const { email, role, status } = await inviteMember(db, null, brand, body);
        const done = status === 'active' ? 'has an account and is a member now' : 'is invited by mail';
        console.log(`${email} ${done}, as ${role}.`);
      });
    });

  member
    .command('list')
    .description('List the members of a brand, the invited included')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run portal -- member list --brand 7 --json')
    .action(async ({ brand, json }: { brand: number; json?: boolean }) => {
      const { results } = await useInstallation(({ db }) => listMembers(db, brand));
      console.log(json ? JSON.stringify(results, null, 2) : toTable(results));
    });

  member
    .command('remove')
    .description('Remove a member, or withdraw an invitation')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .requiredOption('--email <address>', 'whom to remove')
    .option('--keep-keys', 'keep the API keys and the feed URL that they created (otherwise revoked)')
    .addHelpText('after', '\nExample:\n  npm run portal -- member remove --brand 7 --email luis@example.com')
    .action(async ({ brand, email, keepKeys }: MemberOptions & { keepKeys?: true }) => {
      await useInstallation(async ({ db }) => {
        const { id } = await getMemberByEmail(db, brand, email);
        await removeMember(db, null, brand, id, keepKeys ? 'keep' : 'revoke');
        console.log(`${email} is no longer a member of brand ${brand}.`);
      });
    });
}

export function addInvitationCommands(program: Command): void {
  const invitation = program.command('invitation').description('Invitations that wait for an answer');

  invitation
    .command('link')
    .description('Make a new link for someone who is invited; links from before stop working')
    .requiredOption('--brand <id>', 'number of the brand', toId)
    .requiredOption('--email <address>', 'who is invited')
    .addHelpText('after', '\nExample:\n  npm run portal -- invitation link --brand 7 --email luis@example.com')
    .action(async ({ brand, email }: MemberOptions) => {
      await useInstallation(async ({ db, config }) => {
        const { id } = await getMemberByEmail(db, brand, email);
        console.log(await createInvitationLink(db, config.publicUrl, brand, id));
        warnOfLocalLinks(config.publicUrl);
      });
    });
}

async function getMemberByEmail(db: Db, brandId: number, email: string): Promise<Member> {
  await getBrand(db, brandId);
  const { id } = await getUserByEmail(db, email);
  return getMember(db, brandId, id);
}

function toTable(members: readonly Member[]): string {
  const rows = members.map((member) => [String(member.id), member.email, member.role, member.status, fullName(member)]);
  return formatTable(['ID', 'E-MAIL', 'ROLE', 'STATUS', 'NAME'], rows);
}
