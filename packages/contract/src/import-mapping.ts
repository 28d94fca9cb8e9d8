import { type Static, Type } from 'typebox';
import { DETAIL_FIELDS } from './variant-fields.ts';

/** The fields that a column of a file can be mapped to. */
export const REQUIRED_FIELDS = ['variant_name', 'gtin'] as const;
export const OPTIONAL_FIELDS = [
  ...(['category', 'publishing_channel', 'certificate_id', 'certification_name'] as const),
  ...DETAIL_FIELDS,
  'certificate_link',
] as const;
export const IMPORT_FIELDS = [...REQUIRED_FIELDS, ...OPTIONAL_FIELDS] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

/**
 * Why a column was mapped: `known`: it has the template's name. `remembered`: chosen in an earlier import. `name`: it
 * has another known name. `content`: its values look like it.
 */
export const COLUMN_REASONS = ['known', 'remembered', 'name', 'content'] as const;
export type ColumnReason = (typeof COLUMN_REASONS)[number];

export const FoundColumn = Type.Object({
  column: Type.Integer({ minimum: 0, description: 'Its place in the file, from 0 on.' }),
  header: Type.String({ description: 'As the file names it, shortened where it is long.' }),
  samples: Type.Array(Type.String(), { description: 'A few of its values, shortened where they are long.' }),
  field: Type.Union([Type.Enum([...IMPORT_FIELDS]), Type.Null()], { description: 'What it probably is.' }),
  reason: Type.Union([Type.Enum([...COLUMN_REASONS]), Type.Null()], { description: 'Why that is probable.' }),
});
export type FoundColumn = Static<typeof FoundColumn>;

/** The server cannot map all columns. Answered by sending the file again with the form field `mapping`. */
export const ColumnQuestion = Type.Object({
  sheet: Type.Optional(Type.String({ description: 'Of a workbook: to be sent along as `sheet`.' })),
  header_row: Type.Integer({ minimum: 1, description: 'The row that was taken as the header.' }),
  columns: Type.Array(FoundColumn),
});
export type ColumnQuestion = Static<typeof ColumnQuestion>;

/** The form field `mapping`, as JSON: the field of each column, by column index. Columns that are not listed are ignored. */
export type ColumnMapping = Readonly<Record<string, ImportField>>;

/** Sent in place of a mapping. `ask`: answer with a question if a column is not recognised but likely. `choose`: always ask. */
export const ASK_FOR_MAPPING = ['ask', 'choose'] as const;
export type AskForMapping = (typeof ASK_FOR_MAPPING)[number];
