import type { VariantDetail } from '@brand-portal/contract/variant-detail';
import { MAX_SHOWN_CERTIFICATES } from '@brand-portal/contract/variants';
import fc from 'fast-check';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { addCertificate, addVariants, expectDerivedData } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { runs } from '../../../test/property.ts';
import { audit } from '../../audit/audit.ts';
import { publishVariant } from '../../channel/publishing.ts';
import { toGtin } from '../../channel/test-support/delivery.ts';
import { useImportingBrand } from '../../imports/test-support/uploads.ts';
import { optInForTrial } from '../../people/brands/brands.ts';
import { anonymiseUser, setStaff } from '../../people/identity/users.ts';

/** A brand with one variant, and calls of its editor. */
async function useVariant(published = false) {
  const brand = await useImportingBrand();
  const { app, brandId, editor, pool } = brand;
  const { db } = brand.database;
  const details = { description: 'Green.', image_link: 'https://acme.com/tea.jpg' };
  const [id = 0] = await addVariants(db, brandId, [{ gtin: toGtin(1), name: 'Tea', category: 'Food', details, published }]);
  const call = async (
    method: 'GET' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    payload?: object,
    headers: Record<string, string> = {},
  ) => {
    const answer = await app.inject({
      method,
      url: `/api/v1/brands/${brandId}/variants/${path}`,
      headers: { ...editor.headers, ...headers },
      ...(payload && { payload }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  };
  return {
    ...brand,
    db,
    pool,
    id,
    call,
    read: async (variantId = id): Promise<VariantDetail> => (await call('GET', `${variantId}/`)).body,
    edit: (change: object, headers?: Record<string, string>) => call('PATCH', `${id}/`, change, headers),
    add: (fields: object) => call('POST', '', fields),
  };
}

test('a variant with very many certificates is shown with the newest, and each can be removed', async () => {
  const { call, get, db, brandId, id, pool, read } = await useVariant();
  const oldest = await addCertificate(db, brandId, { code: 'FSC-C0' }, [id]);
  await pool.query(
    `with added as (
       insert into certificates (brand_id, certification_id, external_certificate_id, id_key, id_search, sort_key)
       select $1, certification_id, 'X' || n, 'X' || n, 'x' || n, 'x' || n from certificates, generate_series(1, 150) n where brand_id = $1 returning id
     ) insert into variant_certificates (brand_id, variant_id, certificate_id) select $1, $2, id from added`,
    [brandId, id],
  );
  const shown = (list: readonly { external_certificate_id: string }[]) => [
    list.length,
    list.some(({ external_certificate_id }) => external_certificate_id === 'X150'),
  ];
  expect(shown((await read()).certificates)).toEqual([MAX_SHOWN_CERTIFICATES, true]);
  expect((await read()).certificate_count).toBe(151);
  expect(shown((await get('variants/')).json().results[0].certifications)).toEqual([MAX_SHOWN_CERTIFICATES, true]);
  const certificates = `${id}/certificates/`;
  const links = async () => (await pool.query('select count(*) from variant_certificates')).rows[0].count;
  await call('POST', certificates, { certification_name: 'FSC', certificate_id: 'FSC-C0' });
  expect(await links()).toBe(151);
  expect((await call('DELETE', `${certificates}${oldest}/`)).status).toBe(204);
  expect(await links()).toBe(150);
});

describe('the detail of a variant', () => {
  test('has its fields, certificates, channel, issues and what is missing for Google', async () => {
    const { read, db, brandId, id, pool } = await useVariant(true);
    const certificateId = await addCertificate(db, brandId, { code: 'FSC-C1', status: 'validated', expiresOn: '2999-01-31' }, [id]);
    await pool.query(
      `update deliveries set state = 'partly_live', reason = 'r', countries = '{"US": "approved", "DE": "disapproved"}', sent_at = now(), judged_at = now()`,
    );
    await pool.query(
      `insert into delivery_issues select brand_id, variant_id, 0, revision, 'image_too_small', 'error', 'Small image', 'Use a larger one',
         'image_link', 'merchant_action', '{DE}', '2026-01-02T03:04:05Z' from deliveries`,
    );
    expect(await read()).toMatchObject({
      id,
      gtin: toGtin(1),
      name: 'Tea',
      category: 'Food',
      description: 'Green.',
      product_page_url: '',
      image_link: 'https://acme.com/tea.jpg',
      published: true,
      version: 1,
      may_edit: true,
      channel: { state: 'partly_live' },
      countries: expect.arrayContaining([
        { country: 'US', status: 'approved' },
        { country: 'DE', status: 'disapproved' },
      ]),
      issues: [
        {
          type: 'image_too_small',
          severity: 'error',
          title: 'Small image',
          description: 'Use a larger one',
          attribute: 'image_link',
          resolution: 'merchant_action',
          countries: ['DE'],
          since: '2026-01-02T03:04:05.000Z',
        },
      ],
      readiness: ['not_displayed'],
      certificates: [{ id: certificateId, external_certificate_id: 'FSC-C1', status: 'validated', expires_on: '2999-01-31' }],
    });
  });

  test.each([
    ['queued', 'Google answered 500', 2, true],
    ['removing', 'Google answered 500', 2, true],
    ['queued', '', 0, false],
    ['refused', 'Small image', 2, false],
  ])('%s with the reason "%s" after %d attempts: the time of the next attempt is given: %s', async (state, reason, attempts, isGiven) => {
    const { read, pool } = await useVariant(true);
    const next = '2999-01-02T03:04:05.000Z';
    await pool.query('update deliveries set state = $1, reason = $2, attempts = $3, next_attempt_at = $4', [state, reason, attempts, next]);
    expect(await read()).toMatchObject({ retry_at: isGiven ? next : null });
  });

  test('is for members of the brand only, and viewers may not edit', async () => {
    const { app, db, brandId, id, edit } = await useVariant();
    const url = `/api/v1/brands/${brandId}/variants/${id}/`;
    const viewer = await createTestMember(db, brandId, 'viewer');
    expect((await app.inject({ url, headers: viewer.headers })).json()).toMatchObject({ name: 'Tea', may_edit: false });
    const otherBrand = await createTestBrand(db, 'Other');
    const foreign = await createTestMember(db, otherBrand, 'owner');
    expect((await app.inject({ url, headers: foreign.headers })).statusCode).toBe(404);
    // The path has the caller's own brand and another brand's variant.
    const elsewhere = { url: `/api/v1/brands/${otherBrand}/variants/${id}/`, headers: foreign.headers };
    expect((await app.inject(elsewhere)).json()).toMatchObject({ code: 'variant_not_found' });
    const patch = await app.inject({ ...elsewhere, method: 'PATCH', payload: { version: 1, name: 'Mine' } });
    expect(patch.json()).toMatchObject({ code: 'variant_not_found' });
    const removal = { method: 'DELETE', url: `${elsewhere.url}certificates/1/`, headers: foreign.headers } as const;
    expect((await app.inject(removal)).json()).toMatchObject({ code: 'variant_not_found' });
    expect((await edit({ version: 1 })).body.name).toBe('Tea');
  });

  test('a refusal for lack of permission has the own role, the required role, and whom to ask', async () => {
    const { app, db, brandId, id } = await useVariant();
    const viewer = await createTestMember(db, brandId, 'viewer');
    const owner = await createTestMember(db, brandId, 'owner');
    await db.updateTable('users').set({ first_name: 'Ana', last_name: 'Ruiz' }).where('id', '=', owner.id).execute();
    const refused = { detail: 'Permission denied', code: 'permission_denied' };
    const context = { role: 'viewer', required_role: 'editor', ask: 'Ana Ruiz' };
    const calls = {
      [`/api/v1/brands/${brandId}/variants/${id}/`]: { version: 1 },
      [`/api/v1/variants/${id}/publish/`]: { published: false },
    };
    for (const [url, payload] of Object.entries(calls)) {
      const answer = await app.inject({ method: 'PATCH', url, headers: viewer.headers, payload });
      expect(answer.json()).toMatchObject({ ...refused, context });
    }
  });
});

describe('editing a variant', () => {
  test('reads the answer after it has released the lock of the brand', async () => {
    const { edit, add } = await useVariant();
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    await edit({ version: 1, name: 'Green tea' });
    await add({ gtin: toGtin(2), name: 'Coffee' });
    const texts = spy.mock.calls.map(([query]) => (query as unknown as { text?: string }).text ?? String(query));
    spy.mockRestore();
    const steps = texts.flatMap((text) => {
      if (text.includes('for no key update') || text.includes('for update')) return 'lock';
      return text.startsWith('commit') ? 'commit' : text.includes('prefix_outlier') ? 'read' : [];
    });
    expect(steps.join(' ')).toContain('lock commit read lock commit read');
  });

  test('with an old version is refused after an undo, and after a later import with as many changes', async () => {
    const { edit, read, app, brandId, editor, upload } = await useVariant();
    const rename = async (name: string) => (await upload(`variant_name,gtin\n${name},${toGtin(1)}\n`)).import_id;
    const importId = await rename('Black tea');
    const opened = await read();
    const url = `/api/v1/brands/${brandId}/imports/${importId}/undo/`;
    expect((await app.inject({ method: 'POST', url, headers: editor.headers })).statusCode).toBe(200);
    expect((await edit({ version: opened.version, name: 'Mine' })).body).toMatchObject({ code: 'variant_changed' });
    await rename('White tea');
    expect((await edit({ version: opened.version, name: 'Mine' })).body).toMatchObject({ code: 'variant_changed' });
    expect(await read()).toMatchObject({ name: 'White tea' });
  });

  test('changes the given fields, increments the version, and sends a published variant again', {
    tags: 'empty-installation',
  }, async () => {
    const { edit, pool, id } = await useVariant(true);
    await pool.query(`update deliveries set state = 'live', sent_revision = revision, next_attempt_at = null`);
    const { status, body } = await edit({ version: 1, name: '  Green  tea ', description: 'a\nb', image_link: '' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      name: 'Green tea',
      category: 'Food',
      description: 'a b',
      image_link: '',
      version: 2,
      channel: { state: 'queued' },
    });
    expect(body.timeline[0]).toMatchObject({
      kind: 'edited',
      changes: [
        { field: 'name', from: 'Tea', to: 'Green tea' },
        { field: 'description', from: 'Green.', to: 'a b' },
        { field: 'image_link', from: 'https://acme.com/tea.jpg', to: '' },
      ],
    });
    await expectDerivedData(pool);
  });

  test('without a change keeps the version, and is not audited', { tags: 'empty-installation' }, async () => {
    const { edit, pool } = await useVariant();
    expect((await edit({ version: 1, name: 'Tea ', category: 'Food' })).body).toMatchObject({ version: 1 });
    expect((await pool.query(`select from audit_log where action = 'variant.edited'`)).rowCount).toBe(0);
  });

  test('of an outdated version is refused with the current values', async () => {
    const { edit } = await useVariant();
    await edit({ version: 1, name: 'Theirs' });
    const { status, body } = await edit({ version: 1, name: 'Mine' });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'variant_changed',
      context: { name: 'Theirs', category: 'Food', description: 'Green.', product_page_url: '', version: '2' },
    });
  });

  test('by two members concurrently succeeds for one of them', { tags: 'empty-installation' }, async () => {
    const { edit, read, pool } = await useVariant();
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => edit({ version: 1, name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const winner = answers.find(({ status }) => status === 200)?.body;
    expect(await read()).toMatchObject({ name: winner.name, version: 2 });
    await expectDerivedData(pool);
  });

  const bad: [string, string, string][] = [
    ['name', 'variant_name', ''],
    ['name', 'variant_name', 'x'.repeat(201)],
    ['name', 'variant_name', '#REF!'],
    ['name', 'variant_name', 'CafÃ© crème'],
    ['name', 'variant_name', 'Tea \uFFFD'],
    ['category', 'category', 'x'.repeat(201)],
    ['category', 'category', 'a\u0007b'],
    ['description', 'description', 'x'.repeat(5_001)],
    ['image_link', 'image_link', 'http://acme.com/tea.jpg'],
    ['image_link', 'image_link', `https://acme.com/${'x'.repeat(2_000)}`],
    ['product_page_url', 'product_page_url', 'acme.com'],
  ];
  test.each(bad)('refuses an invalid %s with the message of the import (%#)', async (field, column, value) => {
    const { edit, upload, read } = await useVariant();
    const row: Record<string, string> = { variant_name: 'Tea', gtin: toGtin(1), [column]: value };
    const line = Object.values(row).map((cell) => `"${cell.replaceAll('"', '""')}"`);
    for (const language of ['en', 'es'] as const) {
      const imported = await upload(`${Object.keys(row)}\n${line}`, { language });
      const messages = imported.errors.map(({ message }) => message);
      expect(messages).not.toEqual([]);
      const { status, body } = await edit({ version: 1, [field]: value }, { 'accept-language': language });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'validation_failed', fields: { [field]: messages.join(' ') } });
    }
    expect(await read()).toMatchObject({ name: 'Tea', version: 1 });
  });

  test('is possible with a GTIN that the import would refuse today', { tags: 'empty-installation' }, async () => {
    const { edit, pool } = await useVariant();
    await pool.query(`update variants set gtin = '2000000000008', gtin14 = '02000000000008'`);
    expect((await edit({ version: 1, name: 'Inside' })).body).toMatchObject({
      name: 'Inside',
      readiness: ['restricted_gtin'],
    });
  });

  test('keeps derived data consistent, after random edits', {
    tags: 'empty-installation',
    timeout: 600_000,
  }, async () => {
    const { db, brandId, call, add, pool } = await useVariant(true);
    await addVariants(db, brandId, [{ gtin: toGtin(2), published: true }, { gtin: toGtin(3) }]);
    const ids = (await pool.query('select id::int from variants order by id')).rows.map(({ id }) => id as number);
    const value = fc.constantFrom('', 'Tea', 'Té', 'A longer text', 'https://acme.com/a', 'https://acme.com/b');
    const step = fc.record({
      pick: fc.nat({ max: 2 }),
      fields: fc.record(
        { name: value, category: value, description: value, image_link: value, product_page_url: value },
        { requiredKeys: [] },
      ),
      isNew: fc.boolean(),
    });
    let added = 10;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const { pick, fields, isNew } of steps) {
          const { version } = (await call('GET', `${ids[pick]}/`)).body;
          if (isNew) await add({ name: 'New', ...fields, gtin: toGtin(added++) });
          else await call('PATCH', `${ids[pick]}/`, { version, ...fields });
        }
        await expectDerivedData(pool);
      }),
      runs(8, 44),
    );
  });
});

