import { setTimeout as sleep } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { describe, expect, test, vi } from 'vitest';
import { addCertificate, addVariants, setPublished } from '../../test/catalogue.ts';
import { createLogLines } from '../../test/log-lines.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { WAITING_FOR_LOCK } from '../../test/test-database.ts';
import { runText } from '../db/statements.ts';
import { createFeed } from '../people/api-keys/feed-url.ts';
import { connectBrand } from './connections.ts';
import { openFeed } from './feeds.ts';
import { toGtin, useDelivery } from './test-support/delivery.ts';

const HEADER = 'id\tcertification(certification_authority:certification_name:certification_code)\n';
const FSC = 'Forest Stewardship Council:FSC';

/** A brand whose owner has created a feed. */
async function useFeed(options: Parameters<typeof useOwnApp>[0] = {}) {
  const { app, database } = await useOwnApp(options);
  const { db } = database;
  const brandId = await createTestBrand(db, 'Acme');
  const owner = await createTestMember(db, brandId, 'owner');
  const url = `/api/v1/brands/${brandId}/channel/feed/`;
  const create = async () => {
    const answer = await app.inject({ method: 'POST', url, headers: owner.headers });
    expect(answer.statusCode).toBe(201);
    const { tsv_url, xml_url } = answer.json() as { tsv_url: string; xml_url: string };
    return { tsv: new URL(tsv_url).pathname, xml: new URL(xml_url).pathname, tsv_url };
  };
  const add = async (name: string, code: string, { published = true } = {}) => {
    const [id = 0] = await addVariants(db, brandId, [{ gtin: toGtin(nextItem()), name, published }]);
    await addCertificate(db, brandId, { code, status: 'validated' }, [id]);
    return id;
  };
  return {
    app,
    database,
    db,
    brandId,
    owner,
    create,
    add,
    state: async () => (await app.inject({ url, headers: owner.headers })).json(),
    revoke: () => app.inject({ method: 'DELETE', url, headers: owner.headers }),
    fetch: (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers }),
  };
}

let items = 500;
function nextItem(): number {
  items += 1;
  return items;
}

/** Parses all items of an XML feed with a strict parser. */
function readXml(text: string): { id: string; codes: string[] }[] {
  const found: { id: string; codes: string[] }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  let content = '';
  parser.on('opentag', ({ name }) => {
    if (name === 'item') found.push({ id: '', codes: [] });
    content = '';
  });
  parser.on('text', (text) => {
    content += text;
  });
  parser.on('closetag', ({ name }) => {
    const item = found.at(-1);
    if (item && name === 'g:id') item.id = content;
    if (item && name === 'g:certification_code') item.codes.push(content);
  });
  parser.write(text).close();
  return found;
}

