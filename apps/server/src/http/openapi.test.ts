import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { expect, test } from 'vitest';
import { useTestApp } from '../../test/test-app.ts';

test('the OpenAPI 3.1 document describes the registered endpoints with their error body', async () => {
  const { app } = await useTestApp();
  const document = (await app.inject('/api/v1/openapi.json')).json();
  expect(document.openapi).toBe('3.1.0');
  const login = document.paths['/api/v1/auth0/login/'].post;
  expect(login.responses['401'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
  expect(login.security).toEqual([]);
  expect(document.paths['/api/v1/users/me/'].get.security).toBeUndefined();
});

test('the document names no path that the contract does not define', async () => {
  const { app } = await useTestApp();
  const document = (await app.inject('/api/v1/openapi.json')).json();
  const defined = ENDPOINTS.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'));
  for (const path of Object.keys(document.paths)) expect(defined).toContain(path);
});

test('an upload is described as a form with a file, a download as a file', async () => {
  const { app } = await useTestApp();
  const { paths } = (await app.inject('/api/v1/openapi.json')).json();
  const upload = paths['/api/v1/brands/{brandId}/variant-certifications/upload/'].post;
  expect(upload.requestBody.content['multipart/form-data'].schema).toMatchObject({
    required: ['file'],
    properties: { file: { type: 'string' } },
  });
  // 200 with the result, or 202 with the id if it takes longer.
  expect(Object.keys(upload.responses)).toEqual(expect.arrayContaining(['200', '202']));
  expect(upload.description).toContain('Prefer: respond-async, wait=N');
  const download = paths['/api/v1/brands/{brandId}/imports/{importId}/rejected-rows/'].get;
  expect(Object.keys(download.responses['200'].content)).toEqual(['text/csv']);
});

test('there is a page to browse it', async () => {
  const { app } = await useTestApp();
  const answer = await app.inject('/api/docs/');
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toContain('text/html');
  expect(answer.body).toContain('<title>Brand Portal API</title>');
});

test('endpoints that accept API keys say so', async () => {
  const { app } = await useTestApp();
  const { paths, components } = (await app.inject('/api/v1/openapi.json')).json();
  expect(components.securitySchemes.api_key).toMatchObject({ type: 'http', scheme: 'bearer' });
  const either = [{ access_token: [] }, { api_key: [] }];
  expect(paths['/api/v1/brands/{brandId}/variants/'].get.security).toEqual(either);
  expect(paths['/api/v1/brands/{brandId}/members/'].post.security).toBeUndefined();
  expect(paths['/api/v1/brands/{brandId}/api-keys/'].post.security).toBeUndefined();
});
