import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { createTestBrand, createTestMember } from '../../test/people.ts';
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

test('lists with pages say that rows may be on two pages or on none while others write', async () => {
  const { app } = await useTestApp();
  const { info, paths } = (await app.inject('/api/v1/openapi.json')).json();
  expect(info.description).toContain('one may appear on two pages, and another on none');
  for (const { path } of ENDPOINTS.filter(({ query }) => 'page' in ((query as { properties?: object })?.properties ?? {}))) {
    const { parameters } = paths[path.replaceAll(/:(\w+)/g, '{$1}')].get;
    const page = parameters.find(({ name }: { name?: string }) => name === 'page');
    expect(page.description ?? page.schema.description, path).toContain('on two pages or on none');
  }
});

test('an upload lists all fields of its form', async () => {
  const { app } = await useTestApp();
  const { paths } = (await app.inject('/api/v1/openapi.json')).json();
  for (const path of ['variant-certifications/upload', 'imports/check']) {
    const form = paths[`/api/v1/brands/{brandId}/${path}/`].post.requestBody.content['multipart/form-data'].schema;
    expect(Object.keys(form.properties)).toEqual(['file', 'sheet', 'mapping']);
  }
});

describe('headers', () => {
  /** Of every answer of the server, and of HTTP itself. */
  const COMMON =
    /^(content-(type|length|security-policy)|cache-control|date|connection|transfer-encoding|vary|keep-alive|x-(content-type-options|frame-options|dns-prefetch-control|download-options|permitted-cross-domain-policies|xss-protection)|referrer-policy|permissions-policy|strict-transport-security|cross-origin-.*)$/;

  async function useDocument() {
    const { app, database } = await useTestApp();
    const brandId = await createTestBrand(database.db);
    const { headers } = await createTestMember(database.db, brandId, 'owner');
    const { paths, components } = (await app.inject('/api/v1/openapi.json')).json();
    const resolve = ({ $ref = '' }: { $ref?: string }) => {
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? [];
      return components[kind]?.[name];
    };
    return { app, brandId, headers, paths, resolve };
  }

  test('that are read are listed where they are', async () => {
    const { paths, resolve } = await useDocument();
    const read = (path: string, method = 'get') =>
      paths[`/api/v1/brands/{brandId}/${path}`][method].parameters
        .map((given: { $ref?: string }) => resolve(given) ?? given)
        .flatMap((given: { in: string; name: string }) => (given.in === 'header' ? given.name : []));
    expect(read('variants/')).toEqual(['x-request-id', 'accept-language']);
    const followed = ['x-request-id', 'accept-language', 'prefer'];
    expect(read('variant-certifications/upload/', 'post')).toEqual(followed);
    expect(read('imports/{importId}/undo/', 'post')).toEqual(followed);
  });

  test('that are sent are listed with their answers, whatever the status', async () => {
    const { app, brandId, headers, paths, resolve } = await useDocument();
    const form = new FormData();
    form.append('file', new Blob(['variant_name,gtin\nOil,61414100\n']), 'a.csv');
    const upload = new Response(form);
    const payload = Buffer.from(await upload.arrayBuffer());
    const contentType = { 'content-type': upload.headers.get('content-type') ?? '' };
    const brand = '/api/v1/brands/{brandId}/';
    const answers: [path: string, method: 'get' | 'post' | 'patch', answer: LightMyRequestResponse][] = [];
    const call = async (path: string, method: 'get' | 'post' | 'patch' = 'get', options: InjectOptions = {}) => {
      const url = `${path.replace('{brandId}', String(brandId))}${options.query ? `?${String(options.query)}` : ''}`;
      const { query: _query, ...rest } = options;
      answers.push([path, method, await app.inject({ method, url, ...rest, headers: { ...headers, ...rest.headers } })]);
    };
    await call(`${brand}variants/`);
    await call(`${brand}variants/export/`, 'get', { query: 'format=csv' });
    await call(`${brand}variant-certifications/upload/`, 'post', {
      payload,
      headers: { ...contentType, prefer: 'respond-async' },
    });
    await call(brand, 'patch', { body: {} });
    expect(answers.map(([, , { statusCode }]) => statusCode)).toEqual([200, 200, 202, 400]);
    for (const [path, method, { statusCode, headers: sent }] of answers) {
      const listed = paths[path][method].responses[statusCode].headers;
      for (const header of Object.values(listed)) expect(resolve(header as object)).toBeDefined();
      expect(
        Object.keys(sent).filter((name) => !COMMON.test(name) && !(name in listed)),
        path,
      ).toEqual([]);
    }
  });

  test('of a refusal for the moment say when to come back', async () => {
    const { paths } = await useDocument();
    for (const status of ['429', '503']) {
      expect(paths['/api/v1/brands/'].get.responses[status].headers).toHaveProperty('retry-after');
    }
  });
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
