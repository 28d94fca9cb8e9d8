// @module-tag empty-installation
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { addCertificate } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../../test/people.ts';
import { runPortal } from '../../../test/run-portal.ts';
import { useTestDatabase } from '../../../test/test-database.ts';
import { createTestCertificates } from '../../catalog/certificates/test-support/certificates.ts';
import { validateCertificates } from '../../catalog/certificates/validation.ts';
import { migrateJobs } from '../../queue/worker.ts';
import { addCatalogueCommands } from './catalogue-commands.ts';
import { addCertificateCommands } from './certificate-commands.ts';

async function usePortal() {
  const { db, pool, url } = await useTestDatabase();
  await migrateJobs(pool, pino({ level: 'silent' }));
  const portal = (...args: string[]) => runPortal(args, { DATABASE_URL: url });
  const load = (file: string, ...more: string[]) =>
    portal('certificates', 'registry', 'load', '--certification', 'FSC', '--file', file, ...more);
  return { db, pool, portal, load };
}

function useFile(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'brand-portal-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

test('certificates registry load reports its result, or in one sentence why it failed', async () => {
  const { db, pool, portal, load } = await usePortal();
  await createTestCertificates(db, await createTestBrand(db), 'FSC', ['FSC-C000001']);
  const good = useFile('fsc.csv', 'certificate_id,active\nFSC-C000001,true\nFSC-C000002,false\n');
  expect((await load(good)).stdout).toBe(
    `The registry of FSC would be loaded: 2 entries read, 2 added, 0 changed, 0 removed.
1 pending becomes validated, in 1 brand.
Nothing is changed yet: repeat it with --apply.
`,
  );
  expect((await pool.query('select from registries')).rows).toEqual([]);
  expect(await load(good, '--replace', '--apply')).toEqual({
    code: 0,
    stdout: 'The registry of FSC is loaded: 2 entries read, 2 added, 0 changed, 0 removed. 1 brand is validated anew.\n',
    stderr: '',
  });
  const bad = useFile('fsc.csv', `certificate_id,active\n${'FSC-C000003,true\n'.repeat(20_000)}FSC-C000004,perhaps\n`);
  expect(await load(bad, '--apply')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Row 20002: active must be true or false, not "perhaps".\n',
  });
  // Such as an export that was cut off: all certificates would become invalid.
  for (const empty of [useFile('fsc.csv', 'certificate_id,active\n'), useFile('fsc.json', '[]')]) {
    expect(await load(empty, '--replace', '--apply')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The file has no entries. To do without a registry, remove it: "certificates registry remove".\n',
    });
  }
  const twice = useFile('fsc.json', '[{"certificate_id":"A"},{"certificate_id":"A","active":false}]');
  expect((await load(twice)).stderr).toBe('Entry 1 and entry 2 of the file contradict each other about "A".\n');
  expect((await pool.query('select from registry_certificates')).rows).toHaveLength(2);
  expect((await portal('certificates', 'registry', 'list')).stdout).toMatch(/CERTIFICATION +ENTRIES +LOADED\nFSC +2 +20/);
  const empty = useFile('fsc.csv', 'certificate_id,active\nFSC-C000002,false\n');
  const brandId = (await pool.query('select id::int from brands')).rows[0].id;
  await validateCertificates(db, brandId);
  expect((await load(empty, '--replace')).stdout).toContain('\n1 validated becomes invalid, in 1 brand.\n');
  await load(empty, '--replace', '--apply');
  await validateCertificates(db, brandId);
  const rollback = (...more: string[]) => portal('certificates', 'registry', 'rollback', '--certification', 'FSC', ...more);
  expect((await rollback()).stdout).toMatch(
    /^The registry of FSC would be as it was loaded at 20.*\n1 invalid becomes validated, in 1 brand\.\nNothing is changed yet/,
  );
  expect((await rollback('--apply')).stdout).toMatch(/^The registry of FSC is as it was loaded at 20.* 1 brand is validated anew\.\n$/);
  expect((await rollback('--apply')).stderr).toBe('There is no load of FSC to roll back.\n');
  expect((await portal('certificates', 'registry', 'remove', '--certification', 'fsc')).stdout).toBe(
    'The registry of FSC is removed. 1 brand is validated anew.\n',
  );
});

test('certificates pending, approve, reject and withdraw follow a certificate through its reviews', async () => {
  const { db, portal } = await usePortal();
  const brandId = await createTestBrand(db, 'Casa Verde');
  await createTestCertificates(db, brandId, 'GOTS', ['CU-1']);
  await validateCertificates(db, brandId);
  expect((await portal('certificates', 'pending', '--brand', String(brandId))).stdout).toMatch(
    /^SINCE +BRAND +CERTIFICATION +ID +VARIANTS\n20\d\d-\d\d-\d\d +\d+ +Casa Verde +GOTS +CU-1 +0\n$/,
  );
  const decide = async (command: string, ...more: string[]) => {
    const name = ['--brand', String(brandId), '--certification', 'GOTS', '--id', 'CU-1'];
    return (await portal('certificates', command, ...name, ...more)).stdout;
  };
  expect(await decide('approve', '--reason', 'Seen', '--expires-on', '2999-01-31')).toBe('"CU-1" is validated (approved:Seen).\n');
  expect(await decide('reject', '--reason', 'Forged')).toBe('"CU-1" is invalid (rejected:Forged).\n');
  await createTestCertificates(db, brandId, 'GOTS', ['CU-2']);
  expect(await decide('reject', 'CU-2', '--reason', 'Both')).toBe(
    '"CU-1" is invalid (rejected:Both).\n"CU-2" is invalid (rejected:Both).\n',
  );
  expect(await decide('reject', 'CU-9', '--reason', 'One is unknown')).toBe('');
  expect(await decide('withdraw')).toMatch(/^"CU-1" is pending \(no_registry:20\d\d-\d\d-\d\d\)\.\n$/);
});

