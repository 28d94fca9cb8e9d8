import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { useEmbeddedServer } from '@brand-portal/embedded/test/embedded-server.ts';
import { expect, test } from 'vitest';
import type { Schema } from '../../test/fuzz/schema-values.ts';
import { findBlockingTexts } from '../../test/hostile-text.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { toForm } from '../imports/test-support/uploads.ts';

/** The maximum lengths of a row of a file (minus the other cells), of a JSON body, and of headers. */
const IN_FILE = 250 * 1024;
const IN_BODY = 80 * 1024;
const IN_HEADERS = 3 * 1024;

async function useStaff() {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const { headers, id } = await createTestMember(database.db, brandId, 'owner');
  await database.pool.query('update users set is_staff = true where id = $1', [id]);
  const pathOf = (path: string) => path.replace(':brandId', String(brandId)).replaceAll(/:\w+/g, '1');
  const upload = (content: string | Buffer, fileName?: string) => {
    const form = toForm(content, fileName === undefined ? {} : { fileName });
    const url = pathOf('/api/v1/brands/:brandId/variant-certifications/upload/');
    return app.inject({ method: 'POST', url, headers: { ...form.headers, ...headers }, payload: form.payload });
  };
  return { app, headers, pathOf, upload };
}

const propertiesOf = (schema: unknown) =>
  Object.entries((schema as Schema | undefined)?.properties ?? {}).flatMap(([name, { type }]) => (type === 'string' ? [name] : []));
/** Valid values for the other fields, so that the hostile text is reached. */
const VALID = {
  email: 'someone@example.com',
  owner_email: 'someone@example.com',
  role: 'viewer',
  name: 'Acme',
  token: 'x'.repeat(43),
  refresh: 'x'.repeat(43),
  password: 'Correct!Horse7',
};
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

test('no header cell of a file blocks other requests, nor does the download of its rejected rows', async () => {
  const { app, headers, pathOf, upload } = await useStaff();
  const blocking = await findBlockingTexts(IN_FILE, async (text) => {
    const answer = await upload(`variant_name,gtin,${quoted(text)}\nTea,1,x\nSalt,2,x\n`);
    const url = pathOf(`/api/v1/brands/:brandId/imports/${answer.json().import_id}/rejected-rows/`);
    await app.inject({ url, headers });
  });
  expect(blocking).toEqual([]);
});

test('no file name blocks other requests', async () => {
  const { upload } = await useStaff();
  const send = (text: string) => upload('variant_name,gtin\n', text.replaceAll('"', "'"));
  expect(await findBlockingTexts(IN_HEADERS, send)).toEqual([]);
});

const bodies = ENDPOINTS.flatMap(({ method, path, body }) => propertiesOf(body).map((name) => [method, path, name] as const));
test.each(bodies)('%s %s: no text in %s blocks other requests', async (method, path, name) => {
  const { app, headers, pathOf } = await useStaff();
  const blocking = await findBlockingTexts(IN_BODY, (text) =>
    Promise.all([app.inject({ method, url: pathOf(path), headers, payload: { ...VALID, [name]: text } }), app.inject('/healthz')]),
  );
  expect(blocking).toEqual([]);
});

const queries = ENDPOINTS.flatMap(({ method, path, query }) => propertiesOf(query).map((name) => [method, path, name] as const));
test.each(queries)('%s %s: no text in ?%s blocks other requests', async (method, path, name) => {
  const { app, headers, pathOf } = await useStaff();
  const blocking = await findBlockingTexts(IN_HEADERS, (text) =>
    app.inject({ method, url: pathOf(path), headers, query: { [name]: text } }),
  );
  expect(blocking).toEqual([]);
});

test.each(['authorization', 'accept-language', 'x-request-id', 'accept', 'accept-encoding', 'content-type'])(
  'no text in the header %s blocks other requests',
  async (name) => {
    const { app } = await useStaff();
    const blocking = await findBlockingTexts(IN_HEADERS, (text) =>
      app.inject({ url: '/api/v1/brands/', headers: { [name]: encodeURI(text) } }),
    );
    expect(blocking).toEqual([]);
  },
);

test.each([
  ['/idp/forgot-password', 'email'],
  ['/idp/reset-password', 'token'],
  ['/idp/reset-password', 'password'],
  ['/idp/login/x', 'email'],
  ['/idp/login/x', 'password'],
])('the form of %s: no text in %s blocks other requests', async (path, name) => {
  const { app, publicUrl } = await useEmbeddedServer();
  const headers = { host: new URL(publicUrl).host, origin: publicUrl };
  const blocking = await findBlockingTexts(IN_BODY, (text) => {
    const payload = new URLSearchParams({ ...VALID, [name]: text }).toString();
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
    return app.inject({ method: 'POST', url: path, headers: form, payload });
  });
  expect(blocking).toEqual([]);
});