describe('the supplemental feed', () => {
  test('has the certificates of published variants that are valid today, and nothing else', async () => {
    const { db, brandId, create, add, fetch } = await useFeed();
    const id = await add('Oil', 'FSC-C000001');
    await add('Kept', 'FSC-C000002', { published: false });
    const [bare = 0] = await addVariants(db, brandId, [{ gtin: toGtin(nextItem()), name: 'Bare', published: true }]);
    await addCertificate(db, brandId, { code: 'FSC-C000003', status: 'pending' }, [bare, id]);
    await addCertificate(db, brandId, { code: 'FSC-C000004', status: 'validated', expiresOn: '2020-01-01' }, [bare, id]);
    await addCertificate(db, brandId, { code: '4711', certification: 'EPREL', status: 'validated' }, [id]);
    const { tsv, xml } = await create();
    const answer = await fetch(tsv);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/tab-separated-values; charset=utf-8',
      'cache-control': 'private, max-age=300',
    });
    expect(answer.body).toBe(`${HEADER}${brandId}-${id}\tEC:EPREL:4711,${FSC}:FSC-C000001\n`);
    const asXml = await fetch(xml);
    expect(asXml.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(asXml.body).toContain('<g:certification_authority>EC</g:certification_authority>');
    expect(readXml(asXml.body)).toEqual([{ id: `${brandId}-${id}`, codes: ['4711', 'FSC-C000001'] }]);
  });

  test('has the same product ids as deliveries', { tags: 'empty-installation' }, async () => {
    const { db, brandId, add, certify, deliverAll, products } = await useDelivery();
    const { app } = await useOwnApp({ db });
    const creator = (await createTestMember(db, brandId, 'owner')).id;
    const id = await add('Oil');
    await certify(id, 'FSC-C000001');
    await deliverAll();
    const { tsv_url } = await createFeed(db, creator, brandId, 'http://localhost');
    const [, row = ''] = (await app.inject({ url: new URL(tsv_url).pathname })).body.split('\n');
    const [{ name }] = (await products()) as [{ name: string }];
    expect(name.endsWith(`/products/US:en:${row.split('\t')[0]}`)).toBe(true);
    expect(row.split('\t')[0]).toBe(`77:${brandId}-${id}`);
  });

  test('uses GTINs as ids on request', { tags: 'empty-installation' }, async () => {
    const { create, add, fetch, database } = await useFeed();
    await add('Oil', 'FSC-C000001');
    const { tsv } = await create();
    const { rows } = await database.pool.query('select gtin from variants');
    expect((await fetch(`${tsv}?id=gtin`)).body).toBe(`${HEADER}${rows[0].gtin}\t${FSC}:FSC-C000001\n`);
    expect((await fetch(`${tsv}?id=other`)).statusCode).toBe(400);
  });

  test('is refused while the brand is inactive, with whom to ask', async () => {
    const { create, fetch, database } = await useFeed({ config: { supportEmail: 'help@portal.example' } });
    const { tsv } = await create();
    await database.pool.query(`update brands set status = 'inactive'`);
    const answer = await fetch(tsv);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'brand_inactive', context: { ask: 'help@portal.example' } });
    await database.pool.query(`update brands set status = 'pending'`);
    expect((await fetch(tsv)).statusCode).toBe(200);
  });

  test('without products is only a header, or an empty document', async () => {
    const { create, fetch } = await useFeed();
    const { tsv, xml } = await create();
    expect((await fetch(tsv)).body).toBe(HEADER);
    expect(readXml((await fetch(xml)).body)).toEqual([]);
  });

  test('is not sent again while it is unchanged', async () => {
    const { create, add, fetch, db, brandId } = await useFeed();
    const id = await add('Oil', 'FSC-C000001');
    const { tsv, xml } = await create();
    const first = await fetch(tsv);
    const { etag = '', 'last-modified': modified = '' } = first.headers as Record<string, string>;
    const again = await fetch(tsv, { 'if-none-match': `"other", W/${etag}` });
    expect(again).toMatchObject({ statusCode: 304, body: '', headers: { etag, 'last-modified': modified } });
    expect((await fetch(tsv, { 'if-modified-since': modified })).statusCode).toBe(304);
    expect((await fetch(xml, { 'if-none-match': etag })).statusCode).toBe(200);
    expect((await fetch(`${tsv}?id=gtin`, { 'if-none-match': etag })).statusCode).toBe(200);
    const yesterday = new Date(Date.parse(modified) - 86_400_000).toUTCString();
    expect((await fetch(tsv, { 'if-modified-since': yesterday })).statusCode).toBe(200);

    await setPublished(db, brandId, false, [id]);
    const changed = await fetch(tsv, { 'if-none-match': etag });
    expect(changed).toMatchObject({ statusCode: 200, body: HEADER });
    const settings = { kind: 'partner', account: null, client_id: '77', credentials: null } as const;
    await connectBrand(db, brandId, { ...settings, countries: ['US'], language: 'en', registered_name: 'Acme' });
    const named = await fetch(tsv, { 'if-none-match': String(changed.headers.etag) });
    expect(named.statusCode, 'another connection gives products other names').toBe(200);
  });

  test('is revoked and renewed, and every invalid token gets the same answer', async () => {
    const { create, revoke, fetch, state, brandId, db } = await useFeed();
    expect(await state()).toEqual({
      state: 'none',
      created_at: null,
      creator_id: null,
      maker_left: false,
      revoked_at: null,
      last_fetched_at: null,
    });
    const first = await create();
    expect(await state()).toMatchObject({ state: 'active', revoked_at: null, last_fetched_at: null });
    expect((await fetch(first.tsv)).statusCode).toBe(200);
    expect((await state()).last_fetched_at).toMatch(/^\d{4}-/);
    const second = await create();
    expect((await fetch(second.xml)).statusCode).toBe(200);
    expect((await revoke()).statusCode).toBe(204);
    expect((await revoke()).statusCode).toBe(204);
    expect(await state()).toMatchObject({ state: 'revoked', revoked_at: expect.stringMatching(/^\d{4}-/) });

    const unknown = `/feeds/${'x'.repeat(43)}.tsv`;
    const answers = [first.tsv, second.tsv, second.xml, unknown, '/feeds/x.tsv', '/feeds/%00.tsv', '/feeds/..%2f.xml'];
    for (const path of answers) {
      const { statusCode, body, headers } = await fetch(path);
      const { request_id: _, ...told } = JSON.parse(body);
      expect({ statusCode, told }, path).toEqual({
        statusCode: 404,
        told: { code: 'not_found', detail: 'There is no such feed.' },
      });
      expect(headers.etag).toBeUndefined();
    }
    const third = await create();
    expect((await fetch(third.tsv)).statusCode).toBe(200);
    await db.deleteFrom('brands').where('id', '=', brandId).execute();
    expect((await fetch(third.tsv)).statusCode).toBe(404);
  });

  test('has nothing of another brand', async () => {
    const { create, add, fetch, db, app } = await useFeed();
    await add('Oil', 'FSC-C000001');
    const other = await createTestBrand(db, 'Other');
    const owner = await createTestMember(db, other, 'owner');
    const [theirs = 0] = await addVariants(db, other, [{ gtin: toGtin(nextItem()), published: true }]);
    await addCertificate(db, other, { code: 'FSC-C999999', status: 'validated' }, [theirs]);
    const { tsv } = await create();
    expect((await fetch(tsv)).body).not.toContain('C999999');
    const { tsv_url } = await createFeed(db, owner.id, other, 'http://localhost');
    const body = (await app.inject({ url: new URL(tsv_url).pathname })).body;
    expect(body).toBe(`${HEADER}${other}-${theirs}\t${FSC}:FSC-C999999\n`);
  });

  test('has a token that is neither in the database nor in the log nor in any later answer', async () => {
    const { logger, text } = createLogLines();
    const { create, fetch, state, database } = await useFeed({ logger });
    const { tsv, xml } = await create();
    const token = /[\w-]{43}/.exec(tsv)?.[0] ?? '';
    const encoded = `/feeds/%${token.charCodeAt(0).toString(16)}${token.slice(1)}.tsv`;
    for (const path of [tsv, xml, encoded, `/%66eeds/${token}.tsv`, `${tsv}/x`, `/feeds/${token}.csv`, `${tsv}?id=x`]) {
      await fetch(path);
    }
    expect(text()).toContain('/feeds/***');
    expect(text()).not.toContain(token.slice(1));
    expect(JSON.stringify(await state())).not.toContain(token);
    const { rows } = await database.pool.query("select f::text || coalesce(encode(token_hash, 'escape'), '') as row from channel_feeds f");
    expect(rows[0].row).not.toContain(token);
    const audit = await database.pool.query('select action, details::text from audit_log order by id');
    expect(audit.rows.at(-1)).toEqual({ action: 'channel.feed_created', details: '{}' });
  });

  test('has the strict rate limit of guessable tokens', async () => {
    const { create, fetch } = await useFeed({ config: { requestsPerMinute: 30 } });
    const { tsv } = await create();
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await fetch(n === 3 ? tsv : `/feeds/${'y'.repeat(43)}.tsv`)).statusCode);
    expect(statuses).toEqual([404, 404, 404, 429]);
  });
});