test('certificates mail shows the mail that would go out, and sends nothing', async () => {
  const { db, pool, portal } = await usePortal();
  const brandId = await createTestBrand(db, 'Casa Verde');
  const owner = await createTestMember(db, brandId, 'owner');
  const mail = (...more: string[]) => portal('certificates', 'mail', '--brand', String(brandId), ...more);
  expect((await mail()).stdout).toBe(`There is nothing to tell the owners and admins of brand ${brandId}.\n`);
  const today = new Date().toISOString().slice(0, 10);
  await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated', expiresOn: today });
  const { stdout } = await mail('--language', 'es');
  expect(stdout).toContain(`To: ${owner.email}\nSubject: «Casa Verde»: 1 certificado necesita tu atención\n`);
  expect(stdout).toMatch(/FSC-C000001 \(FSC\) (vence hoy|vence en 1 día)/);
  expect((await mail('--html')).stdout).toContain('<html lang="en">');
  expect((await pool.query('select from certificate_notices')).rows).toEqual([]);
});

test('catalogue add refuses a pattern that some id would keep busy for ages', async () => {
  const { portal } = await usePortal();
  const add = (pattern: string) => portal('catalogue', 'add', '--name', `Of ${pattern}`, '--body-code', 'FSC', '--id-pattern', pattern);
  for (const pattern of ['^(\\d+)+$', '^([A-Z]|[A-Z0-9])*$', '^X-(\\w|-)*(Z+)*$', '^((A\\d)+)+$', '^(é+)+$']) {
    const { code, stderr } = await add(pattern);
    expect([code, stderr]).toEqual([1, expect.stringContaining('takes too long')]);
  }
  expect((await add('^([A-Z]{2}-)?(\\d{3}/){2}\\p{L}{3,}$')).code).toBe(0);
});

test('catalogue add, retire and list manage the certifications of imports, with their aliases', async () => {
  const { portal } = await usePortal();
  const add = ['catalogue', 'add', '--name', 'Demeter', '--body-code', 'DEM', '--body-name', 'Demeter e.V.'];
  expect((await portal(...add, '--id-pattern', '^\\d{4}$', '--alias', 'Bio Dynamic')).stdout).toBe('"Demeter" is in the catalogue.\n');
  expect((await portal('catalogue', 'aliases', '--name', 'demeter', '--alias', 'Biodynamic', 'DEM')).stdout).toBe(
    'Imports take "Biodynamic", "DEM" for "Demeter". Removed: "Bio Dynamic".\n',
  );
  expect((await portal('catalogue', 'retire', '--name', 'demeter')).stdout).toBe('"Demeter" is retired: imports can no longer name it.\n');
  expect((await portal('catalogue', 'list')).stdout).toMatch(/^Demeter +DEM +Demeter e\.V\. +\^\\d\{4\}\$ +Biodynamic, DEM +retired$/m);
});

test('names of other certifications are refused, as aliases and as new names, and aliases that imports cannot use are named', async () => {
  const { portal } = await usePortal();
  const aliases = (name: string, ...alias: string[]) =>
    portal('catalogue', 'aliases', '--name', name, ...(alias.length > 0 ? ['--alias', ...alias] : []));
  const add = (name: string, ...more: string[]) =>
    portal('catalogue', 'add', '--name', name, '--body-code', 'DEM', '--body-name', 'Demeter e.V.', ...more);
  await portal('catalogue', 'retire', '--name', 'EPEAT Gold');
  for (const [alias, owner] of [
    ['gots', 'GOTS'],
    ['Global Organic-Textile Standard', 'GOTS'],
    ['Energystar', 'ENERGY STAR'],
    ['Epeat gold', 'EPEAT Gold'],
  ] as const) {
    const stderr = `"${alias}" is a name of "${owner}" already.\n`;
    expect(await aliases('FSC', 'Forest', alias)).toEqual({ code: 1, stdout: '', stderr });
    expect(await add('Demeter', '--alias', alias)).toEqual({ code: 1, stdout: '', stderr });
  }
  // Otherwise imports that mean GOTS would name the new one.
  expect((await add('Global Organic-Textile Standard')).stderr).toBe('"Global Organic-Textile Standard" is a name of "GOTS" already.\n');
  expect((await add('Energystar')).stderr).toBe('"Energystar" is a name of "ENERGY STAR" already.\n');
  expect((await add('Epeat gold')).stdout).toBe('"Epeat gold" is in the catalogue.\n');
  // Shipped as a name of both.
  expect((await aliases('Fairtrade', 'Fair Trade', 'FLO')).stdout).toMatch(
    /^Imports take "FLO" for "Fairtrade"\. They refuse "Fair Trade", which is a name of another certification too\. Removed: "Fairtrade International", .*"\.\n$/,
  );
  expect((await aliases('Fairtrade')).stdout).toBe('Imports take no other name for "Fairtrade". Removed: "Fair Trade", "FLO".\n');
}, 40_000);

test('every command has an example in its help', () => {
  const program = new Command();
  addCatalogueCommands(program);
  addCertificateCommands(program);
  const leaves = (command: Command): Command[] => (command.commands.length === 0 ? [command] : command.commands.flatMap(leaves));
  const commands = leaves(program);
  expect(commands).toHaveLength(14);
  for (const command of commands) {
    let help = '';
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    expect(help).toMatch(new RegExp(`npm run portal -- (certificates|catalogue) (registry )?${command.name()} ?`));
  }
});
