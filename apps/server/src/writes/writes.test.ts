// @module-tag empty-installation
import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { act } from '../../test/bulk.ts';
import {
  addCertificate,
  addVariants,
  changeVariants,
  connectTestBrand,
  expectDerivedData,
  setPublished,
  withBrandLock,
} from '../../test/catalogue.ts';
import { createTestBrand, createTestMember } from '../../test/people.ts';
import { removeRegistry } from '../catalog/certificates/registry.ts';
import { reviewCertificate, withdrawReview } from '../catalog/certificates/reviews.ts';
import { loadTestRegistry } from '../catalog/certificates/test-support/certificates.ts';
import { expireCertificates, validateCertificates } from '../catalog/certificates/validation.ts';
import { indexNewVariants } from '../catalog/variants/variant-search.ts';
import { sweepConnections } from '../channel/connections.ts';
import { retryDeliveries } from '../channel/operator.ts';
import { publishVariant } from '../channel/publishing.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { useImportingBrand } from '../imports/test-support/uploads.ts';
import { deleteBrand, optInForTrial, updateBrand } from '../people/brands/brands.ts';
import { deleteCertificates } from './certificates.ts';
import { claimDeliveries } from './deliveries.ts';
import { refreshStatistics } from './statistics.ts';
import { type ChangedVariants, deleteVariants, updateVariants, variantWithId } from './variants.ts';

const LIVE = toGtin(1);
const DRAFT = toGtin(2);
/** Has no documented pattern for its ids, so any id is valid. */
const certification = 'Fairtrade';

/**
 * A published variant that the channel has and an unpublished one, both with a pending certificate; and a validated certificate that no
 * variant has.
 */
async function useLiveVariant() {
  const brand = await useImportingBrand();
  const { pool, brandId } = brand;
  const { db } = brand.database;
  await optInForTrial(db, null, brandId);
  const [liveId = 0, draftId = 0] = await addVariants(db, brandId, [
    { gtin: LIVE, name: 'Live', category: 'Food', published: true },
    { gtin: DRAFT, name: 'Draft' },
  ]);
  await addCertificate(db, brandId, { code: 'PENDING', certification }, [liveId, draftId]);
  await addCertificate(db, brandId, { code: 'VALID', certification, status: 'validated' });
  const run = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  /** Marks everything published as delivered. */
  const markDelivered = async () => {
    await run(`update deliveries set revision = 1, sent_revision = 1, state = 'live', resource = 'r', next_attempt_at = null`);
    await run(`delete from due_work where kind = 'deliver'`);
  };
  await markDelivered();
  return {
    ...brand,
    db,
    run,
    liveId,
    draftId,
    markDelivered,
    review: (code: string, verdict: 'approved' | 'rejected') =>
      reviewCertificate(db, { brandId, certification, externalId: code }, { verdict, note: 'x' }),
    validateBy: async (entries: Parameters<typeof loadTestRegistry>[2]) => {
      await loadTestRegistry(db, certification, entries);
      await validateCertificates(db, brandId);
    },
    remove: (code: string) => withBrandLock(db, brandId, (db) => deleteCertificates(db, brandId, sql`external_certificate_id = ${code}`)),
    link: (code: string, gtin = LIVE, name = 'Live') =>
      brand.upload(`variant_name,gtin,certificate_id,certification_name\n${name},${gtin},${code},${certification}\n`),
  };
}
type LiveVariant = Awaited<ReturnType<typeof useLiveVariant>>;
type Change = (brand: LiveVariant) => Promise<unknown>;

/** Adds the validated certificate to the variant and delivers it. */
async function linkValid({ link, markDelivered }: LiveVariant): Promise<void> {
  await link('VALID');
  await markDelivered();
}

