import type { CertificateDetail } from '@brand-portal/contract/certificate-detail';
import type { CertificatePage } from '@brand-portal/contract/certificates';
import type { Coverage } from '@brand-portal/contract/coverage';
import type { ErrorCode } from '@brand-portal/contract/errors';
import type { VariantActionResult } from '@brand-portal/contract/variant-action-results';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectDerivedData } from '../../../test/catalogue.ts';
import { runs } from '../../../test/property.ts';
import { useTestApp } from '../../../test/test-app.ts';
import { toGtin } from '../../channel/test-support/delivery.ts';
import { addImportingBrand, type ImportingBrand } from '../../imports/test-support/uploads.ts';
import { optInForTrial } from '../../people/brands/brands.ts';
import { loadTestRegistry } from './test-support/certificates.ts';
import { expireCertificates, validateCertificates } from './validation.ts';

/** The last two differ in one character from the first two: near misses if the registry lists only one of them. */
const CODES = ['CU-101', 'CU-202', 'CU-303', 'CU-1O1', 'CU-2O2'];

const code = fc.constantFrom(...CODES);
const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
const pick = fc.nat();
const registry = fc.uniqueArray(
  fc.record({
    externalId: code,
    active: fc.constantFrom(true, true, true, false),
    expiresOn: fc.constantFrom(null, '2998-03-02', '2999-01-31', '2001-01-31'),
  }),
  { selector: ({ externalId }) => externalId },
);
const row = fc.record({
  n: fc.integer({ min: 1, max: 9 }),
  code: fc.constantFrom('', ...CODES),
  publish: fc.boolean(),
});
const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 6, selector: ({ n }) => n });
const kind = <Kind extends string>(kind: Kind) => ({ kind: fc.constant(kind) });

