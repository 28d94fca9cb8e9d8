import { setTimeout as wait } from 'node:timers/promises';
import type { ImportDetail, ImportPreview } from '@brand-portal/contract/import';
import { toGtin13 } from '../../scripts/gtin.ts';
import { readBrand, readEndedImports, readPublished, TestBrand } from '../support/brand-api.ts';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS, IS_LONG_RUN } from '../support/fault-rounds.ts';
import { databaseUrl, withConnection } from '../support/probe.ts';
import { processesOf, signal } from '../support/processes.ts';
import type { ServerProcess } from '../support/server.ts';

test.describe.configure({ timeout: 180_000 });

const ROWS = 6_000;
/** The duration of an action on a slow machine, in milliseconds. */
const ACTION_MS = 1_500;

const gtin = (item: number) => toGtin13(`4000${String(item).padStart(8, '0')}`);

/** Every third row has an unknown certification; of the others, every tenth has a certificate. */
function csv(name: string, first: number): FormData {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const item = first + index;
    const certificate = item % 3 === 0 ? `C-${item},Nonsense` : item % 10 === 0 ? `C-${item},Fairtrade` : ',';
    return `${name} ${item},${gtin(item)},${certificate}`;
  });
  const file = ['variant_name,gtin,certificate_id,certification_name', ...rows].join('\n');
  const body = new FormData();
  body.append('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  return body;
}

async function upload(brand: TestBrand, server: ServerProcess, name: string, first: number): Promise<number> {
  const path = 'variant-certifications/upload/';
  const answer = await brand.json<{ import_id: number }>(server, 'POST', path, csv(name, first));
  if (!answer) throw new Error('The upload failed.');
  return answer.import_id;
}

/** Publishes, unpublishes or deletes all variants that match. */
function actOnAll(brand: TestBrand, server: ServerProcess, action: string) {
  const body = { action, filter: { search: 'first' } };
  return brand.json<{ changed: number; deletion_id: number | null }>(server, 'POST', 'variants/actions/', body);
}

interface Action {
  /** Returns the action. It runs once before the kill and again after it. */
  prepare(brand: TestBrand, server: ServerProcess): Promise<(server: ServerProcess) => Promise<unknown>>;
}

const ACTIONS: Record<string, Action> = {
  'an undo': {
    async prepare(brand, server) {
      await upload(brand, server, 'First', 0);
      const importId = await upload(brand, server, 'Second', ROWS / 2);
      return (server) => brand.json(server, 'POST', `imports/${importId}/undo/`);
    },
  },
  'the confirmation of a check': {
    async prepare(brand, server) {
      await upload(brand, server, 'First', 0);
      const check = async (server: ServerProcess) => {
        const preview = await brand.json<ImportPreview>(server, 'POST', 'imports/check/', csv('Second', ROWS / 2));
        if (!preview) throw new Error('The check failed.');
        return preview;
      };
      const preview = await check(server);
      const path = `imports/${preview.import_id}/`;
      return async (server) => {
        // After a crash of the database the file is read again.
        const isReady = () => brand.json(server, 'GET', `${path}preview/`);
        const stateOf = async () => (await brand.json<ImportDetail>(server, 'GET', path))?.state;
        while (!(await isReady()) && ['checked', 'waiting', 'running'].includes((await stateOf()) ?? '')) await wait(200);
        const { variants_created, variants_updated, variants_unchanged, rejected, channel } = preview;
        const numbers = { variants_created, variants_updated, variants_unchanged, rejected, ...channel };
        return brand.json(server, 'POST', `${path}confirm/`, numbers);
      };
    },
  },
  'an import of corrected rows': {
    async prepare(brand, server) {
      const importId = await upload(brand, server, 'First', 0);
      const correction = { place: 3, from: 'Nonsense', to: 'Fairtrade' };
      const path = `imports/${importId}/corrections/replace/`;
      expect(await brand.json(server, 'POST', path, correction)).toMatchObject({ rows: ROWS / 3 });
      return (server) => brand.json(server, 'POST', `imports/${importId}/corrections/import/`);
    },
  },
  'publishing all that match': {
    async prepare(brand, server) {
      await upload(brand, server, 'First', 0);
      return async (server) => unlessNone(await actOnAll(brand, server, 'publish'));
    },
  },
  'deleting all that match': {
    async prepare(brand, server) {
      await upload(brand, server, 'First', 0);
      await actOnAll(brand, server, 'publish');
      return async (server) => unlessNone(await actOnAll(brand, server, 'delete'));
    },
  },
  'restoring a deletion': {
    async prepare(brand, server) {
      await upload(brand, server, 'First', 0);
      const deletion = await actOnAll(brand, server, 'delete');
      const restore = (server: ServerProcess) =>
        brand.json<{ restored: number }>(server, 'POST', `deletions/${deletion?.deletion_id}/restore/`);
      return async (server) => {
        const answer = await restore(server);
        return answer?.restored ? answer : undefined;
      };
    },
  },
};

/** Undefined if the action changed nothing. */
const unlessNone = (answer: { changed: number } | undefined) => (answer?.changed ? answer : undefined);

for (const { label, between } of FAULT_ROUNDS) {
  const actions = Object.entries(ACTIONS);
  const first = between(0, actions.length - 1);
  // A normal run tests one random action, the long run all of them.
  const killed = IS_LONG_RUN ? actions : actions.slice(first, first + 1);
  for (const [name, { prepare }] of killed) {
    test(`a kill during ${name} happens once or, if it was not accepted, not at all (${label})`, async ({ launch, dataDir }) => {
      let server = await (await launch()).ready();
      const brand = await TestBrand.create(dataDir, 'Kills');
      const read = () =>
        withConnection(databaseUrl(dataDir), async (client) => ({
          ...(await readBrand(client, brand.id)),
          ...(await readPublished(client, brand.id)),
        }));
      const act = await prepare(brand, server);
      const before = await read();

      const acting = act(server);
      await Promise.race([wait(between(0, ACTION_MS)), acting]);
      if (between(0, 1) === 0) await server.kill();
      else for (const { pid } of processesOf(dataDir)) signal(pid, 'SIGKILL');
      const answer = await acting;
      await server.kill();

      server = await (await launch()).ready();
      await readEndedImports(dataDir, brand.id);
      const found = await read();
      const landed = JSON.stringify(found) !== JSON.stringify(before);
      if (answer) expect(landed, 'what was confirmed has happened').toBe(true);
      const again = await act(server);
      if (landed) expect(again, 'it happens once').toBeUndefined();
      else expect(again, 'it can be done again').toBeDefined();
      const after = await read();
      if (landed) expect(after).toEqual(found);
      expect(after).not.toEqual(before);
      expect(after).toMatchObject({
        counted: after.variants,
        searchable: after.variants,
        counted_published: after.published,
        deliveries: after.published,
      });
      await expectCleanStop(server);
    });
  }
}