describe('a delivery is queued again', () => {
  test.each<[string, Change, Change?]>([
    ['a new name', ({ upload }) => upload(`variant_name,gtin\nNew,${LIVE}\n`)],
    ['a new category', ({ upload }) => upload(`variant_name,gtin,category\nLive,${LIVE},Drinks\n`)],
    ['a new description', ({ upload }) => upload(`variant_name,gtin,description\nLive,${LIVE},New\n`)],
    ['a new connection', ({ db, brandId }) => connectTestBrand(db, brandId)],
    ['a certificate that the operator approves', ({ review }) => review('PENDING', 'approved')],
    ['a certificate that a registry lists', ({ validateBy }) => validateBy([{ externalId: 'PENDING' }])],
    ['a validated certificate that is linked', ({ link }) => link('VALID')],
    ['a validated certificate that the operator rejects', ({ review }) => review('VALID', 'rejected'), linkValid],
    [
      'a review that is withdrawn',
      ({ db, brandId }) => withdrawReview(db, { brandId, certification, externalId: 'PENDING' }),
      async ({ review, markDelivered }) => {
        await review('PENDING', 'approved');
        await markDelivered();
      },
    ],
    [
      'a validated certificate that the registry no longer lists as active',
      ({ validateBy }) => validateBy([{ externalId: 'VALID', active: false }]),
      linkValid,
    ],
    [
      'a registry that is removed',
      async ({ db, brandId }) => {
        await removeRegistry(db, certification);
        await validateCertificates(db, brandId);
      },
      async (brand) => {
        await brand.validateBy([{ externalId: 'VALID' }]);
        await linkValid(brand);
      },
    ],
    [
      'a certificate whose last day is over',
      ({ db }) => expireCertificates(db),
      async ({ db, brandId, liveId, markDelivered }) => {
        const old = { code: 'OLD', certification, status: 'validated', expiresOn: '2020-01-01' } as const;
        await addCertificate(db, brandId, old, [liveId]);
        await markDelivered();
      },
    ],
    ['a validated certificate that is deleted, and its link with it', ({ remove }) => remove('VALID'), linkValid],
    ['a retry by the operator', ({ db, brandId }) => retryDeliveries(db, { brandId })],
    [
      'unpublishing and publishing',
      async ({ db, editor, liveId }) => {
        await publishVariant(db, editor.id, liveId, false);
        await publishVariant(db, editor.id, liveId, true);
      },
    ],
  ])('after %s', async (_name, change, prepare) => {
    const brand = await useLiveVariant();
    const { run, brandId, pool } = brand;
    await prepare?.(brand);
    await change(brand);
    expect(await run('select state, wanted, revision > 1 as newer, next_attempt_at is not null as due from deliveries')).toEqual([
      { state: 'queued', wanted: 'present', newer: true, due: true },
    ]);
    expect(await run(`select brand_id::int, due_at <= now() as due from due_work where kind = 'deliver'`)).toEqual([
      { brand_id: brandId, due: true },
    ]);
    await expectDerivedData(pool);
  });

  test('after each change of a validated certificate', async () => {
    const brand = await useLiveVariant();
    const { validateBy, run } = brand;
    await linkValid(brand);
    const revision = async () => (await run('select revision from deliveries'))[0].revision;
    await validateBy([{ externalId: 'VALID' }]);
    const before = await revision();
    await validateBy([{ externalId: 'VALID', expiresOn: '2099-01-01' }]);
    expect(await revision()).toBe(before + 1);
    await validateBy([{ externalId: 'VALID', active: false }]);
    expect(await revision()).toBe(before + 2);
  });
});

