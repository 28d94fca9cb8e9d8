import type { VariantActionResult } from '@brand-portal/contract/variant-action-results';
import type { VariantDetail } from '@brand-portal/contract/variant-detail';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { addCertificate, addVariants, changeVariants, expectDerivedData, setPublished, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, type TestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { indexNewVariants } from '../../catalog/variants/variant-search.ts';
import { toGtin } from '../../channel/test-support/delivery.ts';
import { countWaiting } from '../../db/turns.ts';
import { optInForTrial } from '../../people/brands/brands.ts';
import { anonymiseUser } from '../../people/identity/users.ts';
import { deleteCertificates } from '../../writes/certificates.ts';
import { unpublishVariants } from '../../writes/variants.ts';
import { describeBrand, useImportingBrand } from '../test-support/uploads.ts';
import { purgeDeletions } from './deletions.ts';

async function useBrand({ trial = true, variants = 5 } = {}) {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  if (trial) await optInForTrial(db, null, brandId);
  const editor = await createTestMember(db, brandId, 'editor', 'Ada Byron');
  const ids = await addVariants(
    db,
    brandId,
    Array.from({ length: variants }, (_, n) => ({ gtin: toGtin(n + 1), name: `Thing ${n + 1}` })),
  );
  const call = (method: 'GET' | 'POST', path: string, payload?: object, user: TestUser = editor) =>
    app.inject({
      method,
      url: `/api/v1/brands/${brandId}/${path}/`,
      headers: user.headers,
      ...(payload && { payload }),
    });
  const act = async (payload: object): Promise<VariantActionResult> => {
    const answer = await call('POST', 'variants/actions', payload);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
    return answer.json();
  };
  const restore = async (deletionId: number | null) =>
    (await call('POST', `deletions/${deletionId}/restore`)).json<{ restored: number; kept: number }>();
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  const names = async (condition = 'true') =>
    (await query(`select name from variants where brand_id = ${brandId} and ${condition} order by id`)).map(({ name }) =>
      name.replace('Thing ', ''),
    );
  const id = (n: number) => ids[n - 1] ?? 0;
  return { app, db, pool, brandId, editor, ids, id, call, act, restore, query, names };
}

describe('an action on chosen variants', () => {
  test('changes the variants that need it, and returns why it skipped the others', async () => {
    const { db, act, id, brandId, names, pool, query, editor } = await useBrand();
    await setPublished(db, brandId, true, [id(1)]);
    const [foreign = 0] = await addVariants(db, await createTestBrand(db, 'Other'), [{ gtin: toGtin(9) }]);
    const ids = [id(1), id(2), id(3), id(3), foreign, 999_999];
    expect(await act({ action: 'publish', ids })).toEqual({
      changed: 2,
      deletion_id: null,
      skipped: [
        { reason: 'not_found', count: 2 },
        { reason: 'already_published', count: 1 },
      ],
    });
    expect(await names('published')).toEqual(['1', '2', '3']);
    expect(await act({ action: 'unpublish', ids: [id(3), id(4)] })).toEqual({
      changed: 1,
      deletion_id: null,
      unpublished_ids: [id(3)],
      skipped: [{ reason: 'already_unpublished', count: 1 }],
    });
    expect(await names('published')).toEqual(['1', '2']);
    expect(await query('select from variants where published and id = $1', [foreign])).toEqual([]);
    await expectDerivedData(pool);
    expect(await query(`select user_id, action, details from audit_log where action like 'variants.%' order by id`)).toEqual([
      {
        user_id: editor.id,
        action: 'variants.published',
        details: { changed: 2, unchanged: 1, not_found: 2, names: ['Thing 2', 'Thing 3'] },
      },
      {
        user_id: editor.id,
        action: 'variants.unpublished',
        details: { changed: 1, unchanged: 1, not_found: 0, names: ['Thing 3'] },
      },
    ]);
  });

  test('that unpublishes returns the ids it changed, so that exactly these can be published again', async () => {
    const { db, act, ids, id, brandId, names } = await useBrand();
    await setPublished(db, brandId, true, [id(2), id(4)]);
    const { unpublished_ids } = await act({ action: 'unpublish', filter: {}, expected: ids.length });
    expect(unpublished_ids).toEqual([id(2), id(4)]);
    expect(await act({ action: 'publish', ids: unpublished_ids })).toMatchObject({ changed: 2, skipped: [] });
    expect(await names('published')).toEqual(['2', '4']);
  });

  test('that unpublishes more than an action accepts returns no ids', async () => {
    const { act, db, brandId } = await useBrand({ variants: 10_001 });
    await setPublished(db, brandId, true);
    const answer = await act({ action: 'unpublish', filter: {} });
    expect(answer).toEqual({ changed: 10_001, skipped: [], deletion_id: null });
  });

  test('that changes nothing is not audited, and deletes nothing', { tags: 'empty-installation' }, async () => {
    const { act, query } = await useBrand();
    expect(await act({ action: 'delete', ids: [999_999] })).toEqual({
      changed: 0,
      deletion_id: null,
      skipped: [{ reason: 'not_found', count: 1 }],
    });
    expect(await query(`select from audit_log where action like 'variants.%'`)).toEqual([]);
    expect(await query('select from deletions')).toEqual([]);
  });

  test('needs either ids or a filter, and not more than 10,000 ids', async () => {
    const { call, id } = await useBrand();
    const many = Array.from({ length: 10_001 }, (_, n) => n + 1);
    for (const payload of [{}, { ids: [] }, { ids: [id(1)], filter: {} }, { ids: many }]) {
      const answer = await call('POST', 'variants/actions', { action: 'delete', ...payload });
      expect({ status: answer.statusCode, code: answer.json().code }).toEqual({
        status: 400,
        code: 'validation_failed',
      });
    }
  });

  test('publishes only after the opt-in for the trial', async () => {
    const { call, act, id, names } = await useBrand({ trial: false });
    const answer = await call('POST', 'variants/actions', { action: 'publish', ids: [id(1)] });
    expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 409, code: 'trial_required' });
    expect(await names('published')).toEqual([]);
    expect(await act({ action: 'unpublish', ids: [id(1)] })).toMatchObject({ changed: 0 });
  });

  test('is for editors of the brand', async () => {
    const { call, db, brandId, id, names } = await useBrand();
    const viewer = await createTestMember(db, brandId, 'viewer');
    const foreigner = await createTestMember(db, await createTestBrand(db, 'Other'), 'owner');
    const payload = { action: 'delete', ids: [id(1)] };
    expect((await call('POST', 'variants/actions', payload, viewer)).statusCode).toBe(403);
    expect((await call('POST', 'variants/actions', payload, foreigner)).statusCode).toBe(404);
    expect(await names()).toHaveLength(5);
  });

  test('waits for a concurrent unpublish of one variant, and does not count that one', async () => {
    const { act, db, brandId, id, ids, names, pool } = await useBrand();
    const pooled = db;
    await setPublished(db, brandId, true);
    const acting = await withBrandLock(db, brandId, async (db) => {
      const acting = act({ action: 'unpublish', ids });
      await expect.poll(() => countWaiting(pooled)).toBe(1);
      await unpublishVariants(db, brandId, sql`id = ${id(2)}`);
      return { answer: acting };
    });
    expect(await acting.answer).toMatchObject({
      changed: 4,
      skipped: [{ reason: 'already_unpublished', count: 1 }],
    });
    expect(await names('published')).toEqual([]);
    await expectDerivedData(pool);
  });
});

