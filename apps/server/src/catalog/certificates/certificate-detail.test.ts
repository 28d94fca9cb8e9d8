import type { CertificateDetail } from '@brand-portal/contract/certificate-detail';
import type { HistoryPage } from '@brand-portal/contract/history';
import { describe, expect, test } from 'vitest';
import { addCertificate, addVariants, expectDerivedData, withBrandLock } from '../../../test/catalogue.ts';
import { createTestBrand, createTestMember, createTestUser } from '../../../test/people.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { audit } from '../../audit/audit.ts';
import { anonymiseUser, setStaff } from '../../people/identity/users.ts';
import { restoreVariants, softDeleteVariants } from '../../writes/deletions.ts';
import { loadTestRegistry } from './test-support/certificates.ts';
import { validateCertificates } from './validation.ts';

const GTINS = ['61414100', '96385074', '4006381333931'];

async function useBrand() {
  const { app, database } = await useTestApp();
  const { db, pool } = database;
  const brandId = await createTestBrand(db);
  const { headers, id: userId } = await createTestMember(db, brandId, 'editor');
  const url = (id: number, action = '') => `/api/v1/brands/${brandId}/certifications/${id}/${action}`;
  const get = async (id: number) => (await app.inject({ url: url(id), headers })).json<CertificateDetail>();
  const replace = (id: number, certificate_id: string, language = 'en', confirmed = true) =>
    app.inject({
      method: 'POST',
      url: url(id, 'replace/'),
      body: { certificate_id, confirmed },
      headers: { ...headers, 'accept-language': language },
    });
  const variants = await addVariants(
    db,
    brandId,
    GTINS.map((gtin, index) => ({ gtin, published: index < 2 })),
  );
  const judge = (state: string) => pool.query('update deliveries set state = $1, sent_revision = revision', [state]);
  return { app, db, pool, brandId, userId, headers, url, get, replace, variants, judge };
}

describe('a certificate', () => {
  test('shows its registry entry, the number of its variants and its timeline', async () => {
    const { db, brandId, get, variants, judge } = await useBrand();
    const id = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants);
    await judge('live');
    expect(await get(id)).toMatchObject({
      certificate_id: 'FSC-C000001',
      overall_status: 'pending',
      may_edit: true,
      registry: null,
      variants: 3,
      live_variants: 2,
      sending_variants: 0,
      queued_variants: 0,
      expires_on: null,
      timeline: [{ kind: 'added', import: null }],
    });
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000001', expiresOn: '2999-01-31' }]);
    await validateCertificates(db, brandId);
    const detail = await get(id);
    expect(detail.registry?.entry).toEqual({ active: true, expires_on: '2999-01-31' });
    expect(detail.expires_on).toBe('2999-01-31');
    expect(detail.timeline.map(({ kind, detail, reason }) => [kind, detail, reason])).toEqual([
      ['status_changed', 'validated', 'listed:2999-01-31'],
      ['added', '', ''],
    ]);
  });

  test('shows its own status change and reason, also if many certificates changed together', async () => {
    const { db, brandId, get } = await useBrand();
    const codes = ['FSC-C000001', 'FSC-C000002', 'FSC-C000003'];
    const ids: number[] = [];
    for (const code of codes) ids.push(await addCertificate(db, brandId, { code }));
    const listed = codes.map((externalId, index) => ({ externalId, expiresOn: `2999-01-3${index}` }));
    await loadTestRegistry(db, 'FSC', listed.slice(0, 2));
    await validateCertificates(db, brandId);
    await loadTestRegistry(db, 'FSC', [...listed.slice(0, 2), { externalId: 'FSC-C000003', expiresOn: '2020-01-31' }]);
    await validateCertificates(db, brandId);
    const changes = ids.map(async (id) => {
      const { timeline } = await get(id);
      return timeline.filter(({ kind }) => kind === 'status_changed').map(({ detail, reason }) => [detail, reason]);
    });
    expect(await Promise.all(changes)).toEqual([
      [['validated', 'listed:2999-01-30']],
      [['validated', 'listed:2999-01-31']],
      [['invalid', 'not_listed']],
    ]);
  });

  test('shows people as the history does: a deleted account by its number, platform staff without a name', async () => {
    const { db, brandId, get } = await useBrand();
    const id = await addCertificate(db, brandId, { code: 'FSC-C000001' });
    const gone = await createTestMember(db, brandId, 'editor', 'Grace Hopper');
    const staff = await createTestUser(db, 'Sam Staff');
    await setStaff(db, staff.id, true);
    const details = { certificate_id: id };
    await audit(db, { brandId, userId: gone.id, action: 'certificate.link_changed', details });
    await audit(db, { brandId, userId: staff.id, action: 'certificate.approved', details });
    await anonymiseUser(db, gone.id);
    expect((await get(id)).timeline.map(({ kind, by }) => [kind, by])).toEqual([
      ['approved', 'Platform staff'],
      ['link_changed', `Former member ${gone.id}`],
      ['added', null],
    ]);
  });

  test('that the registry does not list has no registry entry', { tags: 'empty-installation' }, async () => {
    const { db, brandId, get } = await useBrand();
    const id = await addCertificate(db, brandId, { code: 'FSC-C000001' });
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000002' }]);
    expect((await get(id)).registry?.entry).toBeNull();
  });

  test('of another brand is not found', async () => {
    const { app, db, headers, url } = await useBrand();
    const other = await addCertificate(db, await createTestBrand(db, 'Other'), { code: 'FSC-C000001' });
    expect((await app.inject({ url: url(other), headers })).statusCode).toBe(404);
  });
});