describe('a delivery is not queued again', () => {
  test.each<[string, Change, Change?]>([
    ['an import of the same name and category', ({ upload }) => upload(`variant_name,gtin,category\nLive,${LIVE},Food\n`)],
    ['a field that Google does not get', ({ db, brandId, liveId }) => changeVariants(db, brandId, { details: { unsent: 'x' } }, [liveId])],
    ['another spelling of its GTIN', ({ upload }) => upload(`variant_name,gtin\nLive,00${LIVE}\n`)],
    ['a pending certificate that becomes invalid', ({ review }) => review('PENDING', 'rejected')],
    ['a pending certificate that is linked', ({ link }) => link('NEW')],
    ['a pending certificate that is deleted', ({ remove }) => remove('PENDING')],
    ['an invalid certificate that is deleted', ({ remove }) => remove('PENDING'), ({ review }) => review('PENDING', 'rejected')],
    ['a new reason for the same status', ({ validateBy }) => validateBy([{ externalId: 'VALID' }]), linkValid],
    [
      'another description of the brand',
      ({ db, editor, brandId }) => updateBrand(db, { userId: editor.id, supportEmail: '' }, brandId, { description: 'x', name: 'Acme' }),
    ],
    ['a draft that changes', ({ upload }) => upload(`variant_name,gtin\nx,${DRAFT}\n`)],
    [
      'a draft that is deleted',
      ({ db, brandId, draftId }) => withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(draftId))),
    ],
    ['a certificate that is linked to another variant', ({ link }) => link('VALID', DRAFT, 'Draft')],
    ['the deletion of a certificate without variants', ({ remove }) => remove('VALID')],
    ['being published a second time', ({ db, editor, liveId }) => publishVariant(db, editor.id, liveId, true)],
    [
      'publishing all when all are published',
      async ({ db, editor, brandId, draftId }) => {
        await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(draftId)));
        await act(db, { brandId, userId: editor.id }, 'publish_all');
      },
    ],
    ['indexing it for the search', ({ db }) => indexNewVariants(db)],
  ])('after %s', async (_name, change, prepare) => {
    const brand = await useLiveVariant();
    const { run, pool } = brand;
    await prepare?.(brand);
    await change(brand);
    expect(await run('select revision, state from deliveries')).toEqual([{ revision: 1, state: 'live' }]);
    await expectDerivedData(pool);
  });

  test('after changes of another brand', async () => {
    const { run, db, pool } = await useLiveVariant();
    const other = await createTestBrand(db, 'Other');
    const { id: userId } = await createTestMember(db, other, 'owner');
    await optInForTrial(db, null, other);
    await addVariants(db, other, [{ gtin: LIVE, name: 'Other' }]);
    await changeVariants(db, other, { name: 'x' });
    await act(db, { brandId: other, userId }, 'publish_all');
    await updateBrand(db, { userId, supportEmail: '' }, other, { name: 'x' });
    await deleteBrand(db, userId, other);
    expect(await run('select revision, state from deliveries')).toEqual([{ revision: 1, state: 'live' }]);
    await expectDerivedData(pool);
  });
});

describe('variants', () => {
  test('that are inserted as published are queued for delivery', async () => {
    const { db, brandId, run, pool } = await useLiveVariant();
    await addVariants(db, brandId, [{ gtin: toGtin(3), name: 'Third', published: true }]);
    expect(await run('select state from deliveries where resource is null')).toEqual([{ state: 'queued' }]);
    await expectDerivedData(pool);
  });

  test('are counted correctly after each insert, publication and deletion', async () => {
    const { db, brandId, run, pool, liveId, draftId, remove } = await useLiveVariant();
    const counts = async () => {
      await expectDerivedData(pool);
      const [row] = await run('select total, published, certified, published_certified from variant_counts');
      return Object.values(row);
    };
    expect(await counts()).toEqual([2, 1, 2, 1]);
    await addVariants(db, brandId, [{ gtin: toGtin(3), published: true }, { gtin: toGtin(4) }]);
    expect(await counts()).toEqual([4, 2, 2, 1]);
    await setPublished(db, brandId, true, [draftId]);
    expect(await counts()).toEqual([4, 3, 2, 2]);
    await setPublished(db, brandId, false, [liveId]);
    expect(await counts()).toEqual([4, 2, 2, 1]);
    await remove('PENDING');
    expect(await counts()).toEqual([4, 2, 0, 0]);
    await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(draftId)));
    expect(await counts()).toEqual([3, 1, 0, 0]);
    await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId));
    expect(await counts()).toEqual([0, 0, 0, 0]);
  });

  test('count as certified until their last certificate is deleted', async () => {
    const { run, link, remove, pool } = await useLiveVariant();
    await link('VALID');
    const certified = async () => {
      await expectDerivedData(pool);
      return (await run('select name from variants where has_certs order by id')).map(({ name }) => name);
    };
    await remove('PENDING');
    expect(await certified()).toEqual(['Live']);
    await remove('VALID');
    expect(await certified()).toEqual([]);
  });

  test('that are deleted leave no rows except deliveries to be withdrawn', async () => {
    const { db, brandId, run, pool } = await useLiveVariant();
    const [unsent = 0] = await addVariants(db, brandId, [{ gtin: toGtin(3), published: true }]);
    await indexNewVariants(db);
    await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId));
    for (const table of ['variants', 'variant_certificates', 'variant_search', 'variant_search_waiting'])
      expect(await run(`select from ${table}`)).toEqual([]);
    expect(await run('select variant_id <> $1 as was_sent, wanted, state from deliveries', [unsent])).toEqual([
      { was_sent: true, wanted: 'absent', state: 'removing' },
    ]);
    await expectDerivedData(pool);
  });

  test('are published and renamed in seconds, even 20,000 of them', async () => {
    const { db, brandId, liveId, draftId, run, pool } = await useLiveVariant();
    for (let n = 0; n < 10; n++) {
      await setPublished(db, brandId, n % 2 === 0, [draftId]);
      await changeVariants(db, brandId, { name: `x${n}` }, [draftId]);
    }
    const many = Array.from({ length: 20_000 }, (_, n) => ({ gtin: String(20_000_001 + n), name: `Thing ${n}` }));
    await addVariants(db, brandId, many);
    const began = Date.now();
    await setPublished(db, brandId, true);
    await changeVariants(db, brandId, (name) => ({ name: `${name}!` }));
    expect(Date.now() - began).toBeLessThan(15_000);
    expect(await run('select count(*)::int, min(revision)::int as least from deliveries where variant_id <> $1', [liveId])).toEqual([
      { count: 20_001, least: 2 },
    ]);
    await expectDerivedData(pool);
  });

  // A cluster's coordinator shows no estimates.
  test.skipIf(inject('postgresUrls').length > 1)(
    'of which many are inserted and published are in the statistics of PostgreSQL as soon as their job has run',
    async () => {
      const { db, run } = await useLiveVariant();
      const brandId = await createTestBrand(db);
      await run('analyze variants, deliveries');
      const many = Array.from({ length: 10_000 }, (_, n) => ({ gtin: String(20_000_001 + n), published: true }));
      await addVariants(db, brandId, many);
      const queued = await run(`select key from graphile_worker.jobs where task_identifier = 'refresh_statistics' order by key`);
      expect(queued.map(({ key }) => key)).toEqual(['refresh_statistics:deliveries', 'refresh_statistics:variants']);
      for (const table of ['variants', 'deliveries'] as const) {
        await refreshStatistics(db, table);
        const [plan] = await run(`explain (format json) select from ${table} where brand_id = ${brandId}`);
        expect(plan['QUERY PLAN'][0].Plan['Plan Rows'], table).toBeGreaterThan(5_000);
      }
    },
  );
});

