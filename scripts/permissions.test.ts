import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ABILITIES, roleOfAbility } from '../packages/contract/src/abilities.ts';
import { ENDPOINTS } from '../packages/contract/src/endpoints.ts';
import { ROLES, roleIncludes } from '../packages/contract/src/roles.ts';

const ROOT = join(import.meta.dirname, '..');
const readLabels = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(ROOT, `apps/web/src/locales/${language}/team.json`), 'utf8')).team.abilities;

const endpointsOf = (belongs: (endpoint: (typeof ENDPOINTS)[number]) => boolean) =>
  ENDPOINTS.filter(belongs).map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`);

function describePermissions(labels: Record<string, string>): string {
  const rows = ABILITIES.map((ability) => {
    const marks = ROLES.map((role) => (roleIncludes(role, roleOfAbility(ability)) ? 'yes' : ''));
    return `| ${[labels[ability], ...marks].join(' | ')} |`;
  });
  const sections = ABILITIES.flatMap((ability) => [
    `### ${labels[ability]} (${roleOfAbility(ability)})`,
    '',
    ...endpointsOf(({ tag, access }) => `${tag}_${access}` === ability),
    '',
  ]);
  const others = { staff: 'Platform staff', signed_in: 'Everybody who is signed in', public: 'Everybody' } as const;
  return [
    '# Roles and permissions',
    '',
    'Written by `scripts/permissions.test.ts` from the contract’s endpoints; after a change run it with `--update`.',
    'Only owners make or remove owners, and a brand always keeps at least one.',
    '',
    `| what | ${ROLES.join(' | ')} |`,
    `|---${'|:-:'.repeat(ROLES.length)}|`,
    ...rows,
    '',
    '## Endpoints',
    '',
    ...sections,
    '### The status of a brand',
    '',
    'Set by platform staff. In a brand that is inactive, members and keys call what reads, and of the rest only:',
    '',
    ...endpointsOf(({ inInactive }) => inInactive === true),
    '',
    'In a brand that is pending they call everything but what publishes:',
    '',
    ...endpointsOf(({ publishes }) => publishes !== undefined),
    '',
    ...Object.entries(others).flatMap(([access, title]) => [
      `### ${title}`,
      '',
      ...endpointsOf((endpoint) => endpoint.access === access),
      '',
    ]),
  ].join('\n');
}

test('docs/PERMISSIONS.md matches the contract', async () => {
  await expect(describePermissions(readLabels('en'))).toMatchFileSnapshot('../docs/PERMISSIONS.md');
});

test('every ability has a name in both languages, and no name is left over', () => {
  for (const language of ['en', 'es']) expect(Object.keys(readLabels(language)).sort()).toEqual([...ABILITIES].sort());
});