describe('an action on all that match', () => {
  test.each([
    [{}, ['1', '2', '3', '4', '5']],
    [{ search: 'thing 2' }, ['2']],
    [{ search: toGtin(3) }, ['3']],
    [{ published: true }, ['1']],
    [{ published: false, has_certs: true }, ['2']],
    [{ has_certs: false }, ['3', '4', '5']],
    [{ reason: 'no_image' }, ['1', '2', '3', '4']],
    [{ reason: 'no_image', search: 'thing 4' }, ['4']],
  ])('changes the variants of the list with the filter %j', async (filter, expected) => {
    const { act, db, brandId, id, names, app, editor } = await useBrand();
    await setPublished(db, brandId, true, [id(1)]);
    await addCertificate(db, brandId, { code: 'A1' }, [id(1), id(2)]);
    await changeVariants(db, brandId, { details: { image_link: 'https://example.com/a.png' } }, [id(5)]);
    const search = new URLSearchParams(Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)])));
    const listed = await app.inject({
      url: `/api/v1/brands/${brandId}/variants/?ordering=name&${search}`,
      headers: editor.headers,
    });
    expect(listed.json().results.map(({ name }: { name: string }) => name.replace('Thing ', ''))).toEqual(expected);
    expect(await act({ action: 'delete', filter })).toMatchObject({ changed: expected.length, skipped: [] });
    expect(await names()).toEqual(['1', '2', '3', '4', '5'].filter((name) => !expected.includes(name)));
  });

  test('does not change the excepted ones', async () => {
    const { act, id, names, pool } = await useBrand();
    const filter = { published: false };
    expect(await act({ action: 'publish', filter, except_ids: [id(2), id(4)] })).toMatchObject({ changed: 3 });
    expect(await names('published')).toEqual(['1', '3', '5']);
    await expectDerivedData(pool);
  });

  test.each([
    [{ filter: { serch: 'thing 2' } }, { 'filter.serch': 'is not known' }],
    [{ filter: { search: '   ' } }, { 'filter.search': 'must not be empty' }],
    [{ filter: { search: '' } }, { 'filter.search': 'must not be empty' }],
    [{ ids: [1], expected: 1 }, { expected: 'belongs to a filter' }],
    [{ ids: [1], filter_key: 'x' }, { filter_key: 'belongs to a filter' }],
  ])('is refused for %j, and nothing is deleted', async (body, fields) => {
    const { call, names } = await useBrand();
    const answer = await call('POST', 'variants/actions', { action: 'delete', ...body });
    expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
      status: 400,
      code: 'validation_failed',
      fields,
    });
    expect(await names()).toHaveLength(5);
  });

  test('is refused when other variants match than the member saw, and says how many match now', async () => {
    const { call, act, id, names } = await useBrand();
    const body = { action: 'delete', filter: { search: 'thing' }, except_ids: [id(2)] };
    for (const expected of [3, 5]) {
      const answer = await call('POST', 'variants/actions', { ...body, expected });
      expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
        status: 409,
        code: 'selection_changed',
        context: { count: '4' },
      });
    }
    expect(await names()).toHaveLength(5);
    expect(await act({ ...body, expected: 4 })).toMatchObject({ changed: 4 });
    expect(await names()).toEqual(['2']);
  });

  test('is refused with the key of a list with another filter, although as many match', async () => {
    const { app, editor, brandId, call, act, names } = await useBrand();
    const keyOf = async (query: string) =>
      (await app.inject({ url: `/api/v1/brands/${brandId}/variants/${query}`, headers: editor.headers })).json().filter_key;
    const key = await keyOf('?search=thing+2');
    expect(await keyOf('?search=thing+2&page=2&ordering=name')).toBe(key);
    const chosen = { search: 'thing 3' };
    const body = { action: 'delete', filter: chosen, expected: 1, filter_key: key };
    for (const answer of [
      await call('POST', 'variants/actions', body),
      await call('POST', 'variants/export', { format: 'csv', ...chosen, expected: 1, filter_key: key }),
    ]) {
      expect({ status: answer.statusCode, ...answer.json() }).toMatchObject({
        status: 409,
        code: 'selection_of_other_filter',
      });
    }
    expect(await names()).toHaveLength(5);
    expect(await act({ ...body, filter: { search: ' thing 2' } })).toMatchObject({ changed: 1 });
    expect(await names()).toEqual(['1', '3', '4', '5']);
  });

  test('with a filter by delivery state changes all matches, although the write changes that state', {
    tags: 'empty-installation',
  }, async () => {
    const { act, db, brandId, ids, query, names, pool } = await useBrand();
    await setPublished(db, brandId, true, ids.slice(0, 3));
    await query(`update deliveries set resource = 'x-' || variant_id::text, state = 'refused', reason = 'No'`);
    expect(await act({ action: 'delete', filter: { reason: 'refused' } })).toMatchObject({ changed: 3 });
    expect(await names()).toEqual(['4', '5']);
    expect(await query('select distinct wanted, state from deliveries')).toEqual([{ wanted: 'absent', state: 'removing' }]);
    await expectDerivedData(pool);
  });
});