test('a change of variants that do not exist is refused and adds none', async () => {
  const { db, run, brandId } = await useLiveVariant();
  const rows: ChangedVariants['rows'] = sql`select ${brandId}::bigint, ${toGtin(77)}::text, 'Nobody', '', '{}'::jsonb`;
  const changed: ChangedVariants['changed'] = sql`select brand_id, id, '["name"]'::jsonb, published from variants where false`;
  await expect(withBrandLock(db, brandId, (db) => updateVariants(db, brandId, { rows, changed }))).rejects.toThrow(
    'variants that do not exist',
  );
  expect(await run(`select from variants where name = 'Nobody'`)).toEqual([]);
});

test('new certificates of several imports are validated by one job', async () => {
  const { upload, run, brandId } = await useLiveVariant();
  for (const code of ['A', 'B']) {
    await upload(`variant_name,gtin,certificate_id,certification_name\nLive,${LIVE},${code},${certification}\n`);
  }
  expect(await run(`select key, payload from graphile_worker._private_jobs where key like 'validate%'`)).toEqual([
    { key: `validate_certificates:${brandId}`, payload: { brand_id: brandId } },
  ]);
});

describe('a brand that is deleted', () => {
  /** The number of the brand's rows in each table with a brand_id. */
  async function rowsOfBrand({ run, brandId }: LiveVariant): Promise<Record<string, number>> {
    const tables = await run(
      `select table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where table_schema = 'public' and column_name = 'brand_id' and table_type = 'BASE TABLE' order by 1`,
    );
    const counts: Record<string, number> = {};
    for (const { table_name } of tables) {
      const [{ count }] = await run(`select count(*)::int from ${table_name} where brand_id = $1`, [brandId]);
      counts[table_name] = count;
    }
    return counts;
  }

  /** Inserts rows into each of the brand's tables. */
  async function fill({ db, brandId, editor, liveId, run, link, upload }: LiveVariant): Promise<void> {
    await link('VALID');
    const ids = await addVariants(db, brandId, [{ gtin: toGtin(5) }]);
    await act(db, { brandId, userId: editor.id }, 'delete', { selection: { ids } });
    await upload(`variant_name,gtin\nBad,123\n`);
    await indexNewVariants(db);
    await changeVariants(db, brandId, { name: 'Renamed' }, [liveId]);
    await addVariants(db, brandId, [{ gtin: toGtin(4) }]);
    await addCertificate(db, brandId, { code: 'ENDS', certification, status: 'validated', expiresOn: '2099-01-01' });
    await run(
      `insert into certificate_notices (brand_id, certificate_id, notice, told_on)
       select brand_id, id, '60:2099-01-01', '2098-12-01' from certificates where brand_id = $1`,
      [brandId],
    );
    await run("insert into audit_certificates values ($1, 1, 1, 1, 'listed', '{1}')", [brandId]);
    await connectTestBrand(db, brandId);
    await run(
      `insert into delivery_issues (brand_id, variant_id, position, revision, type, severity, title, description, attribute, resolution, countries)
       values ($1, 1, 0, 1, '', 'error', '', '', '', '', '{}')`,
      [brandId],
    );
    await run(`insert into channel_feeds (brand_id, token_hash) values ($1, decode(repeat('00', 32), 'hex'))`, [brandId]);
    await run(
      `insert into api_keys (user_id, brand_id, role, token_hash)
       select user_id, brand_id, 'viewer', decode(repeat('00', 32), 'hex') from brand_members where brand_id = $1 limit 1`,
      [brandId],
    );
    await run("insert into kept_counts (brand_id, kind, counts, counted_at) values ($1, 'coverage', '[]', now())", [brandId]);
    await run(`insert into import_mappings (brand_id, header_hash, columns) values ($1, 'x', '{}')`, [brandId]);
    // The state after a server crashed in the middle of an import.
    await run(`insert into import_files (brand_id, import_id, part, bytes) values ($1, 1, 0, '')`, [brandId]);
    await run(
      `insert into import_plan (brand_id, import_id, first_row, gtin, gtin14, name, category, details, publishes, was_published, certifies, sends_again)
       values ($1, 1, 1, '', '', '', '', '{}', false, false, false, false)`,
      [brandId],
    );
    await run('insert into import_rows (brand_id, import_id, row_number) values ($1, 1, 1)', [brandId]);
    await run(
      `insert into import_changes (brand_id, import_id, variant_id, gtin, before, after, was_published, newly_published)
       values ($1, 1, 1, '', '{}', '{}', false, false)`,
      [brandId],
    );
    await run("insert into import_certificate_links values ($1, 1, 1, '', '')", [brandId]);
    await run('insert into import_links (brand_id, import_id, variant_id, certificate_id) values ($1, 1, 1, 1)', [brandId]);
    await run('insert into invitations (brand_id, user_id, language) select brand_id, user_id, $1 from brand_members', ['en']);
  }

  test('leaves no row in any of its tables except its history and deliveries to be withdrawn', async () => {
    const brand = await useLiveVariant();
    const { db, brandId, editor, run, pool } = brand;
    await fill(brand);
    expect(Object.entries(await rowsOfBrand(brand)).filter(([, count]) => count === 0)).toEqual([]);
    await deleteBrand(db, editor.id, brandId);
    const left = Object.entries(await rowsOfBrand(brand)).filter(([, count]) => count > 0);
    expect(left.map(([table]) => table)).toEqual(['audit_log', 'channel_connections', 'deliveries', 'due_work']);
    expect(await run('select wanted, state from deliveries')).toEqual([{ wanted: 'absent', state: 'removing' }]);
    expect(await run('select kind from due_work order by kind')).toEqual([
      { kind: 'deliver' },
      { kind: 'end_connections' },
      { kind: 'purge_history' },
    ]);
    await expectDerivedData(pool);
  });

  test('and of which nothing was sent leaves only its history after the next jobs', async () => {
    const brand = await useLiveVariant();
    const { db, brandId, editor, run } = brand;
    await run('update deliveries set resource = null');
    await setPublished(db, brandId, true);
    await fill(brand);
    await deleteBrand(db, editor.id, brandId);
    const claim = {
      brandId,
      claimId: '11111111-1111-4111-8111-111111111111',
      limit: 1,
      leaseMs: 1,
      place: undefined,
    };
    expect(await claimDeliveries(db, claim)).toBe(0);
    await run(`update due_work set due_at = now()`);
    await sweepConnections(db);
    const left = Object.entries(await rowsOfBrand(brand)).filter(([, count]) => count > 0);
    // Only the purge of the history is still scheduled.
    expect(left.map(([table]) => table)).toEqual(['audit_log', 'due_work']);
    expect(await run('select kind from due_work')).toEqual([{ kind: 'purge_history' }]);
  });
});