describe('hostile text', () => {
  test.each([
    ['a tab and a new row', 'A\t1\r\n9-9\tx:y:z', 'A 1 9-9 x:y:z'],
    ['the end of CDATA and tags', ']]></g:id><x a="1">&amp;', ']]></g:id><x a="1">&amp;'],
    ['control characters', 'A\u0001\u001b[31mB\u0085C\u2028D', 'A [31mB C D'],
    ['a formula', '=HYPERLINK("http://x")', '=HYPERLINK("http://x")'],
    ['characters that XML does not allow', 'A\ufffeB\uffffC', 'A B C'],
  ])('%s in a certificate changes only its own value', async (_name, code, told) => {
    const { create, add, fetch, brandId } = await useFeed();
    const id = await add(code, code);
    const { tsv, xml } = await create();
    expect(readXml((await fetch(xml)).body)).toEqual([{ id: `${brandId}-${id}`, codes: [told] }]);
    const lines = (await fetch(tsv)).body.split('\n');
    const expected = /[:,"]/.test(told) ? [] : [`${brandId}-${id}\t${FSC}:${told}`];
    expect(lines).toEqual([HEADER.trim(), ...expected, '']);
    // No cell starts with a member's text, so none is a formula.
    for (const cell of lines.flatMap((line) => line.split('\t'))) expect(cell).not.toMatch(/^[=+@-]/);
  });

  test('values that TSV cannot represent are omitted from TSV only', async () => {
    const { create, add, fetch, db, brandId } = await useFeed();
    const id = await add('Oil', 'A:1');
    await addCertificate(db, brandId, { code: 'B-2', status: 'validated' }, [id]);
    const { tsv, xml } = await create();
    expect((await fetch(tsv)).body).toBe(`${HEADER}${brandId}-${id}\t${FSC}:B-2\n`);
    expect(readXml((await fetch(xml)).body)).toEqual([{ id: `${brandId}-${id}`, codes: ['A:1', 'B-2'] }]);
  });
});

test('an unchanged feed is answered without reading its products, and many fetches of a changed one read them once', async () => {
  const { db, database, brandId, owner, add } = await useFeed();
  const id = await add('Oil', 'FSC-C000001');
  const { tsv_url } = await createFeed(db, owner.id, brandId, 'http://localhost');
  const token = /[\w-]{43}/.exec(tsv_url)?.[0] ?? '';
  let digests = 0;
  let found = 0;
  const lists = new WeakSet<object>();
  const counted = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      const text = JSON.stringify(node);
      if (text.includes('hashtextextended')) digests += 1;
      if (text.includes('channel_connections')) lists.add(queryId);
      return node;
    },
    transformResult: async ({ result, queryId }) => {
      if (lists.has(queryId)) found += 1;
      return result;
    },
  });
  const open = () => openFeed(counted, token, { format: 'tsv', id: 'delivery', supportEmail: '' });
  /** Each of them has found the feed before the first is answered. */
  const openMany = async () => {
    const holder = await database.pool.connect();
    await holder.query('begin; lock table variant_certificates in access exclusive mode');
    found = 0;
    const opened = Promise.all(Array.from({ length: 10 }, open));
    await vi.waitFor(() => expect(found).toBe(10));
    await holder.query('rollback');
    holder.release();
    return opened;
  };
  const [first, ...others] = await openMany();
  expect(digests).toBe(1);
  expect(new Set(others.map((feed) => feed?.etag))).toEqual(new Set([first?.etag]));
  expect((await open())?.etag).toBe(first?.etag);
  expect(digests).toBe(1);
  await setPublished(db, brandId, false, [id]);
  const [changed] = await openMany();
  expect(changed?.etag).not.toBe(first?.etag);
  expect(digests).toBe(2);
});