describe('a near miss', () => {
  const near = async (id: string, entries: readonly (string | { externalId: string; active: boolean })[]) => {
    const { db, brandId, get } = await useBrand();
    const certificate = await addCertificate(db, brandId, { code: id, certification: 'GOTS' });
    const listed = entries.map((entry) => (typeof entry === 'string' ? { externalId: entry } : entry));
    await loadTestRegistry(db, 'GOTS', listed);
    await loadTestRegistry(db, 'Fairtrade', [{ externalId: `${id}9` }]);
    await validateCertificates(db, brandId);
    return (await get(certificate)).near_miss;
  };

  test.each([
    ['a wrong character', 'FSC-CO12345', ['FSC-C012345', 'FSC-C999999'], 'FSC-C012345'],
    ['a character too many', 'FSC-C0123455', ['FSC-C012345'], 'FSC-C012345'],
    ['a missing character', 'FSC-C01234', ['FSC-C012345', 'FSC-C0'], 'FSC-C012345'],
    ['a missing first character', 'SC-C012345', ['FSC-C012345'], 'FSC-C012345'],
    ['a letter beyond ASCII', 'DE-OKO-006', ['DE-ÖKO-006', 'DE-ÖKO-007'], 'DE-ÖKO-006'],
    ['a letter outside the BMP', 'A-1', ['A-𐒰'], 'A-𐒰'],
    ['another spelling of the id', 'cu‑1 2', ['CU-13'], 'CU-13'],
  ])('is shown for %s', async (_what, id, entries, found) => {
    expect(await near(id, entries)).toBe(found);
  });

  test.each([
    ['two equally near entries', 'CU-10', ['CU-11', 'CU-12']],
    ['two near entries, one of them in another alphabet', 'CU-10', ['CU-11', 'CU-1Ж']],
    ['two wrong characters', 'CU-10', ['CU-21']],
    ['an entry that is not active', 'CU-10', [{ externalId: 'CU-11', active: false }]],
    ['an id that is listed', 'CU-10', ['CU-10', 'CU-11']],
    ['a registry without a similar id', 'CU-10', ['XX-99']],
  ])('is not shown for %s', async (_what, id, entries) => {
    expect(await near(id, entries)).toBeNull();
  });

  test('is not shown without a registry, and is applied by replacing the certificate', async () => {
    const { db, brandId, get, replace, variants } = await useBrand();
    const id = await addCertificate(db, brandId, { code: 'FSC-CO12345' }, variants);
    await validateCertificates(db, brandId);
    expect((await get(id)).near_miss).toBeNull();
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C012345' }]);
    const { near_miss } = await get(id);
    expect((await replace(id, near_miss ?? '')).json()).toMatchObject({
      certificate_id: 'FSC-C012345',
      overall_status: 'validated',
      variants: 3,
      near_miss: null,
    });
  });
});