const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...kind('import'), rows }) },
  { weight: 2, arbitrary: fc.record({ ...kind('undo'), pick }) },
  { weight: 2, arbitrary: fc.record({ ...kind('give'), pick, code }) },
  { weight: 2, arbitrary: fc.record({ ...kind('take'), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({ ...kind('act'), picks, action: fc.constantFrom('publish', 'unpublish', 'delete') }),
  },
  { weight: 2, arbitrary: fc.record({ ...kind('restore'), pick }) },
  { weight: 2, arbitrary: fc.record({ ...kind('replace'), pick, code }) },
  { weight: 3, arbitrary: fc.record({ ...kind('near miss'), pick }) },
  { weight: 1, arbitrary: fc.record({ ...kind('remove'), pick }) },
  { weight: 2, arbitrary: fc.record({ ...kind('registry'), registry }) },
  { weight: 1, arbitrary: fc.record({ ...kind('expire'), day: fc.constantFrom('2998-03-03', '2999-02-01') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...kind('judge'),
      picks,
      state: fc.constantFrom('live', 'live', 'partly_live', 'sent', 'refused'),
    }),
  },
);
type Write = typeof write extends fc.Arbitrary<infer Value> ? Value : never;

/** An editor of one brand who does random writes. */
class Writer {
  readonly brand: ImportingBrand;
  #imports: number[] = [];
  #deletions: number[] = [];
  /** Counts applied near misses, to prove that the runs had some. */
  nearMisses = 0;

  constructor(brand: ImportingBrand) {
    this.brand = brand;
  }

  /** `allowed`: the code of a refusal that is right too, and changes nothing. */
  async call<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, allowed?: ErrorCode): Promise<Answer> {
    const { app, brandId, editor } = this.brand;
    const url = `/api/v1/brands/${brandId}/${path}`;
    const answer = await app.inject({ method, url, headers: editor.headers, ...(body && { body }) });
    const isAllowed = allowed !== undefined && answer.json().code === allowed;
    if (answer.statusCode >= 300 && !isAllowed) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
    return answer.body === '' ? (undefined as Answer) : answer.json<Answer>();
  }

  async #ids(table: 'variants' | 'certificates'): Promise<number[]> {
    const { pool, brandId } = this.brand;
    const { rows } = await pool.query(`select id from ${table} where brand_id = $1 order by id`, [brandId]);
    return rows.map(({ id }) => Number(id));
  }

  async #pick(table: 'variants' | 'certificates', picks: readonly number[]): Promise<number[]> {
    const ids = await this.#ids(table);
    return [...new Set(picks.flatMap((pick) => ids[pick % ids.length] ?? []))];
  }

  async #variantsWith(...codes: string[]): Promise<number[]> {
    const { pool, brandId } = this.brand;
    const { rows } = await pool.query(
      `select distinct l.variant_id::int from variant_certificates l join certificates c on c.brand_id = l.brand_id and c.id = l.certificate_id
       where c.brand_id = $1 and c.external_certificate_id = any ($2) order by 1`,
      [brandId, codes],
    );
    return rows.map(({ variant_id }) => variant_id);
  }

  async do(write: Write): Promise<void> {
    const { pool, brandId, database } = this.brand;
    const [certificate] = 'pick' in write ? await this.#pick('certificates', [write.pick]) : [];
    const [variant] = 'pick' in write ? await this.#pick('variants', [write.pick]) : [];
    switch (write.kind) {
      case 'import': {
        const lines = write.rows.map(({ n, code, publish }) => `Tea,${toGtin(n)},${code},${code && 'GOTS'},${publish ? 'google' : ''}`);
        const header = 'variant_name,gtin,certificate_id,certification_name,publishing_channel';
        this.#imports.push((await this.brand.upload(`${header}\n${lines.join('\n')}\n`)).import_id);
        return;
      }
      case 'undo': {
        const [id] = this.#imports.splice(write.pick % Math.max(this.#imports.length, 1), 1);
        // Refused if it changed nothing: all its rows were as the brand already had them.
        if (id !== undefined) await this.call('POST', `imports/${id}/undo/`, undefined, 'import_not_undoable');
        return;
      }
      case 'give': {
        const body = { certification_name: 'GOTS', certificate_id: write.code };
        if (variant !== undefined) await this.call('POST', `variants/${variant}/certificates/`, body);
        return;
      }
      case 'take': {
        const { rows } = await pool.query('select variant_id, certificate_id from variant_certificates where brand_id = $1 order by 1, 2', [
          brandId,
        ]);
        const link = rows[write.pick % rows.length];
        if (link) await this.call('DELETE', `variants/${link.variant_id}/certificates/${link.certificate_id}/`);
        return;
      }
      case 'act': {
        const ids = await this.#pick('variants', write.picks);
        if (ids.length === 0) return;
        const { action } = write;
        const { deletion_id } = await this.call<VariantActionResult>('POST', 'variants/actions/', { action, ids });
        if (deletion_id !== null) this.#deletions.push(deletion_id);
        return;
      }
      case 'restore': {
        const [id] = this.#deletions.splice(write.pick % Math.max(this.#deletions.length, 1), 1);
        if (id !== undefined) await this.call('POST', `deletions/${id}/restore/`);
        return;
      }
      case 'replace':
      case 'near miss': {
        if (certificate === undefined) return;
        const { certificate_id, near_miss } = await this.call<CertificateDetail>('GET', `certifications/${certificate}/`);
        const wanted = write.kind === 'replace' ? write.code : near_miss;
        if (wanted === null || wanted === certificate_id) return;
        if (write.kind === 'near miss') this.nearMisses += 1;
        const backed = await this.#variantsWith(certificate_id, wanted);
        await this.call('POST', `certifications/${certificate}/replace/`, { certificate_id: wanted, confirmed: true });
        expect(await this.#variantsWith(wanted)).toEqual(backed);
        return;
      }
      case 'remove':
        if (certificate !== undefined) await this.call('DELETE', `certifications/${certificate}/`);
        return;
      case 'registry':
        // An empty one is refused.
        if (write.registry.length === 0) return;
        await loadTestRegistry(database.db, 'GOTS', write.registry, { replace: true });
        await validateCertificates(database.db, brandId);
        return;
      case 'expire':
        await expireCertificates(database.db, new Date(`${write.day}T12:00:00Z`));
        return;
      case 'judge':
        // Random channel states for some of the variants.
        await pool.query(
          `update deliveries set state = $3, sent_revision = revision
           where brand_id = $1 and variant_id = any ($2::bigint[]) and wanted = 'present'`,
          [brandId, await this.#pick('variants', write.picks), write.state],
        );
    }
  }

  /** Compares the counts of every page with those of plain SQL, for all certificates. */
  async expectExact(): Promise<void> {
    const { pool, brandId } = this.brand;
    // Counts existing variants, and the published ones that the channel shows. Joins `variants`, so that leftover links do not count.
    const { rows: counted } = await pool.query(
      `select c.id::int, c.external_certificate_id as certificate_id, c.status as overall_status, c.expires_on::text as expires_on,
         (select count(*)::int from variants v where v.brand_id = c.brand_id and v.id in (
           select variant_id from variant_certificates l where l.brand_id = c.brand_id and l.certificate_id = c.id)) as variants,
         (select count(*)::int from variants v where v.brand_id = c.brand_id and v.published and v.id in (
           select variant_id from variant_certificates l where l.brand_id = c.brand_id and l.certificate_id = c.id) and v.id in (
           select variant_id from deliveries d where d.brand_id = c.brand_id and d.state in ('live', 'partly_live'))) as live_variants
       from certificates c where c.brand_id = $1 order by c.id`,
      [brandId],
    );
    const { results, count } = await this.call<CertificatePage>('GET', 'certifications/?page=1&page_size=100');
    const shown = ({ id, certificate_id, overall_status, expires_on, variants, live_variants }: CertificatePage['results'][number]) => ({
      id,
      certificate_id,
      overall_status,
      expires_on,
      variants,
      live_variants,
    });
    expect({ results: results.map(shown).sort((a, b) => a.id - b.id), count }).toEqual({
      results: counted,
      count: counted.length,
    });
    for (const truth of counted) {
      const { id, variants } = truth;
      expect(shown(await this.call<CertificateDetail>('GET', `certifications/${id}/`))).toEqual(truth);
      expect(await this.call('GET', `certifications/${id}/variants/`)).toEqual({ count: variants });
      // The list that the panel links to has the same count.
      expect(await this.call('GET', `variants/?certificate=${id}`)).toMatchObject({ count: variants });
    }
    const { rows: certified } = await pool.query(
      `select count(*)::int as variants from variants v where v.brand_id = $1 and exists (
         select from variant_certificates l where l.brand_id = $1 and l.variant_id = v.id)`,
      [brandId],
    );
    const { results: coverage } = await this.call<{ results: Coverage[] }>('GET', 'certificates/coverage/');
    expect(coverage.map(({ variants }) => variants)).toEqual(certified[0].variants > 0 ? [certified[0].variants] : []);
  }
}

test('after random writes, each page shows exactly how many variants a certificate has and how many of them are live', {
  timeout: 600_000,
}, async () => {
  const testApp = await useTestApp();
  // Both brands have the same GTINs and certificates: writes of one must not change the counts of the other.
  const writers = [new Writer(await addImportingBrand(testApp)), new Writer(await addImportingBrand(testApp))] as const;
  for (const { brand } of writers) await optInForTrial(brand.database.db, null, brand.brandId);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), write), { minLength: 10, maxLength: 16 }), async (writes) => {
      for (const [isFirst, write] of writes) {
        const [writer, other] = isFirst ? writers : ([writers[1], writers[0]] as const);
        await writer.do(write);
        await writer.expectExact();
        await other.expectExact();
      }
      await expectDerivedData(testApp.database.pool);
    }),
    { ...runs(3, 23), endOnFailure: true },
  );
  expect(writers[0].nearMisses + writers[1].nearMisses).toBeGreaterThan(0);
});
