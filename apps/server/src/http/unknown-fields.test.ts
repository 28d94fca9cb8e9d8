import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import { expect, test } from 'vitest';
import type { Schema } from '../../test/fuzz/schema-values.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useTestApp } from '../../test/test-app.ts';
import { toForm } from '../imports/test-support/uploads.ts';

async function useOwner() {
  const { app, database } = await useTestApp();
  const brandId = await createTestBrand(database.db);
  const { headers } = await createTestMember(database.db, brandId, 'owner');
  const urlOf = (path: string) => path.replace(':brandId', String(brandId)).replaceAll(/:\w+/g, '1');
  return { app, headers, urlOf };
}

test('every endpoint refuses an unknown query parameter by its name, a cache buster too', async () => {
  const { app, headers, urlOf } = await useOwner();
  for (const { method, path } of ENDPOINTS) {
    for (const name of ['updated_since', '_']) {
      const answer = await app.inject({ method, url: `${urlOf(path)}?${name}=1`, headers });
      expect([answer.statusCode, answer.json().fields], `${method} ${path}`).toEqual([400, { [name]: 'is not known' }]);
    }
  }
});

test('every endpoint refuses an unknown body field by its name, though others are missing', async () => {
  const { app, headers, urlOf } = await useOwner();
  const withBody = ENDPOINTS.filter(({ method, bodyKind }) => method !== 'GET' && !bodyKind);
  for (const { method, path } of withBody) {
    const answer = await app.inject({ method, url: urlOf(path), headers, payload: { nmae: 'Acme' } });
    expect([answer.statusCode, answer.json().fields], `${method} ${path}`).toEqual([400, { nmae: 'is not known' }]);
  }
});

/** Every place where a body has an object: `filter`, `people.0`. */
function objectsIn(schema: Schema, path: string[] = []): string[][] {
  if (schema.type === 'array') return objectsIn(schema.items ?? {}, [...path, '0']);
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => objectsIn(part, [...path, name]));
  return schema.type === 'object' && path.length > 0 ? [path, ...nested] : nested;
}

test('an unknown field of a nested object is named by its path', async () => {
  const { app, headers, urlOf } = await useOwner();
  const nested = ENDPOINTS.flatMap(({ method, path, body }) => objectsIn((body ?? {}) as Schema).map((place) => ({ method, path, place })));
  expect(nested.map(({ place }) => place.join('.'))).toContain('filter');
  for (const { method, path, place } of nested) {
    const payload = place.reduceRight<unknown>((value, name) => (name === '0' ? [value] : { [name]: value }), {
      nmae: 1,
    });
    const answer = await app.inject({ method, url: urlOf(path), headers, payload: payload as object });
    expect(answer.json().fields, `${method} ${path}`).toEqual({ [`${place.join('.')}.nmae`]: 'is not known' });
  }
});

test('an unknown field of an upload form is refused by its name', async () => {
  const { app, headers, urlOf } = await useOwner();
  const form = toForm('variant_name,gtin\nTea,4006381333931\n', { fields: { shet: 'Products' } });
  const url = urlOf('/api/v1/brands/:brandId/variant-certifications/upload/');
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { ...form.headers, ...headers },
    payload: form.payload,
  });
  expect([answer.statusCode, answer.json().fields]).toEqual([400, { shet: 'is not known' }]);
});

test('a value that is none of a list is refused with the list', async () => {
  const { app, headers, urlOf } = await useOwner();
  const url = urlOf('/api/v1/brands/:brandId/');
  const query = await app.inject({ url: `${url}variants/?ordering=gtin`, headers });
  expect(query.json().fields).toEqual({ ordering: 'must be one of created_at, -created_at, name, -name' });
  const body = await app.inject({ method: 'PATCH', url, headers, payload: { status: 'gone' } });
  expect(body.json().fields).toEqual({ status: 'must be one of active, inactive, pending' });
});
