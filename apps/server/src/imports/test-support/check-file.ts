import { createCertificationNames } from '../../catalog/fields/certification-names.ts';
import { findColumns } from '../../catalog/fields/columns.ts';
import { checkRow } from '../../catalog/fields/row-rules.ts';
import { FileRefusal } from '../../files/csv/file-refusal.ts';
import { spool } from '../../files/csv/spool.ts';
import { openTable } from '../import-file.ts';
import { rankHeader } from '../mapping.ts';

const NAMES = ['FSC', 'Fairtrade', 'USDA Organic', 'EU Organic', 'Rainforest Alliance'];

export interface CheckedFile {
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Name, GTIN, category, certificate. */
  readonly good?: string[];
  /** Row, field, code, params. */
  readonly bad?: string[];
  readonly unknown?: readonly string[];
  readonly refused?: string;
}

/** Checks a file without the database and summarises the result. */
export async function checkFile(bytes: Buffer): Promise<CheckedFile> {
  const entry = { body_name: '', aliases: [], is_retired: false };
  const names = createCertificationNames(NAMES.map((name, index) => ({ ...entry, id: index + 1, name })));
  const file = await spool(
    (async function* () {
      yield bytes;
    })(),
  );
  try {
    const table = await openTable(file.place, rankHeader());
    const columns = findColumns(table.header);
    const good: string[] = [];
    const bad: string[] = [];
    for await (const batch of table.rows()) {
      for (const { row, cells, flaws } of batch) {
        const verdict = checkRow(cells, columns, names, flaws);
        for (const { field = '', code, ...rest } of verdict.problems ?? []) {
          const params = 'params' in rest ? Object.values(rest.params).join(' ') : '';
          bad.push([row, field, code, params].join(' ').replaceAll(/ +/g, ' ').trim());
        }
        if (verdict.problems) continue;
        const { name, gtin, category, certificate } = verdict.row;
        const certification = NAMES[(certificate?.certificationId ?? 0) - 1];
        good.push([name, gtin, category, certificate && `${certification} ${certificate.externalId}`].filter(Boolean).join(' | '));
      }
    }
    if (good.length + bad.length === 0) return { refused: 'header_only' };
    const { name, legacy } = table.encoding ?? { name: 'utf-8' };
    const encoding = legacy ? `${legacy.lines === undefined ? '' : `${name} and `}${legacy.encoding}` : name;
    return { encoding, delimiter: table.delimiter, good, bad, unknown: columns.unknown };
  } catch (error) {
    if (error instanceof FileRefusal) return { refused: `${error.reason} ${JSON.stringify(error.params) ?? ''}`.trim() };
    throw error;
  } finally {
    await file.close();
  }
}
