import { type Static, Type } from 'typebox';
import { endpoint } from './endpoint.ts';
import { AcceptedImport, CsvUploadResult, ImportParams } from './import.ts';
import { Id, PageNumber, PageSize } from './paging.ts';

/** The rows that an import rejected: their errors, and how to correct them. */

const tag = 'import';

/** All errors of one kind in one column. */
export const ImportErrorGroup = Type.Object({
  code: Type.String(),
  field: Type.Union([Type.String(), Type.Null()], { description: 'Null where the whole row is wrong.' }),
  title: Type.String({ description: 'What is wrong, in a few words, in the language that the request asks for.' }),
  count: Type.Integer({ minimum: 1 }),
  rows: Type.Array(Type.Object({ row: Type.Integer({ minimum: 1 }), message: Type.String() }), {
    description: 'The first 20 of them.',
  }),
});
export type ImportErrorGroup = Static<typeof ImportErrorGroup>;

export const listImportErrorGroups = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/error-groups/',
  summary: "An import's errors, counted by kind and column, the most frequent first",
  description: 'Empty once the rejected rows have been deleted.',
  tag,
  access: 'viewer',
  params: ImportParams,
  status: 200,
  response: Type.Array(ImportErrorGroup),
  errors: ['brand_not_found', 'import_not_found'],
});

export const downloadRejectedRows = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/rejected-rows/',
  summary: "An import's rejected rows as a CSV file: those that are not imported yet, plus their row numbers and what is wrong",
  tag,
  access: 'viewer',
  params: ImportParams,
  status: 200,
  responseKind: 'file',
  errors: ['brand_not_found', 'import_not_found'],
});

/** `wrong`: has errors. `ready`: has no errors (any more). `importing`, `imported`: part of an import of corrected rows. */
export const REJECTED_ROW_STATES = ['wrong', 'ready', 'importing', 'imported'] as const;
export type RejectedRowState = (typeof REJECTED_ROW_STATES)[number];

/** Longer than any valid value: a description may have 5,000 characters. Longer values are truncated in answers. */
export const MAX_CORRECTION_LENGTH = 6_000;

const RowNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'As a spreadsheet numbers it.' });
const Place = Type.Integer({ minimum: 0, maximum: 1_999, description: 'Of the cell in its row, from 0 on.' });

export const RejectedColumn = Type.Object({
  place: Place,
  name: Type.String({
    description: 'As the file names it, or as the template does where the file lacks it; empty for cells beyond its last column.',
  }),
  field: Type.Union([Type.String(), Type.Null()], { description: 'Which column of the import it is.' }),
  read_only: Type.Optional(Type.Boolean({ description: 'The import ignores it: there is nothing to correct.' })),
});

export const RejectedRowError = Type.Object({
  place: Type.Union([Place, Type.Null()], { description: 'Of the wrong cell; null where the whole row is wrong.' }),
  code: Type.String(),
  message: Type.String({ description: 'In the language that the request asks for.' }),
  suggestions: Type.Array(Type.String(), { description: 'Values that are right, each to be taken as it is.' }),
  hint: Type.Optional(Type.String({ description: 'What the value might be; nobody but the member can know.' })),
});

export const RejectedRow = Type.Object({
  row: RowNumber,
  state: Type.Enum([...REJECTED_ROW_STATES]),
  cells: Type.Array(Type.String({ description: `The first ${MAX_CORRECTION_LENGTH} characters.` }), {
    description: 'One for each of the columns, as they are now.',
  }),
  corrected: Type.Array(Place, { description: 'Which cells were corrected.' }),
  errors: Type.Array(RejectedRowError),
  import_id: Type.Union([Id, Type.Null()], { description: 'The import that takes the row, or took it.' }),
});
export type RejectedRow = Static<typeof RejectedRow>;

const RejectedRowCounts = Type.Object({
  wrong: Type.Integer({ minimum: 0 }),
  ready: Type.Integer({ minimum: 0 }),
  importing: Type.Integer({ minimum: 0 }),
  imported: Type.Integer({ minimum: 0 }),
});
export type RejectedRowCounts = Static<typeof RejectedRowCounts>;

export const RejectedRowPage = Type.Object({
  columns: Type.Array(RejectedColumn, {
    description: 'Those of the file, in its order; then those that it lacks, and cells beyond its last column.',
  }),
  results: Type.Array(RejectedRow),
  count: Type.Integer({ minimum: 0 }),
  counts: RejectedRowCounts,
  import_undone: Type.Optional(
    Type.Boolean({
      description: 'The import was taken back. Its rejected rows can be corrected and imported all the same.',
    }),
  ),
});
export type RejectedRowPage = Static<typeof RejectedRowPage>;

export const listCorrections = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/corrections/',
  summary: "One page of an import's rejected rows, as they are corrected so far",
  description: 'Empty once the rejected rows have been deleted.',
  tag,
  access: 'viewer',
  params: ImportParams,
  query: Type.Object({
    state: Type.Optional(Type.Enum([...REJECTED_ROW_STATES])),
    page: Type.Optional(PageNumber),
    page_size: Type.Optional(PageSize),
  }),
  status: 200,
  response: RejectedRowPage,
  errors: ['brand_not_found', 'import_not_found'],
});

const CellText = Type.String({ maxLength: MAX_CORRECTION_LENGTH });

export const correctCell = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/imports/:importId/corrections/:row/',
  summary: 'Correct one cell of a rejected row; it is judged as an import would',
  description:
    'Where `from` is sent and the cell says something else by now, somebody else has corrected it: nothing is changed (409 `import_row_changed`).',
  tag,
  access: 'editor',
  params: Type.Object({ brandId: Id, importId: Id, row: RowNumber }),
  body: Type.Object({ place: Place, from: Type.Optional(CellText), to: CellText }),
  status: 200,
  response: Type.Object({
    row: RejectedRow,
    counts: RejectedRowCounts,
    same: Type.Integer({ minimum: 0, description: 'Other rows that still say there what this one said.' }),
  }),
  errors: ['brand_not_found', 'import_not_found', 'import_row_changed'],
});

export const correctAll = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/corrections/replace/',
  summary: 'Replace a value in every rejected row that has it in one column',
  description:
    'One call corrects 20,000 rows at the most: where `rest` is not 0, the same call goes on. A GTIN is not replaced in several rows (422).',
  tag,
  access: 'editor',
  params: ImportParams,
  body: Type.Object({ place: Place, from: CellText, to: CellText }),
  status: 200,
  response: Type.Object({
    rows: Type.Integer({ minimum: 0, description: 'That were corrected.' }),
    rest: Type.Integer({ minimum: 0, description: 'That still have the value.' }),
    counts: RejectedRowCounts,
  }),
  errors: ['brand_not_found', 'import_not_found', 'csv_rejected'],
});

export const importCorrected = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/corrections/import/',
  summary: 'Import the corrected rows that have no errors any more',
  description: 'An import of its own, which names the one that it corrects. Each row is imported once. `Prefer` as for an upload.',
  tag,
  access: 'editor',
  params: ImportParams,
  status: 200,
  response: CsvUploadResult,
  accepted: AcceptedImport,
  errors: ['brand_not_found', 'import_not_found', 'import_nothing_corrected', 'too_many_imports', 'import_cancelled', 'import_interrupted'],
});