describe('adding a variant by hand', () => {
  test('stores the same as an import, and records who did it', { tags: 'empty-installation' }, async () => {
    const { add, read, pool, editor } = await useVariant();
    const { status, body } = await add({
      gtin: '4006381-333931',
      name: ' Oil ',
      image_link: 'https://acme.com/oil.jpg',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ gtin: '4006381333931', name: 'Oil', published: false, version: 1, category: '' });
    expect(body.timeline).toMatchObject([{ kind: 'created', by: expect.any(String), import: null }]);
    expect((await pool.query(`select user_id::int, details from audit_log where action = 'variant.created'`)).rows).toEqual([
      { user_id: editor.id, details: { variant_id: body.id, gtin: '4006381333931' } },
    ]);
    expect(await read(body.id)).toMatchObject({ image_link: 'https://acme.com/oil.jpg' });
    await expectDerivedData(pool);
  });

  test('with an existing GTIN is refused with its variant, with any number of leading zeros', async () => {
    const { add, id } = await useVariant();
    const { status, body } = await add({ gtin: toGtin(1).padStart(14, '0'), name: 'Again' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'gtin_exists', context: { variant_id: String(id), name: 'Tea' } });
  });

  test('with a wrong GTIN and without a name reports both', async () => {
    const { add } = await useVariant();
    const { status, body } = await add({ gtin: '4006381333932', name: ' ' });
    expect(status).toBe(400);
    expect(Object.keys(body.fields).sort()).toEqual(['gtin', 'name']);
  });
});

