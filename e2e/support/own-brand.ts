import { expect, test as journey } from './journey.ts';
import { portal } from './portal.ts';
import { EDITOR, readStoredSession, signIn } from './sign-in.ts';

export interface OwnBrand {
  readonly id: string;
  readonly name: string;
  /** Imports as the upload dialog does. */
  upload(csv: string): Promise<void>;
  /** Reads what is below the brand in the API. */
  get(path: string): Promise<unknown>;
}

/** A brand of the journey's own, whose owner is signed in; gone at its end, because other journeys count what they see. */
export const test = journey.extend<{ brand: OwnBrand }>({
  brand: async ({ page, server }, use) => {
    const name = 'Hierba Buena';
    const said = await portal(server, 'brand', 'create', '--name', name, '--owner-email', EDITOR);
    const id = /^Brand (\d+)/.exec(said)?.[1] ?? '';
    await signIn(page, EDITOR);
    const api = `${server.url}/api/v1/brands/${id}/`;
    const authorization = `Bearer ${(await readStoredSession(page))?.accessToken}`;
    await use({
      id,
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
    expect((await page.request.delete(api, { headers: { authorization } })).status()).toBe(204);
  },
});

export { expect };