test('a feed that changes while it is read is read once at a time, however often it is fetched', async () => {
  const { db, database, brandId, owner, add } = await useFeed();
  const id = await add('Oil', 'FSC-C000001');
  const { tsv_url } = await createFeed(db, owner.id, brandId, 'http://localhost');
  const token = /[\w-]{43}/.exec(tsv_url)?.[0] ?? '';
  const holder = await database.pool.connect();
  await holder.query('begin; lock table variant_certificates in access exclusive mode');
  const open = () => openFeed(db, token, { format: 'tsv', id: 'delivery', supportEmail: '' });
  const fetches = [open()];
  const digests = async () => (await runText(database.gate, WAITING_FOR_LOCK, [])).length;
  await vi.waitFor(async () => expect(await digests()).toBe(1));
  for (let change = 0; change < 5; change++) {
    await setPublished(db, brandId, change % 2 === 1, [id]);
    fetches.push(open());
  }
  await sleep(200);
  expect(await digests()).toBe(1);
  await holder.query('rollback');
  holder.release();
  const [first, ...others] = await Promise.all(fetches);
  expect(new Set(others.map((feed) => feed?.etag))).toEqual(new Set([first?.etag]));
});

test('a fetch does not wait for a writer that holds the feed', async () => {
  const { db, database, brandId, owner, add } = await useFeed();
  await add('Oil', 'FSC-C000001');
  const { tsv_url } = await createFeed(db, owner.id, brandId, 'http://localhost');
  const token = /[\w-]{43}/.exec(tsv_url)?.[0] ?? '';
  const writer = await database.pool.connect();
  await writer.query('begin');
  await writer.query('update channel_feeds set changes = changes + 1');
  expect(await openFeed(db, token, { format: 'tsv', id: 'delivery', supportEmail: '' })).toBeDefined();
  await writer.query('rollback');
  writer.release();
});