test('a certificate is removed from one variant, and others keep it', { tags: 'empty-installation' }, async () => {
  const { db, brandId, id, call, read, pool } = await useVariant(true);
  const [other = 0] = await addVariants(db, brandId, [{ gtin: toGtin(2) }]);
  const certificate = await addCertificate(db, brandId, { code: 'FSC-C1', status: 'validated' }, [id, other]);
  await pool.query(`update deliveries set state = 'live', sent_revision = revision, next_attempt_at = null`);
  expect((await call('DELETE', `${id}/certificates/${certificate}/`)).status).toBe(204);
  expect(await read()).toMatchObject({
    certificates: [],
    channel: { state: 'queued' },
    timeline: [{ kind: 'certificate_removed', detail: 'FSC FSC-C1' }, { kind: 'created' }],
  });
  expect((await read(other)).certificates).toHaveLength(1);
  expect((await call('DELETE', `${id}/certificates/${certificate}/`)).status).toBe(404);
  await expectDerivedData(pool);
});

describe('a certificate that is added by hand', () => {
  const fsc = { certification_name: 'fsc', certificate_id: 'FSC-C000001' };

  test('is created, waits for validation, and is in the history', { tags: 'empty-installation' }, async () => {
    const { id, call, read, pool } = await useVariant();
    const { status, body } = await call('POST', `${id}/certificates/`, fsc);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      certificates: [{ certification_name: 'FSC', external_certificate_id: 'FSC-C000001', status: 'pending' }],
      timeline: [{ kind: 'certificate_added', detail: 'FSC FSC-C000001' }, { kind: 'created' }],
    });
    expect(await read()).toEqual(body);
    expect((await pool.query(`select from graphile_worker.jobs where task_identifier = 'validate_certificates'`)).rowCount).toBe(1);
    await expectDerivedData(pool);
  });

  test('is the existing one of the brand, with any spelling of its id, and adding it twice changes nothing', {
    tags: 'empty-installation',
  }, async () => {
    const { db, brandId, id, call, read, pool } = await useVariant(true);
    const known = await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated' }, []);
    await pool.query(`update deliveries set state = 'live', sent_revision = revision, next_attempt_at = null`);
    for (const certificate_id of ['fsc-c 000001', 'FSC-C000001']) {
      expect((await call('POST', `${id}/certificates/`, { ...fsc, certificate_id })).status).toBe(201);
    }
    const { certificates, channel, timeline } = await read();
    expect(certificates).toMatchObject([{ id: known, status: 'validated' }]);
    // The change is queued for Google.
    expect(channel).toMatchObject({ state: 'queued' });
    expect(timeline.map(({ kind }) => kind)).toEqual(['certificate_added', 'created']);
    await expectDerivedData(pool);
  });

  test.each([
    [{ certification_name: '', certificate_id: ' ' }, ['certificate_id', 'certification_name']],
    [{ certification_name: 'FSC', certificate_id: '' }, ['certificate_id']],
    [{ certification_name: '', certificate_id: 'X-1' }, ['certification_name']],
    [{ certification_name: 'Moon dust', certificate_id: 'X-1' }, ['certification_name']],
    [{ certification_name: 'FSC', certificate_id: '1,2E+10' }, ['certificate_id']],
    [{ certification_name: 'FSC', certificate_id: 'x'.repeat(101) }, ['certificate_id']],
  ])('is refused by the rules of the import: %j', { tags: 'empty-installation' }, async (entered, fields) => {
    const { id, call, pool } = await useVariant();
    const { status, body } = await call('POST', `${id}/certificates/`, entered, { 'accept-language': 'es' });
    expect({ status, fields: Object.keys(body.fields).sort() }).toEqual({ status: 400, fields });
    expect((await pool.query('select from certificates')).rowCount).toBe(0);
  });

  test('is for editors of the brand, and for variants of it', async () => {
    const { app, db, brandId, id, call } = await useVariant();
    const viewer = await createTestMember(db, brandId, 'viewer');
    const url = `/api/v1/brands/${brandId}/variants/${id}/certificates/`;
    const refused = await app.inject({ method: 'POST', url, headers: viewer.headers, payload: fsc });
    expect(refused.statusCode).toBe(403);
    expect((await call('POST', '999999/certificates/', fsc)).body).toMatchObject({ code: 'variant_not_found' });
  });
});

