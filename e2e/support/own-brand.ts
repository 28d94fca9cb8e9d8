import pg from 'pg';
import { expect, test as journey } from './journey.ts';
import { databaseUrl, withConnection } from './probe.ts';
import { EDITOR, readStoredSession, restoreSession } from './sign-in.ts';

export interface OwnBrand {
  readonly id: string;
  readonly name: string;
  /** Imports a file like the upload dialog. */
  upload(csv: string): Promise<void>;
  /** Locks the brand, so that imports block before they are saved, until the returned function is called. */
  holdImports(): Promise<() => Promise<void>>;
  /** GET of a path below the brand in the API. */
  get(path: string): Promise<unknown>;
}

/** A new brand whose owner is signed in. Removed at the end, because other journeys count the brands they see. */
export const test = journey.extend<{ brand: OwnBrand }>({
  brand: async ({ page, server }, use) => {
    const name = 'Hierba Buena';
    const id = await createBrand(server.dataDir, name, EDITOR);
    await restoreSession(page, EDITOR);
    const api = `${server.url}/api/v1/brands/${id}/`;
    const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
    const lock = new pg.Client({ connectionString: databaseUrl(server.dataDir) });
    await use({
      id,
      holdImports: async () => {
        await lock.connect();
        await lock.query('begin');
        await lock.query('select from brands where id = $1 for no key update', [id]);
        return () => lock.end();
      },
      name,
      upload: async (csv) => {
        const file = { name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
        const answer = await page.request.post(`${api}variant-certifications/upload/`, {
          headers: { authorization },
          multipart: { file },
        });
        expect(await answer.json()).toMatchObject({ errors: [] });
      },
      get: async (path) => (await page.request.get(api + path, { headers: { authorization } })).json(),
    });
    await lock.end();
    // Otherwise calls of the open page would fail after the deletion.
    await page.goto('about:blank');
    expect((await page.request.delete(api, { headers: { authorization } })).status()).toBe(204);
    // Ends the period for restoring, so that the owner's dashboard no longer shows it.
    await withConnection(databaseUrl(server.dataDir), (client) =>
      client.query(`update brands set deleted_at = now() - interval '8 days' where id = $1`, [id]),
    );
  },
});

/** With SQL, not with the operator's command: a process start takes longer than some journeys. */
function createBrand(dataDir: string, name: string, owner: string): Promise<string> {
  return withConnection(databaseUrl(dataDir), async (client) => {
    const { rows } = await client.query<{ id: string }>(`insert into brands (name, status) values ($1, 'active') returning id`, [name]);
    const id = String(rows[0]?.id);
    await client.query(
      `insert into brand_members (brand_id, user_id, role, status) select $1, id, 'owner', 'active' from users where email = $2`,
      [id, owner],
    );
    return id;
  });
}

export { expect };
