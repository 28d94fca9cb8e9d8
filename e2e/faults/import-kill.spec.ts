import { setTimeout as wait } from 'node:timers/promises';
import { toGtin13 } from '../../scripts/gtin.ts';
import { readBrand, readEndedImports, TestBrand } from '../support/brand-api.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS, IS_LONG_RUN } from '../support/fault-rounds.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf, signal } from '../support/processes.ts';
import type { ServerProcess } from '../support/server.ts';

test.describe.configure({ timeout: 180_000 });

const ROWS = 8_000;
/** The duration of an import of ROWS rows on a slow machine, in milliseconds. */
const IMPORT_MS = 2_000;
/** The ten rounds of the long run have fifty imports. */
const IMPORTS_PER_ROUND = IS_LONG_RUN ? 5 : 2;

const gtin = (item: number) => toGtin13(`40000${String(item).padStart(7, '0')}`);

/** Half of the rows are new, half rename variants of the previous file. Every tenth has a certificate. */
function csv(number: number): string {
  const first = (number * ROWS) / 2;
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const item = first + index;
    const certificate = item % 10 === 0 ? `C-${item},Fairtrade` : ',';
    return `Product ${item} of file ${number},${gtin(item)},${certificate}`;
  });
  return ['variant_name,gtin,certificate_id,certification_name', ...rows].join('\n');
}

/** How a server ends: killed, killed together with its database, or stopped. */
async function end(how: number, server: ServerProcess, dataDir: string): Promise<void> {
  if (how === 0) await server.kill();
  else if (how === 1) for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
  else await server.stop();
}

const AT_ONCE = { prefer: 'respond-async' };

for (const { label, between } of FAULT_ROUNDS) {
  test(`kills and stops at random moments of imports lose nothing that was accepted, and import it once (${label})`, async ({
    launch,
    dataDir,
  }) => {
    let server = await (await launch()).ready();
    const brand = await TestBrand.create(dataDir, 'Imports');
    const read = () => withConnection(databaseUrl(dataDir), (client) => readBrand(client, brand.id));

    for (let number = 0; number < IMPORTS_PER_ROUND; number += 1) {
      const file = csv(number);
      const upload = brand.upload(server, file, AT_ONCE);
      await wait(between(0, IMPORT_MS));
      await end((number + between(0, 2)) % 3, server, dataDir);
      const status = await upload;
      await server.kill();

      server = await (await launch()).ready();
      const imports = await readEndedImports(dataDir, brand.id);
      expect(imports.map(({ state }) => state)).toEqual(imports.map(() => 'done'));
      expect(imports.map(({ applied }) => applied)).toEqual(imports.map(() => 1));
      if (status === 202 || status === 200) expect(imports, 'what was accepted is there').toHaveLength(number + 1);
      // Not accepted: nothing of it is there, and it is uploaded again.
      if (imports.length === number) expect(await brand.upload(server, file)).toBe(200);
      const found = await read();
      expect(found).toMatchObject({
        variants: ROWS + (number * ROWS) / 2,
        counted: found.variants,
        searchable: found.variants,
      });
    }
    const before = await read();
    expect(await brand.upload(server, csv(IMPORTS_PER_ROUND - 1))).toBe(200);
    expect(await read(), 'the same file again changes nothing').toEqual(before);
    await expectCleanStop(server);
  });
}

test("a killed server's import is taken over by another server", async ({ launch, dataDir }) => {
  const first = await (await launch()).ready();
  const env = { DATABASE_URL: databaseUrl(dataDir) };
  const second = await (await launch({ dataDir: `${dataDir}/second`, env })).ready();
  const brand = await TestBrand.create(dataDir, 'Twice');
  const release = await lockBrand(dataDir, brand.id);
  try {
    expect(await brand.upload(second, csv(0), AT_ONCE)).toBe(202);
    await expect.poll(() => stagesOf(dataDir, brand.id), { timeout: 20_000 }).toEqual(['merging']);
    await second.kill();
  } finally {
    await release();
  }
  expect(await readEndedImports(dataDir, brand.id)).toMatchObject([{ state: 'done', applied: 1 }]);
  await expectCleanStop(first);
});

function stagesOf(dataDir: string, brandId: number): Promise<string[]> {
  return withConnection(databaseUrl(dataDir), async (client) => {
    const { rows } = await client.query('select stage from imports where brand_id = $1 and state = $2', [brandId, 'running']);
    return rows.map(({ stage }) => stage);
  });
}

/** Holds the brand's lock, at which an import waits. */
async function lockBrand(dataDir: string, brandId: number): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const holding = withConnection(databaseUrl(dataDir), async (client) => {
    await client.query('begin');
    await client.query('select from brands where id = $1 for no key update', [brandId]);
    isLocked.resolve();
    await held.promise;
  });
  await isLocked.promise;
  return async () => {
    held.resolve();
    await holding;
  };
}
