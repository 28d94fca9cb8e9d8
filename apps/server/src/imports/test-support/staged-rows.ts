import { Readable } from 'node:stream';
import { createCertificationNames } from '../../catalog/fields/certification-names.ts';
import { findColumns } from '../../catalog/fields/columns.ts';
import { createRowStager } from '../rows/row-stager.ts';
import type { ImportKey } from '../staging.queries.ts';

/** Rows of name and GTIN, as `stageRows` takes them. The first has the number 2. */
export function toStagedLines(stage: ImportKey, rows: readonly string[][]): AsyncIterable<string | Buffer> {
  const stager = createRowStager(stage, findColumns(['variant_name', 'gtin']), createCertificationNames([]));
  const pieces = stager.stage(rows.map((cells, index) => ({ row: index + 2, cells })));
  return Readable.from([...pieces].map(({ lines }) => lines));
}