describe('a deletion', () => {
  test('can be restored: ids, links, versions, search, and the channel', { tags: 'empty-installation' }, async () => {
    const { act, restore, db, brandId, id, ids, query, pool, app, editor } = await useBrand();
    const details = { image_link: 'https://example.com/a.png' };
    await changeVariants(db, brandId, { name: 'Renamed', category: 'Food', details }, [id(1)]);
    await setPublished(db, brandId, true, [id(1), id(2)]);
    await addCertificate(db, brandId, { code: 'A1', status: 'validated' }, [id(1), id(3)]);
    await indexNewVariants(db);
    await query(`update deliveries set resource = 'x-' || variant_id::text, state = 'live' where variant_id = $1`, [id(1)]);
    const rows = () =>
      Promise.all([query('select * from variants order by id'), query('select * from variant_certificates order by variant_id')]);
    const before = await rows();
    const { deletion_id, changed } = await act({ action: 'delete', ids: ids.slice(0, 4) });
    expect(changed).toBe(4);
    await expectDerivedData(pool);
    expect(await query('select external_certificate_id from certificates')).toHaveLength(1);
    expect(await query('select variant_id, state from deliveries')).toEqual([{ variant_id: id(1), state: 'removing' }]);
    expect(await restore(deletion_id)).toEqual({ restored: 4, kept: 0 });
    expect(await rows()).toEqual(before);
    await expectDerivedData(pool);
    expect(await query('select variant_id, wanted, state from deliveries order by 1')).toEqual([
      { variant_id: id(1), wanted: 'present', state: 'queued' },
      { variant_id: id(2), wanted: 'present', state: 'queued' },
    ]);
    for (const isIndexed of [false, true]) {
      if (isIndexed) await indexNewVariants(db);
      const found = await app.inject({
        url: `/api/v1/brands/${brandId}/variants/?search=renamed`,
        headers: editor.headers,
      });
      expect(found.json()).toMatchObject({ count: 1, results: [{ id: id(1) }] });
    }
  });

  test('is restored once: a second restore changes nothing', { tags: 'empty-installation' }, async () => {
    const { act, restore, ids, names, query } = await useBrand();
    const { deletion_id } = await act({ action: 'delete', ids });
    expect(await restore(deletion_id)).toEqual({ restored: 5, kept: 0 });
    expect(await restore(deletion_id)).toEqual({ restored: 0, kept: 0 });
    expect(await names()).toHaveLength(5);
    const again = await act({ action: 'delete', ids });
    expect(await restore(deletion_id)).toEqual({ restored: 0, kept: 0 });
    expect(await restore(again.deletion_id)).toEqual({ restored: 5, kept: 0 });
    expect(await query('select from deleted_variants')).toEqual([]);
  });

  test('is restored without variants that were created again and certificates that were deleted meanwhile', {
    tags: 'empty-installation',
  }, async () => {
    const { act, restore, db, brandId, id, ids, names, pool, query } = await useBrand();
    await addCertificate(db, brandId, { code: 'GONE' }, [id(1), id(2)]);
    await addCertificate(db, brandId, { code: 'STAYS' }, [id(1)]);
    const { deletion_id } = await act({ action: 'delete', ids });
    await addVariants(db, brandId, [{ gtin: toGtin(3), name: 'Thing new' }]);
    await withBrandLock(db, brandId, (db) => deleteCertificates(db, brandId, sql`external_certificate_id = 'GONE'`));
    expect(await restore(deletion_id)).toEqual({ restored: 4, kept: 1 });
    expect(await names()).toEqual(['1', '2', '4', '5', 'new']);
    expect(await query('select id, has_certs from variants where has_certs')).toEqual([{ id: id(1), has_certs: true }]);
    await expectDerivedData(pool);
  });

  test('is listed with the member who did it, until it can no longer be restored', {
    tags: 'empty-installation',
  }, async () => {
    const { act, call, restore, db, brandId, id, query, editor } = await useBrand();
    const first = await act({ action: 'delete', ids: [id(1), id(2)] });
    const second = await act({ action: 'delete', ids: [id(3)] });
    await restore(second.deletion_id);
    const list = async () => (await call('GET', 'deletions')).json();
    const deleted_by = { first_name: 'Ada', last_name: 'Byron', email: editor.email };
    expect(await list()).toMatchObject({
      count: 2,
      results: [
        { id: second.deletion_id, variants: 1, restorable: false, restored_at: expect.any(String), deleted_by },
        {
          id: first.deletion_id,
          variants: 2,
          restorable: true,
          restored_at: null,
          deleted_by,
          first_variants: [
            { gtin: toGtin(1), name: 'Thing 1' },
            { gtin: toGtin(2), name: 'Thing 2' },
          ],
        },
      ],
    });
    expect(await purgeDeletions(db)).toBe(0);
    await query(`update deletions set created_at = now() - interval '31 days' where id = $1`, [first.deletion_id]);
    expect(await list()).toMatchObject({ count: 1, results: [{ id: second.deletion_id }] });
    expect((await call('POST', `deletions/${first.deletion_id}/restore`)).json()).toMatchObject({
      code: 'deletion_not_found',
    });
    await query(`update due_work set due_at = now() where kind = 'purge_deletions'`);
    expect(await purgeDeletions(db)).toBe(1);
    expect(await query('select from deleted_variants')).toEqual([]);
    expect(
      await query(`select due_at > now() + interval '29 days' as is_later from due_work where kind = 'purge_deletions' and brand_id = $1`, [
        brandId,
      ]),
    ).toEqual([{ is_later: true }]);
  });

  test('of a deleted account names a former member', async () => {
    const { act, call, db, brandId, id, query } = await useBrand();
    const { deletion_id } = await act({ action: 'delete', ids: [id(1)] });
    const gone = await createTestMember(db, brandId, 'editor', 'Grace Hopper');
    await query('update deletions set user_id = $1 where id = $2', [gone.id, deletion_id]);
    await anonymiseUser(db, gone.id);
    expect((await call('GET', 'deletions')).json().results).toMatchObject([
      { deleted_by: { first_name: `Former member ${gone.id}`, last_name: '', email: '' } },
    ]);
  });

  test('of another brand is not found', async () => {
    const { act, app, db, ids } = await useBrand();
    const { deletion_id } = await act({ action: 'delete', ids });
    const otherId = await createTestBrand(db, 'Other');
    const { headers } = await createTestMember(db, otherId, 'owner');
    const url = `/api/v1/brands/${otherId}/deletions/`;
    expect((await app.inject({ url, headers })).json()).toEqual({ results: [], count: 0 });
    expect((await app.inject({ method: 'POST', url: `${url}${deletion_id}/restore/`, headers })).json()).toMatchObject({
      code: 'deletion_not_found',
    });
  });
});

