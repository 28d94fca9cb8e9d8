/** What an import should do, as plainly as it can be said: one row after the other, in memory. */

export interface ModelRow {
  readonly name: string;
  /** As the file writes it; a lost zero and the like are the engine's business. */
  readonly gtin: string;
  readonly category: string;
  readonly certificateId: string;
  readonly certification: string;
  readonly isGood: boolean;
}

export interface ModelVariant {
  gtin: string;
  name: string;
  category: string;
  readonly certificates: Set<string>;
}

export class ModelBrand {
  readonly variants = new Map<string, ModelVariant>();

  /** How many rows land. */
  import(rows: readonly ModelRow[]): number {
    const landing = rows.filter((row) => row.isGood && !contradicts(row, rows));
    const known = new Set(this.variants.keys());
    for (const row of landing) {
      const key = row.gtin.padStart(14, '0');
      const variant = this.variants.get(key) ?? { gtin: row.gtin, name: '', category: '', certificates: new Set() };
      this.variants.set(key, variant);
      variant.name = row.name;
      // Of several spellings of a new one any will do; the product takes the one that sorts last.
      if (!known.has(key) && row.gtin > variant.gtin) variant.gtin = row.gtin;
      if (row.category) variant.category = row.category;
      if (row.certificateId) variant.certificates.add(`${row.certification} ${row.certificateId}`);
    }
    return landing.length;
  }
}

/** Whether another row says something else of the same GTIN: its name, its category, or its certificate of a certification. */
function contradicts(row: ModelRow, rows: readonly ModelRow[]): boolean {
  const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b;
  return rows.some(
    (other) =>
      other.isGood &&
      other.gtin.padStart(14, '0') === row.gtin.padStart(14, '0') &&
      (differ(row.name, other.name) ||
        differ(row.category, other.category) ||
        (other.certification === row.certification && differ(row.certificateId, other.certificateId))),
  );
}
