import type { CsvUploadResult } from '@brand-portal/contract/import';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changeVariants, expectDerivedData, setPublished, withBrandLock } from '../../test/catalogue.ts';
import { runs } from '../../test/property.ts';
import { toGtin } from '../channel/test-support/delivery.ts';
import { optInForTrial } from '../people/brands/brands.ts';
import { deleteVariants, variantWithId } from '../writes/variants.ts';
import { describeBrand, useImportingBrand } from './test-support/uploads.ts';

interface Row {
  readonly n: number;
  readonly name: string;
  readonly category: string;
  readonly code: string;
  readonly publish: boolean;
}

interface Variant {
  name: string;
  category: string;
  published: boolean;
  version: number;
  readonly createdBy: number;
  /** The certificates, each with the import that added it. */
  readonly certificates: Map<string, number>;
}

interface Change {
  readonly variant: Variant;
  /** Before and after the import. */
  readonly name: readonly [string, string];
  readonly category: readonly [string, string];
  readonly newlyPublished: boolean;
}

/** A simple in-memory model of a brand. */
class Model {
  readonly variants = new Map<number, Variant>();
  readonly changes = new Map<number, Change[]>();

  import(importId: number, rows: readonly Row[]): void {
    const changes: Change[] = [];
    for (const { n, name, category, code, publish } of rows) {
      const known = this.variants.get(n);
      const variant = known ?? {
        name,
        category,
        published: publish,
        version: 1,
        createdBy: importId,
        certificates: new Map(),
      };
      this.variants.set(n, variant);
      if (known) {
        const before = { name: known.name, category: known.category };
        known.name = name;
        known.category = category || known.category;
        const isChanged = known.name !== before.name || known.category !== before.category;
        if (isChanged) known.version += 1;
        const newlyPublished = publish && !known.published;
        known.published ||= publish;
        if (isChanged || newlyPublished) {
          const { name, category } = known;
          changes.push({
            variant: known,
            name: [before.name, name],
            category: [before.category, category],
            newlyPublished,
          });
        }
      }
      if (code && !variant.certificates.has(code)) variant.certificates.set(code, importId);
    }
    this.changes.set(importId, changes);
  }

  /** Returns how many variants it removes and keeps. */
  undo(importId: number): { removed: number; kept: number } {
    let removed = 0;
    let kept = 0;
    for (const [n, variant] of [...this.variants]) {
      if (variant.createdBy !== importId) {
        for (const [code, by] of variant.certificates) if (by === importId) variant.certificates.delete(code);
      } else if (variant.version > 1 || [...variant.certificates.values()].some((by) => by !== importId)) kept += 1;
      else {
        this.variants.delete(n);
        removed += 1;
      }
    }
    for (const { variant, newlyPublished, ...fields } of this.changes.get(importId) ?? []) {
      if (![...this.variants.values()].includes(variant)) continue;
      let isKept = false;
      let isRestored = false;
      for (const field of ['name', 'category'] as const) {
        const [before, after] = fields[field];
        if (before === after) continue;
        isKept ||= variant[field] !== after && variant[field] !== before;
        isRestored ||= variant[field] === after;
        if (variant[field] === after) variant[field] = before;
      }
      if (newlyPublished) variant.published = false;
      if (isRestored) variant.version -= 1;
      if (isKept) kept += 1;
    }
    return { removed, kept };
  }

  contents() {
    return [...this.variants]
      .sort(([a], [b]) => a - b)
      .map(([n, { name, category, published, certificates }]) => ({
        gtin: toGtin(n),
        name,
        category,
        published,
        certificates: [...certificates.keys()].sort(),
      }));
  }
}

const row = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  name: fc.constantFrom('Salt', 'Tea', 'Oil'),
  category: fc.constantFrom('', 'Food', 'Drinks'),
  code: fc.constantFrom('', 'A', 'B'),
  publish: fc.boolean(),
});

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ rows: fc.uniqueArray(row, { minLength: 1, maxLength: 5, selector: ({ n }) => n }) }),
  },
  // Rows that are rejected first, then corrected cell by cell.
  {
    weight: 3,
    arbitrary: fc.record({ corrected: fc.uniqueArray(row, { minLength: 1, maxLength: 3, selector: ({ n }) => n }) }),
  },
  // The corrected rows of an import that was undone.
  { weight: 1, arbitrary: fc.record({ again: fc.nat(2) }) },
  { weight: 4, arbitrary: fc.record({ undo: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ rename: fc.integer({ min: 1, max: 12 }), to: fc.constantFrom('Rice', 'Soap') }) },
  { weight: 1, arbitrary: fc.record({ publish: fc.integer({ min: 1, max: 12 }), as: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.integer({ min: 1, max: 12 }) }) },
);