describe('replacing a certificate', () => {
  test('gives all its variants the new one, validates it at once, and queues the published ones for delivery', async () => {
    const { app, db, pool, brandId, headers, replace, get, variants, judge } = await useBrand();
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000002', expiresOn: '2999-01-31' }]);
    const old = await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated' }, variants);
    await judge('live');
    const answer = await replace(old, ' FSC-C000002 ');
    expect(answer.statusCode).toBe(200);
    const renewed = answer.json<CertificateDetail>();
    expect(renewed).toMatchObject({
      certificate_id: 'FSC-C000002',
      overall_status: 'validated',
      variants: 3,
      expires_on: '2999-01-31',
      live_variants: 0,
      sending_variants: 2,
      queued_variants: 2,
    });
    // Newest first: it is validated after it has come.
    expect(renewed.timeline.slice(0, 2).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['status_changed', 'validated'],
      ['replaced', 'FSC-C000001'],
    ]);
    const history = await app.inject({ url: `/api/v1/brands/${brandId}/history/`, headers });
    expect(history.json<HistoryPage>().results.map(({ action }) => action)).toEqual([
      'certificate.status_changed',
      'certificate.replaced',
      'brand.created',
    ]);
    expect(await get(old)).toMatchObject({ code: 'certificate_not_found' });
    const { rows } = await pool.query(`select variant_id::int from deliveries where state = 'queued' order by 1`);
    expect(rows.map(({ variant_id }) => variant_id)).toEqual(variants.slice(0, 2));
    await expectDerivedData(pool);
  });

  test('by one that is not valid is refused until it is confirmed, if it was valid', {
    tags: 'empty-installation',
  }, async () => {
    const { db, pool, brandId, replace, get, variants, judge } = await useBrand();
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000001' }]);
    const old = await addCertificate(db, brandId, { code: 'FSC-C000001', status: 'validated' }, variants);
    const known = await addCertificate(db, brandId, { code: 'FSC-C000003', status: 'invalid' });
    await judge('live');
    const before = await get(old);
    for (const code of ['FSC-C000002', 'FSC-C000003']) {
      const refused = await replace(old, code, 'en', false);
      expect(refused.statusCode).toBe(409);
      expect(refused.json()).toMatchObject({ code: 'certificate_not_valid', context: { status: 'invalid' } });
    }
    expect((await replace(old, 'FSC-C000002', 'en', false)).json().context.reason).toBe('not_listed');
    expect(await get(old)).toEqual(before);
    const { rows } = await pool.query(`select external_certificate_id from certificates order by 1`);
    expect(rows.map((row) => row.external_certificate_id)).toEqual(['FSC-C000001', 'FSC-C000003']);
    expect((await pool.query(`select from deliveries where state <> 'live'`)).rowCount).toBe(0);
    expect((await replace(old, 'FSC-C000003')).json()).toMatchObject({ id: known, variants: 3 });
    expect((await replace(known, 'FSC-C000002', 'en', false)).statusCode).toBe(200);
    await expectDerivedData(pool);
  });

  test('keeps the history over several renewals', { tags: 'empty-installation' }, async () => {
    const { db, brandId, replace, variants } = await useBrand();
    let id = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants);
    for (const code of ['FSC-C000002', 'FSC-C000003']) id = (await replace(id, code)).json<CertificateDetail>().id;
    const { timeline } = (await replace(id, 'FSC-C000004')).json<CertificateDetail>();
    expect(timeline.filter(({ kind }) => kind === 'replaced').map(({ detail }) => detail)).toEqual([
      'FSC-C000003',
      'FSC-C000002',
      'FSC-C000001',
    ]);
    expect(timeline[0]?.by).toMatch(/./);
  });

  test('keeps the history of all that were replaced by the same one', async () => {
    const { db, brandId, replace, variants } = await useBrand();
    const codes = ['FSC-C000001', 'FSC-C000002'];
    const [a = 0, b = 0] = await Promise.all(codes.map((code) => addCertificate(db, brandId, { code, status: 'validated' }, variants)));
    for (const [index, id] of [a, b].entries()) {
      const details = { certificate_id: id, note: `${codes[index]} is fine` };
      await audit(db, { brandId, userId: null, action: 'certificate.approved', details });
    }
    await replace(a, 'FSC-C000003');
    const { timeline } = (await replace(b, 'FSC-C000003')).json<CertificateDetail>();
    const approvals = timeline.filter(({ kind }) => kind === 'approved');
    expect(approvals.map(({ certificate_id, detail }) => [certificate_id, detail]).sort()).toEqual([
      ['FSC-C000001', 'FSC-C000001 is fine'],
      ['FSC-C000002', 'FSC-C000002 is fine'],
    ]);
    // It was created by the first replacement.
    expect(timeline.filter(({ kind }) => kind === 'added')).toEqual([]);
  });

  test('by one that the brand already has merges their variants', async () => {
    const { db, pool, brandId, replace, variants } = await useBrand();
    const old = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants.slice(0, 2));
    const known = await addCertificate(db, brandId, { code: 'FSC-C000002' }, variants.slice(1));
    const renewed = (await replace(old, 'fsc-c 000002')).json<CertificateDetail>();
    expect(renewed).toMatchObject({ id: known, certificate_id: 'FSC-C000002', variants: 3 });
    expect(renewed.timeline.map(({ kind }) => kind)).toEqual(['replaced', 'added']);
    await expectDerivedData(pool);
  });

  test('also applies to deleted variants once they are restored', async () => {
    const { db, brandId, userId, replace, get, variants } = await useBrand();
    const old = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants);
    const known = await addCertificate(db, brandId, { code: 'FSC-C000002' }, variants.slice(0, 1));
    const remove = { userId, ids: variants.slice(0, 2), days: 30 };
    const deletion = await withBrandLock(db, brandId, (db) => softDeleteVariants(db, brandId, remove));
    expect((await replace(old, 'FSC-C000002')).json<CertificateDetail>().variants).toBe(1);
    await withBrandLock(db, brandId, (db) => restoreVariants(db, brandId, deletion));
    expect((await get(known)).variants).toBe(3);
  });

  test.each([
    ['', 'en', /required|missing/i],
    ['1,23E+5', 'en', /E\+5/],
    ['x'.repeat(101), 'es', /100/],
    ['fsc-c 000001', 'en', /certificate that is to be replaced/],
    ['FSC-C000001', 'es', /certificado que se va a sustituir/],
  ])('by %j is refused with the message of the import (%s), and changes nothing', async (id, language, words) => {
    const { db, brandId, replace, get, variants } = await useBrand();
    const old = await addCertificate(db, brandId, { code: 'FSC-C000001' }, variants);
    const answer = await replace(old, id, language);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().fields.certificate_id).toMatch(words);
    expect((await get(old)).variants).toBe(3);
  });
});

