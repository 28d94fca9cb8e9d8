import { setTimeout as wait } from 'node:timers/promises';
import { toGtin13 } from '../../scripts/gtin.ts';
import { readBrand, TestBrand } from '../support/brand-api.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS, IS_LONG_RUN } from '../support/fault-rounds.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf, signal } from '../support/processes.ts';

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

for (const { label, between } of FAULT_ROUNDS) {
  test(`kills at random moments of imports leave all of an import or nothing of it (${label})`, async ({
    launch,
    dataDir,
  }) => {
    let server = await (await launch()).ready();
    const brand = await TestBrand.create(dataDir, 'Imports');
    const read = () => withConnection(databaseUrl(dataDir), (client) => readBrand(client, brand.id));

    for (let number = 0; number < IMPORTS_PER_ROUND; number += 1) {
      const before = await read();
      const file = csv(number);
      const upload = brand.upload(server, file);
      await Promise.race([wait(between(0, IMPORT_MS)), upload]);
      if (number % 2 === 0) await server.kill();
      else for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
      const status = await upload;
      await server.kill();

      server = await (await launch()).ready();
      const found = await read();
      const landed = JSON.stringify(found) !== JSON.stringify(before);
      if (status === 200) expect(landed, 'an import that was confirmed is there').toBe(true);

      expect(await brand.upload(server, file), 'the next import works').toBe(200);
      const after = await read();
      expect(found).toEqual(landed ? after : before);
      expect(after).toMatchObject({
        variants: ROWS + (number * ROWS) / 2,
        counted: after.variants,
        searchable: after.variants,
      });
    }
    await expectCleanStop(server);
  });
}