test('after random imports, corrections, edits, publishes, deletions and undos, the brand equals a simple model', async () => {
  const brand = await useImportingBrand();
  const { app, pool, brandId, editor } = brand;
  const { db } = brand.database;
  await optInForTrial(db, null, brandId);
  const idOf = async (n: number): Promise<number | undefined> =>
    (await pool.query('select id from variants where brand_id = $1 and gtin = $2', [brandId, toGtin(n)])).rows[0]?.id;
  const model = new Model();
  let undoable: number[] = [];
  const corrections = new Map<number, { origin: number; rows: readonly Row[] }>();
  let undone: { origin: number; rows: readonly Row[] }[] = [];
  const header = 'variant_name,gtin,category,certificate_id,certification_name,publishing_channel';
  const toFile = (rows: readonly Row[], wrong?: string) => {
    const lines = rows.map(
      ({ n, name, category, code, publish }) =>
        `${name},${toGtin(n)},${wrong ?? category},${code},${code && 'Fairtrade'},${publish ? 'google' : ''}`,
    );
    return `${header}\n${lines.join('\n')}\n`;
  };
  const call = async (method: 'POST' | 'PATCH', path: string, payload?: object) => {
    const url = `/api/v1/brands/${brandId}/imports/${path}`;
    const answer = await app.inject({ method, url, headers: editor.headers, ...(payload && { payload }) });
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
    return answer.json();
  };
  /** An import that changed nothing cannot be undone. */
  const addUndoable = ({ import_id, variants_created, variants_updated }: CsvUploadResult) => {
    if (variants_created + variants_updated > 0) undoable.push(import_id);
  };
  const importCorrected = async (correction: { origin: number; rows: readonly Row[] }) => {
    const result = await call('POST', `${correction.origin}/corrections/import/`);
    expect(result.imported).toBe(correction.rows.length);
    model.import(result.import_id, correction.rows);
    corrections.set(result.import_id, correction);
    addUndoable(result);
  };

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 12 }), async (steps) => {
      for (const step of steps) {
        if ('rows' in step) {
          const result = await brand.upload(toFile(step.rows));
          model.import(result.import_id, step.rows);
          addUndoable(result);
        } else if ('corrected' in step) {
          const { import_id: origin, imported } = await brand.upload(toFile(step.corrected, '#REF!'));
          expect(imported).toBe(0);
          for (const [index, { category }] of step.corrected.entries())
            await call('PATCH', `${origin}/corrections/${index + 2}/`, { place: 2, from: '#REF!', to: category });
          await importCorrected({ origin, rows: step.corrected });
        } else if ('again' in step) {
          const correction = undone.at(-1 - step.again);
          if (!correction) continue;
          undone = undone.filter((other) => other !== correction);
          await importCorrected(correction);
        } else if ('undo' in step) {
          const importId = undoable.at(-1 - step.undo);
          if (importId === undefined) continue;
          const answer = await call('POST', `${importId}/undo/`);
          const { removed, kept } = model.undo(importId);
          const correction = corrections.get(importId);
          if (correction) undone.push(correction);
          expect(answer).toMatchObject({ variants_removed: removed, kept_count: kept });
          undoable = undoable.filter((id) => id !== importId);
        } else {
          const n = 'rename' in step ? step.rename : 'publish' in step ? step.publish : step.remove;
          const [id, variant] = [await idOf(n), model.variants.get(n)];
          if (id === undefined || !variant) continue;
          if ('rename' in step) {
            await changeVariants(db, brandId, { name: step.to }, [id]);
            if (variant.name !== step.to) variant.version += 1;
            variant.name = step.to;
          } else if ('publish' in step) {
            await setPublished(db, brandId, step.as, [id]);
            variant.published = step.as;
          } else {
            await withBrandLock(db, brandId, (db) => deleteVariants(db, brandId, variantWithId(id)));
            model.variants.delete(n);
          }
        }
        expect(await describeBrand(brand)).toEqual(model.contents());
      }
    }),
    { ...runs(7, 5), endOnFailure: true },
  );
  await expectDerivedData(pool);
}, 600_000);
