/** A simple in-memory model of the import: one row after the other. */

export interface ModelRow {
  readonly name: string;
  /** As written in the file. The model does not restore lost zeros. */
  readonly gtin: string;
  readonly category: string;
  readonly certificateId: string;
  readonly certification: string;
  readonly hasGtin: boolean;
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

  /** Returns how many rows are imported. */
  import(rows: readonly ModelRow[]): number {
    const landing = rows.filter((row) => row.isGood && !contradicts(row, rows));
    const known = new Set(this.variants.keys());
    for (const row of landing) {
      const key = row.gtin.padStart(14, '0');
      const variant = this.variants.get(key) ?? { gtin: row.gtin, name: '', category: '', certificates: new Set() };
      this.variants.set(key, variant);
      variant.name = row.name;
      // If a new GTIN has several spellings, the import stores the one that sorts last.
      if (!known.has(key) && row.gtin > variant.gtin) variant.gtin = row.gtin;
      if (row.category) variant.category = row.category;
      if (row.certificateId) variant.certificates.add(`${row.certification} ${row.certificateId}`);
    }
    return landing.length;
  }
}

/** Whether another row of the same GTIN has another name, category, or id of the same certification, also if it is rejected for something else. */
function contradicts(row: ModelRow, rows: readonly ModelRow[]): boolean {
  const differ = (a: string, b: string) => a !== '' && b !== '' && a !== b;
  return rows.some(
    (other) =>
      other.hasGtin &&
      other.gtin.padStart(14, '0') === row.gtin.padStart(14, '0') &&
      (differ(row.name, other.name) ||
        differ(row.category, other.category) ||
        (other.isGood && other.certification === row.certification && differ(row.certificateId, other.certificateId))),
  );
}
