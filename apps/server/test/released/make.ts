import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Filled, fill } from './fill.ts';
import { numbersOf } from './numbers.ts';
import { callAs, dump, numbers, sql, withPortal } from './portal.ts';

/** Stores the database of a release, and what its server answers. README.md says how to run it. */

const [version] = process.argv.slice(2);
if (!version || !process.env.DATABASE_URL) throw new Error('Usage: DATABASE_URL=postgres://… node …/make.ts 1.0.0');

async function readAnswers({ owner, staff, places }: Filled): Promise<Record<string, unknown>> {
  const at = `brands/${places.brand}`;
  const idsOf = (table: string) => numbers(`select id from ${table} where brand_id = $1 order by id`, places.brand);
  const partsOf = (id: number) =>
    ['', 'changes/?kind=created', 'changes/?kind=updated', 'corrections/', 'error-groups/'].map((part) => `imports/${id}/${part}`);
  const ofBrand = [
    '',
    'contents/',
    'attention/',
    'readiness/',
    'notifications/',
    'members/',
    'team/?page_size=100',
    'api-keys/',

    'variants/?page_size=100',
    'variants/?search=brulee',
    'variants/?published=true',
    'variants/states/',
    'deletions/',

    'certifications/?page_size=100',
    'certifications/?status=invalid',
    'certificates/coverage/',
    'channel/',
    'channel/feed/',
    'imports/?page_size=100',
    'history/?page_size=100',
    'history/filters/',
    ...(await idsOf('imports')).flatMap(partsOf),
    ...(await idsOf('certificates')).map((id) => `certifications/${id}/`),
    ...(await idsOf('variants')).map((id) => `variants/${id}/`),
  ].map((path) => `${at}/${path}`);
  const others = ['brands/', 'users/me/attention/', 'users/me/deleted-brands/'];
  const ofOthers = [`brands/${places.unconnected}/variants/`, `brands/${places.disconnected}/channel/`];
  const ofPlatform = ['brands', 'deliveries', 'imports', 'registries', 'reviews'].map((page) => `platform/${page}/`);
  const answers: Record<string, unknown> = {};
  for (const path of [...ofBrand, ...others, ...ofOthers]) answers[path] = numbersOf(await callAs(owner, 'GET', path));
  for (const path of ofPlatform) answers[path] = numbersOf(await callAs(staff, 'GET', path));
  return answers;
}

function write(kind: 'json' | 'sql', content: string): void {
  writeFileSync(join(import.meta.dirname, `${version}.${kind}.gz`), gzipSync(content, { level: 9 }));
}

await withPortal(async () => {
  const filled = await fill();
  const answers = await readAnswers(filled);
  write('json', JSON.stringify({ places: filled.places, answers }));
});
// The server is gone, so nobody does them.
await sql(`select graphile_worker.add_job('validate_certificates', '{"brand_id": 1}', job_key => 'validate_certificates:1')`);
await sql(`select graphile_worker.add_job('deliver', '{}', queue_name => 'channel', job_key => 'deliver:1', max_attempts => 1)`);
// A server that finds none makes new ones.
for (const table of ['signing_keys', 'embedded.idp_secrets', 'embedded.channel_emulator_secrets']) {
  await sql(`delete from ${table}`);
}
write('sql', await dump());
