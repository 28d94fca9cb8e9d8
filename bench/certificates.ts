import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { signInMember } from '../scripts/sign-in-member.ts';
import { closeConnections, request, time, timed } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, type Portal, startPortal } from './support/portal.ts';

/**
 * A brand's certificates and a registry: loading it with the operator's command, validating in the job, and the page's list.
 * `--certificates=10000 --entries=100000` for a quick run.
 */
const certificates = Number(option('certificates') ?? 100_000);
const entries = Number(option('entries') ?? 1_000_000);
const PORTAL = join(import.meta.dirname, '../apps/embedded/src/cli/portal.ts');

const portal = await startPortal();
const folder = mkdtempSync(join(tmpdir(), 'brand-portal-bench-registry-'));
try {
  const client = await connect(portal.databaseUrl);
  await logStatements(client);
  const brandId = await loadCertificates(client);
  console.log(`${certificates} certificates of one brand, a registry of ${entries} entries that has half of them\n`);
  console.log('| what | seconds | statements |\n|---|---|---|');

  const file = await writeRegistry();
  let logged = statSync(portal.postgresLog).size;
  const load = await timed(() => runPortal('certificates', 'registry', 'load', '--certification', 'FSC', '--file', file, '--apply'));
  row('registry load, first time', load);
  await validated(client, 'validation of all', logged);
  await checkStatuses(client, brandId);

  logged = statSync(portal.postgresLog).size;
  const again = await timed(() =>
    runPortal('certificates', 'registry', 'load', '--certification', 'FSC', '--file', file, '--replace', '--apply'),
  );
  row('registry load, the same again', again);
  await validated(client, 'validation of all, nothing new', logged);

  await client.query(`
    update certificates set expires_on = '2000-01-01' where status = 'validated';
    update due_work set due_at = now() where kind = 'expire_certificates'`);
  logged = statSync(portal.postgresLog).size;
  await client.query(`select graphile_worker.add_job('expire_certificates')`);
  await validated(client, `daily check, ${certificates / 2} have expired`, logged);

  const headers = await signInMember(client, brandId);
  const list = await time(5, () => request(`${portal.url}/api/v1/brands/${brandId}/certifications/`, headers));
  row('list of all over HTTP, p50', list.p50 / 1000);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
  rmSync(folder, { recursive: true, force: true });
}

function row(what: string, seconds: number, statements?: number): void {
  console.log(`| ${what} | ${seconds.toFixed(2)} | ${statements ?? ''} |`);
}

/** Every other id is in the registry. Ids have their documented form. */
async function loadCertificates(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: string }>(`insert into brands (name, status) values ('Bench', 'active') returning id`);
  const brandId = Number(rows[0]?.id);
  await client.query(
    `insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
     select $1, c.id, key, key, search_key(key), id_sort_key(key)
     from certifications c, generate_series(0, $2::int - 1) n, concat('FSC-C', lpad((n * 2)::text, 6, '0')) key
     where c.name = 'FSC'`,
    [brandId, certificates],
  );
  return brandId;
}

async function writeRegistry(): Promise<string> {
  const path = join(folder, 'registry.csv');
  const stream = createWriteStream(path);
  stream.write('certificate_id,active,expires_on\n');
  for (let n = 0; n < entries; n++) {
    // Multiples of four match every other certificate; the rest belongs to others.
    const id = n * 4 < certificates * 2 ? n * 4 : 1_000_000 + n;
    if (!stream.write(`FSC-C${String(id).padStart(6, '0')},true,2999-12-31\n`)) {
      await new Promise<void>((resolve) => stream.once('drain', resolve));
    }
  }
  await new Promise<void>((resolve) => stream.end(resolve));
  return path;
}

async function runPortal(...args: string[]): Promise<void> {
  // Not logged: the log is for counting the server's statements, and the command's contain whole files.
  const env = { ...process.env, DATABASE_URL: portal.databaseUrl, PGOPTIONS: '-c log_statement=none' };
  await promisify(execFile)(process.execPath, [PORTAL, ...args], { env });
}

/** Makes PostgreSQL log every statement. Cuts the server's connections, because the setting applies to new ones. */
async function logStatements(client: pg.Client): Promise<void> {
  await client.query(`alter database postgres set log_statement = 'all'`);
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'brand-portal'`);
  await sleep(1_000);
}

/** Waits for the job that was just queued. */
async function validated(client: pg.Client, what: string, logFrom: number): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const { rows } = await client.query(
      `select from graphile_worker.jobs where task_identifier in ('validate_certificates', 'expire_certificates')`,
    );
    if (rows.length === 0) break;
    await sleep(20);
  }
  const seconds = (performance.now() - begun) / 1000;
  await sleep(200);
  row(what, seconds, countStatements(portal, logFrom));
}

/** Counts statements of the server that lock, validate or expire. Each batch also has a begin, a commit and two settings. */
function countStatements({ postgresLog }: Portal, from: number): number {
  const text = readFileSync(postgresLog).subarray(from).toString();
  return text
    .split(/\bLOG: {2}/)
    .filter(
      (entry) =>
        /^(statement|execute [^:]*):/.test(entry) && /for no key update|audit_log/.test(entry) && !entry.includes('graphile_worker.'),
    ).length;
}

async function checkStatuses(client: pg.Client, brandId: number): Promise<void> {
  const { rows } = await client.query<{ status: string; count: string }>(
    'select status, count(*) from certificates where brand_id = $1 group by 1 order by 1',
    [brandId],
  );
  const found = rows.map(({ status, count }) => `${count} ${status}`).join(', ');
  const expected = `${certificates / 2} invalid, ${certificates / 2} validated`;
  if (found !== expected) throw new Error(`${found} instead of ${expected}`);
}
