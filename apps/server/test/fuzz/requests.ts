import type { Endpoint } from '@brand-portal/contract/endpoint';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { type Body, forms } from './forms.ts';
import { hostileText } from './hostile-values.ts';
import { nearlyValid, type Schema } from './schema-values.ts';
import type { TwoTenants } from './two-tenants.ts';

const BRACKETS = '['.repeat(100_000) + ']'.repeat(100_000);

/** A call of an endpoint by a random caller. Each part is valid, nearly valid or hostile. */
export function requestsOf(endpoint: Endpoint, tenants: TwoTenants): fc.Arbitrary<InjectOptions> {
  const { method } = endpoint;
  return fc
    .record({
      url: fc.tuple(paths(endpoint, tenants), queries(endpoint.query)).map(([path, query]) => path + query),
      // Mostly the owner, who may do everything: a call without permission tests only the permission check.
      caller: fc.oneof(fc.constant(tenants.callers.owner), fc.constantFrom(...Object.values(tenants.callers))),
      language: fc.option(fc.constantFrom('es', 'en', '*', 'x'.repeat(5_000)), { nil: undefined }),
      body: bodies(endpoint),
    })
    .map(({ url, caller, language, body }) => ({
      method,
      url,
      headers: { ...caller, ...(language && { 'accept-language': language }), ...body?.headers },
      ...(body && { payload: body.payload }),
    }));
}

/** Ids of the caller's brand, of the other tenant, unknown ids, and invalid ids. */
function paths({ path }: Endpoint, { ids }: TwoTenants): fc.Arbitrary<string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const values = names.map((name) =>
    fc.oneof(
      { arbitrary: fc.constantFrom(...(ids[name] ?? [1])).map(String), weight: 12 },
      {
        arbitrary: fc.constantFrom('0', '-1', '1.5', '9007199254740993', '%00', '%zz', '%ED%A0%80', 'null'),
        weight: 1,
      },
      { arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 2_000)), weight: 1 },
    ),
  );
  return fc
    .tuple(...values)
    .map((chosen) => names.reduce((url, name, index) => url.replace(`:${name}`, () => chosen[index] ?? ''), path as string));
}

function queries(schema: Schema | undefined): fc.Arbitrary<string> {
  const text = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  const typed = nearlyValid(schema ?? {}).map((values) => {
    const pairs = Object.entries(typeof values === 'object' && values !== null ? values : { page: values });
    return `?${new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, text(value).slice(0, 5_000)]))}`;
  });
  const raw = fc.constantFrom('?', '?page=1&page=2', '?a[b]=1', '?%zz=%zz', '?search=%00', '?search=%ff', '?__proto__=1');
  return fc.oneof({ arbitrary: typed, weight: schema ? 8 : 1 }, { arbitrary: raw, weight: 1 }, fc.constant(''));
}

function bodies({ body, bodyKind }: Endpoint): fc.Arbitrary<Body | undefined> {
  if (bodyKind === 'multipart') return forms;
  const json = { 'content-type': 'application/json' };
  const raw: fc.Arbitrary<Body> = fc.record({
    headers: fc.constantFrom(json, { 'content-type': 'text/plain' }, { 'content-type': 'multipart/form-data' }, {}),
    payload: fc.oneof(hostileText, fc.constantFrom('{"a"', '[]', 'null', '{"__proto__":{"a":1}}', BRACKETS)),
  });
  if (!body) return fc.oneof({ arbitrary: fc.constant(undefined), weight: 5 }, { arbitrary: raw, weight: 1 });
  const typed = nearlyValid(body).map((value): Body => ({ headers: json, payload: JSON.stringify(value) }));
  return fc.oneof({ arbitrary: typed, weight: 9 }, { arbitrary: raw, weight: 1 });
}