test('ten thousand products are streamed, with backpressure', async () => {
  const { db, database, brandId, owner } = await useFeed();
  await database.pool.query(
    `insert into variants (brand_id, gtin, gtin14, name, name_key, category, published, has_certs)
     select $1, lpad(n::text, 13, '0'), lpad(n::text, 14, '0'), 'Thing', 'thing', '', true, true from generate_series(1, 10000) n`,
    [brandId],
  );
  const certificate = await addCertificate(db, brandId, { code: `FSC-${'C'.repeat(90)}`, status: 'validated' });
  await database.pool.query(
    'insert into variant_certificates (brand_id, variant_id, certificate_id) select brand_id, id, $2 from variants where brand_id = $1',
    [brandId, certificate],
  );
  const { tsv_url } = await createFeed(db, owner.id, brandId, 'http://localhost');
  const token = /[\w-]{43}/.exec(tsv_url)?.[0] ?? '';
  let statements = 0;
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const feed = await openFeed(counted, token, { format: 'xml', id: 'delivery', supportEmail: '' });
  const before = statements;
  const batches = feed?.read()[Symbol.asyncIterator]();
  let text = '';
  for (let batch = await batches?.next(); batch && !batch.done; batch = await batches?.next()) {
    text += batch.value;
    // Backpressure: with a slow reader, the server does not read far ahead.
    if (statements - before === 3) await sleep(50);
    expect((statements - before) * 1_000).toBeLessThan(readXmlItems(text) + 4_000);
  }
  expect(statements - before).toBe(11);
  expect(readXml(text)).toHaveLength(10_000);
});

const readXmlItems = (text: string) => text.split('</item>').length;
