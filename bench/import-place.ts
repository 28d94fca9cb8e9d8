import { signInMember } from '../scripts/sign-in-member.ts';
import { createBrand, importFile } from './support/import-data.ts';
import { closeConnections, request, time, timed } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, startPortal } from './support/portal.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * Around an import: preview, undo, the cost of keeping data for undo, and the page of a brand's imports. `--rows=10000` for a quick run.
 */
const rows = Number(option('rows') ?? 100_000);
const LISTED_IMPORTS = 10_000;
const RUNS = 3;

type Seconds = Record<'created' | 'changed', number>;

const portal = await startPortal();
try {
  const client = await connect(portal.databaseUrl);
  const first = await createBrand(client);
  const headers = await signInMember(client, first);
  const at = (brandId: number, path: string) => `${portal.url}/api/v1/brands/${brandId}/${path}`;
  const post = async (url: string, body?: FormData | string): Promise<Record<string, number>> => {
    const json: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...json }, body: body ?? null });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, number>;
  };
  const form = (file: string) => {
    const body = new FormData();
    body.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
    return body;
  };
  for (let warmUp = 0; warmUp < 3; warmUp++) {
    const brand = await createBrand(client);
    await post(at(brand, 'imports/check/'), form(importFile(1_000)));
    const { import_id } = await post(at(brand, 'variant-certifications/upload/'), form(importFile(1_000)));
    await post(at(brand, `imports/${import_id}/undo/`));
  }

  const file = importFile(rows);
  const renamed = file.replaceAll(/ ml (\w+),/g, ' cl $1,');
  const brand = await createBrand(client);
  let checkId = 0;
  const check = await timed(async () => {
    checkId = (await post(at(brand, 'imports/check/'), form(file))).import_id ?? 0;
  });
  const preview = await timed(() => request(at(brand, `imports/${checkId}/preview/`), headers));
  await post(at(brand, `imports/${checkId}/cancel/`));
  let importId = 0;
  const importing = await timed(async () => {
    importId = (await post(at(brand, 'variant-certifications/upload/'), form(file))).import_id ?? 0;
  });
  const undoing = await timed(() => post(at(brand, `imports/${importId}/undo/`)));

  /** New rows, then the same with other names, to compare the cost of undo for each. */
  const importBoth = async () => {
    const brand = await createBrand(client);
    const upload = (file: string) => timed(() => post(at(brand, 'variant-certifications/upload/'), form(file)));
    await client.query('checkpoint');
    return { created: await upload(file), changed: await upload(renamed) };
  };
  const runs = { kept: [] as Seconds[], notKept: [] as Seconds[] };
  for (let run = 0; run < RUNS; run++) {
    runs.kept.push(await importBoth());
    // Only for the comparison: stores changes like other staged rows, in an unlogged table without a key, deleted with the import.
    await client.query('alter table import_changes drop constraint import_changes_key, set unlogged');
    runs.notKept.push(await importBoth());
    await client.query('truncate import_changes');
    await client.query(
      'alter table import_changes set logged, add constraint import_changes_key primary key (brand_id, import_id, variant_id)',
    );
  }
  const best = (of: readonly Seconds[], kind: keyof Seconds) => Math.min(...of.map((seconds) => seconds[kind]));

  await client.query(
    `insert into imports (brand_id, user_id, file_name, file_bytes, file_sha256, rows_total, state)
     select $1, (select id from users order by id limit 1), 'products ' || n || '.csv', 1000, md5(n::text), 10, 'done'
     from generate_series(1, $2::int) n`,
    [first, LISTED_IMPORTS],
  );
  await client.query('vacuum analyze imports');
  const pages = await time(500, () => request(at(first, 'imports/?page=1'), headers));
  const staging = check - preview;
  console.log('| what | measured | ratio |');
  console.log('|---|---|---|');
  console.log(`| check of ${rows} rows, against its staging part | ${check.toFixed(2)} s | ${told(check / staging, 1.3)} |`);
  console.log(
    `| undo of ${rows} rows, against their import | ${undoing.toFixed(2)} s of ${importing.toFixed(2)} | ${told(undoing / importing, 2)} |`,
  );
  for (const kind of ['created', 'changed'] as const) {
    const [kept, notKept] = [best(runs.kept, kind), best(runs.notKept, kind)];
    console.log(
      `| import of ${rows} ${kind === 'created' ? 'new' : 'changed'} rows with what undo needs, against without (best of ${RUNS}) | ${kept.toFixed(2)} s of ${notKept.toFixed(2)} | ${told(kept / notKept, 1.15)} |`,
    );
  }
  console.log(`| page of ${LISTED_IMPORTS} imports, p99 | ${pages.p99.toFixed(1)} ms (≤ 20: ${verdict(pages.p99 <= 20)}) | |`);
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
printVerdicts();

function told(ratio: number, bar: number): string {
  return `${ratio.toFixed(2)} (≤ ${bar}: ${verdict(ratio <= bar)})`;
}
