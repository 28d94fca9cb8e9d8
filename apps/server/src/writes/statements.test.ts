// @module-tag empty-installation
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { addVariants, connectTestBrand, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { formatStatement } from '../../test/format-statement.ts';
import { useOwnApp } from '../../test/test-app.ts';
import { useTestDatabase } from '../../test/test-database.ts';
import { replaceCertificate, updateCertificate } from '../catalog/certificates/certificate-detail.ts';
import { reviewCertificate } from '../catalog/certificates/reviews.ts';
import { loadTestRegistry } from '../catalog/certificates/test-support/certificates.ts';
import { expireCertificates, validateCertificates } from '../catalog/certificates/validation.ts';
import { indexNewVariants } from '../catalog/variants/variant-search.ts';
import { listClaimedDeliveries } from '../channel/deliveries.queries.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { type Db, openDatabase } from '../db/database.ts';
import { BRAND_TABLES } from '../db/distribute.ts';
import { addImportingBrand } from '../imports/test-support/uploads.ts';
import { optInForTrial } from '../people/brands/brands.ts';
import { restoreVariants, softDeleteVariants } from './deletions.ts';
import { claimDeliveries, writeDeliveryResults } from './deliveries.ts';
import { afterAttempt, type Outcome } from './delivery-states.ts';

/** An import's state is also written by timers, and the audit log by everything. */
const TABLES = BRAND_TABLES.filter((table) => !['imports', 'audit_log', 'audit_certificates', 'audit_variants'].includes(table));
const WRITES = new RegExp(`\\b(?:insert into|update|delete from)\\s+"?(?:${TABLES.join('|')})"?\\b`);
/** What `readIds` reads decides which rows a write meets. The plan's counts decide whether an import asks its member. */
const READS = /\bchosen \(id\)|\bfrom import_plan\b/;

const ABOUT = 'Statements that write data of a brand, in the order in which they run. statements.test.ts renders them.';
const TODAY = '2031-06-15';
const ISSUE = {
  type: 'x',
  severity: 'error',
  title: '',
  description: '',
  attribute: '',
  resolution: '',
  countries: [],
  since: null,
} as const;
const VERDICT: Outcome = { kind: 'judged', shownIn: ['US'], checkAfterMs: 0, countries: {}, elsewhere: 'approved', issues: [ISSUE] };
const HEADER = 'variant_name,gtin,category,publishing_channel,certification_name,certificate_id,certificate_link';

const row = (n: number, { name = `Tea ${n}`, category = 'Drinks', channel = '', certification = '', code = '', link = '' } = {}) =>
  [name, toGtin(n), category, channel, certification, code, link].join(',');

const file = (...rows: readonly string[]) => [HEADER, ...rows].join('\n');

/** A brand on a server of its own, whose statements are collected. */
async function useCollectingBrand() {
  const testDatabase = await useTestDatabase();
  const statements: string[] = [];
  const { close, ...collecting } = openDatabase(
    testDatabase.url,
    () => {},
    (text) => {
      if (WRITES.test(text) || READS.test(text)) statements.push(formatStatement(text));
    },
  );
  onTestFinished(close);
  const testApp = await useOwnApp({ database: { ...testDatabase, ...collecting } });
  const brand = await addImportingBrand(testApp);
  await optInForTrial(brand.database.db, null, brand.brandId);
  const seen = new Set<string>();
  let rendered = `-- ${ABOUT}\n\n`;
  return {
    ...brand,
    db: brand.database.db,
    idOf: async (table: 'variants' | 'certificates', column: string, value: string): Promise<number> =>
      (await brand.pool.query(`select id from ${table} where ${column} = $1`, [value])).rows[0].id,
    /** Renders the statements since the last call, without those of earlier steps. */
    render: (step: string) => {
      const fresh = [...new Set(statements.splice(0))].filter((statement) => !seen.has(statement));
      for (const statement of fresh) seen.add(statement);
      rendered += `-- ${step}\n\n${fresh.map((statement) => `${statement};\n\n`).join('')}`;
      return rendered;
    },
  };
}

/** Claims what is due, and writes one verdict for all of it. Without a place, only what must be withdrawn is claimed. */
async function deliver(db: Db, brandId: number, place?: { readonly connectionId: number; readonly resourcePrefix: string }) {
  const claim = { brandId, claimId: randomUUID(), limit: 100, leaseMs: 60_000, place };
  await db.transaction().execute((db) => claimDeliveries(db, claim));
  const delays = { backoffMs: 1_000, maxBackoffMs: 1_000, recheckMs: 1_000 };
  const claimed = await listClaimedDeliveries(db, { ...claim, today: TODAY });
  const results = claimed.map((delivery) => afterAttempt(delivery, VERDICT, delays));
  if (results.length > 0) await writeDeliveryResults(db, claim, results);
}

test('the statements that write are those in statements.sql', async () => {
  const { db, brandId, editor, upload, app, idOf, render } = await useCollectingBrand();

  const salt = { certification: 'GOTS', channel: 'Google' };
  const first = await upload(
    file(
      ...Array.from({ length: 20 }, (_, n) => row(n)),
      row(20, { ...salt, code: 'A-1', link: 'https://a.example/1' }),
      row(21, { name: '' }),
      row(22, { name: 'One' }),
      row(22, { name: 'Other' }),
    ),
  );
  render('An import into an empty brand, read as a whole: 21 products, a certificate, rows that are rejected');

  await upload(
    file(row(0, { name: 'Renamed', channel: 'Google' }), row(1, { certification: 'GOTS', code: 'A-1', link: 'https://a.example/2' })),
  );
  render('An import of two rows, each looked up: a new name, a publication, a link, a new page of a certificate');

  const undone = await app.inject({
    method: 'POST',
    url: `/api/v1/brands/${brandId}/imports/${first.import_id}/undo/`,
    headers: editor.headers,
  });
  expect(undone.statusCode).toBe(200);
  render('The undo of the first import');

  const ids = await addVariants(db, brandId, [{ gtin: toGtin(30), published: true }, { gtin: toGtin(31) }]);
  render('New products without an import');

  await indexNewVariants(db);
  render('The search index');

  await setPublished(db, brandId, true);
  await setPublished(db, brandId, false, ids);
  await setPublished(db, brandId, true);
  render('Publishing and unpublishing');

  await deliver(db, brandId);
  const connectionId = await connectTestBrand(db, brandId);
  await deliver(db, brandId, { connectionId, resourcePrefix: 'p-' });
  render('Deliveries');

  await loadTestRegistry(db, 'GOTS', [{ externalId: 'A-1', expiresOn: '2031-01-31' }]);
  await validateCertificates(db, brandId, '2031-01-01');
  await expireCertificates(db, new Date(`${TODAY}T12:00:00Z`));
  await reviewCertificate(db, { brandId, certification: 'GOTS', externalId: 'A-1' }, { verdict: 'approved', note: 'Seen' });
  render('Statuses of certificates');

  const request = { brandId, userId: editor.id, language: 'en', certificateId: await idOf('certificates', 'id_key', 'A-1') } as const;
  await updateCertificate(db, request, 'https://a.example/3');
  await replaceCertificate(db, request, { certificate_id: 'A-2', confirmed: true });
  render('A certificate that a member changes and replaces');

  const deletion = await withBrandLock(db, brandId, (db) => softDeleteVariants(db, brandId, { userId: null, ids, days: 7 }));
  render('The deletion of products');

  await withBrandLock(db, brandId, (db) => restoreVariants(db, brandId, deletion));
  await expect(render('Their restoration')).toMatchFileSnapshot('statements.sql');
});