describe('the timeline', () => {
  test('names people like the history: a deleted account by its number, platform staff not at all', {
    tags: 'empty-installation',
  }, async () => {
    const { db, brandId, upload, pool, call } = await useVariant();
    const gone = await createTestMember(db, brandId, 'admin', 'Grace Hopper');
    const staff = await createTestUser(db, 'Sam Staff');
    await setStaff(db, staff.id, true);
    const { import_id } = await upload(`variant_name,gtin\nSalt,${toGtin(2)}\n`);
    await pool.query('update imports set user_id = $1 where id = $2', [gone.id, import_id]);
    const { rows } = await pool.query('select id from variants where gtin = $1', [toGtin(2)]);
    const details = { variant_id: rows[0].id };
    await audit(db, { brandId, userId: staff.id, action: 'variant.published', details });
    await anonymiseUser(db, gone.id);
    const people = async (language: string) =>
      (await call('GET', `${rows[0].id}/`, undefined, { 'accept-language': language })).body.timeline.map(
        ({ kind, by }: VariantDetail['timeline'][number]) => [kind, by],
      );
    expect(await people('en')).toEqual([
      ['published', 'Platform staff'],
      ['created', `Former member ${gone.id}`],
    ]);
    expect(await people('es')).toEqual([
      ['published', 'Personal de la plataforma'],
      ['created', `Antiguo miembro ${gone.id}`],
    ]);
  });

  test('lists imports, edits, publishing and the channel, newest first', { tags: 'empty-installation' }, async () => {
    const { upload, read, call, db, brandId, editor, pool, add } = await useVariant();
    await optInForTrial(db, null, brandId);
    await upload(`variant_name,gtin\nOil,${toGtin(5)}`, { fileName: 'first.csv' });
    const { id } = (await pool.query(`select id::int from variants where name = 'Oil'`)).rows[0];
    await add({ gtin: toGtin(6), name: 'Not of that import' });
    await upload(`variant_name,gtin,category\nOlive oil,${toGtin(5)},Food`, { fileName: 'second.csv' });
    await call('PATCH', `${id}/`, { version: 2, category: 'Kitchen' });
    await publishVariant(db, editor.id, id, true);
    await publishVariant(db, editor.id, id, false);
    await call('POST', 'publish-all/');
    await pool.query(`update deliveries set state = 'live', sent_at = now(), judged_at = now() + interval '1 second'`);
    const by = expect.any(String);
    expect((await read(id)).timeline).toMatchObject([
      { kind: 'judged', detail: 'live' },
      { kind: 'sent' },
      { kind: 'all_published', by },
      { kind: 'unpublished', by },
      { kind: 'published', by },
      { kind: 'edited', by, changes: [{ field: 'category', from: 'Food', to: 'Kitchen' }] },
      {
        kind: 'imported',
        by,
        import: { file_name: 'second.csv' },
        changes: [
          { field: 'name', from: 'Oil', to: 'Olive oil' },
          { field: 'category', from: '', to: 'Food' },
        ],
      },
      { kind: 'created', by, import: { file_name: 'first.csv' } },
    ]);
  });

  test('of one variant does not read the history of the brand', async () => {
    const { pool, brandId } = await useVariant();
    await pool.query(
      `insert into audit_log (brand_id, action, details)
       select $1, 'variant.edited', jsonb_build_object('variant_id', id % 1000) from generate_series(1, 20000) id`,
      [brandId],
    );
    await pool.query('analyze audit_log');
    const { rows } = await pool.query(
      `explain (analyze, format json) select * from audit_log
       where brand_id = $1 and details->>'variant_id' = '7' order by id desc limit 50`,
      [brandId],
    );
    expect(JSON.stringify(rows)).toContain('audit_log_variant_idx');
    expect(JSON.stringify(rows)).not.toContain('Rows Removed by Filter');
  });
});