describe('the link to the page of a certificate at its issuer', () => {
  async function useLinked() {
    const brand = await useBrand();
    const id = await addCertificate(brand.db, brand.brandId, { code: 'FSC-C000001' }, brand.variants);
    const link = (link: string, language = 'en') =>
      brand.app.inject({
        method: 'PATCH',
        url: brand.url(id),
        body: { link },
        headers: { ...brand.headers, 'accept-language': language },
      });
    return { ...brand, id, link };
  }

  test('is set, recorded in the timeline, sent to the channel with a valid certificate, and removed', async () => {
    const { db, brandId, id, link, get, judge, pool } = await useLinked();
    await loadTestRegistry(db, 'FSC', [{ externalId: 'FSC-C000001' }]);
    await validateCertificates(db, brandId);
    await judge('live');
    const answer = await link(' https://info.example/FSC-C000001 ');
    expect(answer.json()).toMatchObject({ link: 'https://info.example/FSC-C000001' });
    const { rows } = await pool.query('select count(*)::int as outdated from deliveries where revision > sent_revision');
    expect(rows).toEqual([{ outdated: 2 }]);
    expect((await get(id)).timeline[0]).toMatchObject({
      kind: 'link_changed',
      detail: 'https://info.example/FSC-C000001',
    });
    expect((await link('')).json()).toMatchObject({ link: '' });
    await expectDerivedData(pool);
  });

  test('is recorded in the timeline only if it changes', async () => {
    const { link, get, id } = await useLinked();
    await link('https://info.example/1');
    await link('https://info.example/1');
    expect((await get(id)).timeline.filter(({ kind }) => kind === 'link_changed')).toHaveLength(1);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://info.example/', '//info.example/', 'https://'])(
    'cannot be %s',
    async (address) => {
      const { link } = await useLinked();
      const answer = await link(address, 'es');
      expect(answer.statusCode).toBe(400);
      expect(answer.json().fields.link).toMatch(/No es una dirección web válida\./);
    },
  );
});