describe('an import is undone', () => {
  const file = (...lines: string[]) => `variant_name,gtin,certificate_id,certification_name\n${lines.join('\n')}\n`;

  async function useImports() {
    const brand = await useImportingBrand();
    const { app, brandId, editor } = brand;
    const post = async (path: string, payload?: object) => {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/v1/brands/${brandId}/${path}/`,
        headers: editor.headers,
        ...(payload && { payload }),
      });
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
      return answer.json();
    };
    const remove = (search: string) => post('variants/actions', { action: 'delete', filter: { search } });
    const upload = async (...lines: string[]) => (await brand.upload(file(...lines))).import_id;
    return { ...brand, brand, post, remove, upload };
  }

  test('although some of its variants were deleted since, or deleted and restored', async () => {
    const { brand, post, remove, upload, pool } = await useImports();
    await upload(`Salt,${toGtin(1)},,`, `Pepper,${toGtin(2)},,`);
    const before = await describeBrand(brand);
    const importId = await upload(`Sea salt,${toGtin(1)},,`, `Oil,${toGtin(3)},C1,Fairtrade`, `Tea,${toGtin(4)},,`);
    const { deletion_id } = await remove('sea salt');
    const oil = await remove('oil');
    await post(`deletions/${oil.deletion_id}/restore`);
    expect(await post(`imports/${importId}/undo`)).toMatchObject({ state: 'done', variants_removed: 2, kept_count: 0 });
    await post(`deletions/${deletion_id}/restore`);
    const after = await describeBrand(brand);
    expect(after).toEqual(JSON.parse(JSON.stringify(before).replace('Salt', 'Sea salt')));
    await expectDerivedData(pool);
  });

  test('and a deleted variant keeps its certificates from another import', { tags: 'empty-installation' }, async () => {
    const { brand, post, remove, upload, pool } = await useImports();
    await upload(`Salt,${toGtin(1)},,`);
    const first = await upload(`Oil,${toGtin(2)},C1,Fairtrade`);
    await upload(`Salt,${toGtin(1)},C1,Fairtrade`);
    const { deletion_id } = await remove('salt');
    await post(`imports/${first}/undo`);
    expect(await post(`deletions/${deletion_id}/restore`)).toEqual({ restored: 1, kept: 0 });
    expect(JSON.stringify(await describeBrand(brand))).toContain('C1');
    expect((await pool.query('select name, has_certs from variants')).rows).toEqual([{ name: 'Salt', has_certs: true }]);
    await expectDerivedData(pool);
  });

  test('and a later restore of a deletion does not bring back data of the undone import', {
    tags: 'empty-installation',
  }, async () => {
    const { post, remove, upload, pool } = await useImports();
    await upload(`Salt,${toGtin(1)},,`);
    const importId = await upload(`Salt,${toGtin(1)},C1,Fairtrade`, `Oil,${toGtin(2)},C1,Fairtrade`);
    const salt = await remove('salt');
    const oil = await remove('oil');
    await post(`imports/${importId}/undo`);
    expect(await post(`deletions/${salt.deletion_id}/restore`)).toEqual({ restored: 1, kept: 0 });
    expect(await post(`deletions/${oil.deletion_id}/restore`)).toEqual({ restored: 0, kept: 1 });
    expect((await pool.query('select name, has_certs from variants')).rows).toEqual([{ name: 'Salt', has_certs: false }]);
    expect((await pool.query('select from variant_certificates')).rows).toEqual([]);
    expect((await pool.query('select from certificates')).rows).toEqual([]);
    await expectDerivedData(pool);
  });

  test('without variants that were restored since, although their ids are newer than those before the import', {
    tags: 'empty-installation',
  }, async () => {
    const { post, remove, upload, pool } = await useImports();
    await upload(`Salt,${toGtin(1)},,`, `Pepper,${toGtin(2)},,`);
    // The newest variant: of those from one file, that is the first row.
    const { deletion_id } = await remove('salt');
    const importId = await upload(`Oil,${toGtin(3)},,`);
    await post(`deletions/${deletion_id}/restore`);
    expect(await post(`imports/${importId}/undo`)).toMatchObject({ variants_removed: 1, kept_count: 0 });
    expect((await pool.query('select name from variants order by name')).rows).toEqual([{ name: 'Pepper' }, { name: 'Salt' }]);
  });
});

test('actions on one and on many variants are in the history of each changed variant', async () => {
  const { act, restore, call, id, ids } = await useBrand();
  await act({ action: 'publish', ids: [id(1)] });
  await act({ action: 'publish', ids });
  await act({ action: 'unpublish', filter: { search: 'thing 2' } });
  await restore((await act({ action: 'delete', ids: [id(2), id(3)] })).deletion_id);
  const history = async (n: number) => {
    const { timeline } = (await call('GET', `variants/${id(n)}`)).json<VariantDetail>();
    return timeline.filter(({ by }) => by === 'Ada Byron').map(({ kind }) => kind);
  };
  expect(await history(1)).toEqual(['published']);
  expect(await history(2)).toEqual(['restored', 'deleted', 'unpublished', 'published']);
  expect(await history(3)).toEqual(['restored', 'deleted', 'published']);
});

test('after random actions, counts, flags, search and deliveries are consistent', {
  tags: 'empty-installation',
}, async () => {
  const { act, restore, db, brandId, ids, pool } = await useBrand({ variants: 12 });
  await addCertificate(db, brandId, { code: 'A1', status: 'validated' }, ids.slice(0, 6));
  const deletions: (number | null)[] = [];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let step = 0; step < 40; step++) {
    const chosen = ids.filter(() => random(3) === 0);
    const which =
      random(2) === 0 ? { ids: chosen.length > 0 ? chosen : ids } : { filter: { published: random(2) === 0 }, except_ids: chosen };
    const action = (['publish', 'unpublish', 'delete', 'restore', 'index'] as const)[random(5)];
    if (action === 'index') await indexNewVariants(db);
    else if (action === 'restore') await restore(deletions.splice(random(deletions.length), 1)[0] ?? 0);
    else if (action) {
      const { deletion_id } = await act({ action, ...which });
      if (deletion_id !== null) deletions.push(deletion_id);
    }
    await expectDerivedData(pool);
  }
  for (const id of deletions) await restore(id);
  await expectDerivedData(pool);
  expect((await pool.query('select id from variants order by id')).rows.map(({ id }) => Number(id))).toEqual(ids);
});
