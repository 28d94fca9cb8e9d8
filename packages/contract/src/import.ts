import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { MAX_LISTED_ERRORS, MAX_SEARCH_LENGTH } from './constants.ts';
import { type AnswerOf, endpoint } from './endpoint.ts';
import { ColumnQuestion } from './import-mapping.ts';
import { Id, Page, PageNumber, PageSize } from './paging.ts';
import { RestoreResult, VariantActionResult } from './variant-action-results.ts';
import { EDITABLE_FIELDS, VariantDetails } from './variant-fields.ts';

const tag = 'import';

export const CsvHeaders = Type.Object({
  columns: Type.Array(Type.String()),
  required_columns: Type.Array(Type.String()),
  optional_columns: Type.Array(Type.String()),
});
export type CsvHeaders = Static<typeof CsvHeaders>;

export const CsvRowError = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'As a spreadsheet numbers it: the header is row 1.' }),
  message: Type.String({ description: 'In the language that the request asks for (Accept-Language).' }),
  field: Type.Optional(Type.String()),
  code: Type.String({ description: 'Which rule the row breaks.' }),
});
export type CsvRowError = Static<typeof CsvRowError>;

export const CsvWarning = Type.Object({ code: Type.String(), message: Type.String() });
export type CsvWarning = Static<typeof CsvWarning>;

const listedErrors = Type.Array(CsvRowError, {
  maxItems: MAX_LISTED_ERRORS,
  description: 'The first errors; error_count says how many there are, the rejected rows have them all.',
});

export const CsvUploadResult = Type.Object({
  errors: listedErrors,
  imported: Type.Integer({ minimum: 0, description: 'Rows that are in the database now.' }),
  total_rows: Type.Integer({ minimum: 0 }),
  error_count: Type.Integer({ minimum: 0 }),
  warnings: Type.Array(CsvWarning),
  import_id: Id,
  variants_created: Type.Integer({ minimum: 0 }),
  variants_updated: Type.Integer({ minimum: 0 }),
  variants_unchanged: Type.Integer({ minimum: 0, description: 'Variants of which the file says nothing new.' }),
});
export type CsvUploadResult = Static<typeof CsvUploadResult>;
export type CsvUploadAnswer = Omit<
  AnswerOf<CsvUploadResult, 'error_count' | 'warnings' | 'import_id' | `variants_${'created' | 'updated' | 'unchanged'}`>,
  'errors'
> & {
  errors: AnswerOf<CsvRowError, 'code'>[];
};

/**
 * `waiting` (queued) and `running` are in progress; the others are final. `done`: has changed the brand. `undone`: was
 * undone later. `checked`: a dry run that waits to be confirmed.
 */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled', 'undone', 'checked', 'discarded'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
export const IMPORT_STAGES = ['reading', 'merging'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** The answer to an upload that continues in the background: poll `GET …/imports/{import_id}/` for its progress. */
export const AcceptedImport = Type.Object({ import_id: Id, state: Type.Enum([...IMPORT_STATES]) });
export type AcceptedImport = Static<typeof AcceptedImport>;

/** For the descriptions of actions that may take long. */
export const ACCEPTED_LATER =
  'Answers when it is done, after 8 seconds at the latest, or after N with `Prefer: respond-async, wait=N`: then with 202 and the id of an import, whose `outcome` has the result when it is done.';

/** What a bulk change does, and where its rows come from. */
export const IMPORT_KINDS = ['file', 'corrections', 'undo', 'publish_all', 'publish', 'unpublish', 'delete', 'restore'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** An import from its upload on: who uploaded which file, its progress, and its result. */
export const ImportReceipt = Type.Object({
  id: Id,
  kind: Type.Enum([...IMPORT_KINDS], {
    description:
      '`file`: an uploaded file. `corrections`: corrected rows of one. `undo`: the undo of one. The others are actions on selected variants, which the list leaves out.',
  }),
  outcome: Type.Union([VariantActionResult, RestoreResult, Type.Null()], {
    description: 'Of an action on variants that is done: its result, as its call would have answered.',
  }),
  file_name: Type.String(),
  file_bytes: Type.Integer({ minimum: 0 }),
  file_sha256: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  imported_by: Type.Union([Type.Object({ first_name: Type.String(), last_name: Type.String(), email: Type.String() }), Type.Null()]),
  state: Type.Enum([...IMPORT_STATES]),
  stage: Type.Union([Type.Enum([...IMPORT_STAGES]), Type.Null()], {
    description: 'What a running import does: reading the file, then merging its rows into the brand.',
  }),
  rows_done: Type.Integer({ minimum: 0, description: 'Rows that have been read.' }),
  rows_total: Type.Integer({ minimum: 0, description: 'Counted in lines until the file has been read.' }),
  failure: Type.Union(
    [
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        context: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Of an action on variants: as in an error.' })),
        sheets: Type.Optional(Type.Array(Type.String(), { description: 'Of a workbook: those to choose from.' })),
        mapping: Type.Optional(ColumnQuestion),
      }),
      Type.Null(),
    ],
    { description: 'Why it failed, in the language that the request asks for.' },
  ),
  total_rows: Type.Integer({ minimum: 0, description: 'This and the other counts are 0 until the import is done.' }),
  imported: Type.Integer({ minimum: 0 }),
  rejected: Type.Integer({ minimum: 0, description: 'Rows with at least one error.' }),
  error_count: Type.Integer({ minimum: 0 }),
  variants_created: Type.Integer({ minimum: 0 }),
  variants_updated: Type.Integer({ minimum: 0 }),
  variants_unchanged: Type.Integer({ minimum: 0 }),
  warnings: Type.Array(CsvWarning),
  undoes_import_id: Type.Union([Id, Type.Null()], { description: 'Of an undo: the import that it took back.' }),
  corrects_import_id: Type.Union([Id, Type.Null()], {
    description: 'Of rows that were corrected: the import that had rejected them.',
  }),
  undo_until: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Until when it can be taken back; null where it cannot.',
  }),
  changed_nothing: Type.Boolean({ description: 'It is done and changed nothing, so there is nothing to take back.' }),
  variants_removed: Type.Integer({ minimum: 0, description: 'Of an undo.' }),
  kept_count: Type.Integer({
    minimum: 0,
    description: 'Of an undo: variants with fields that were changed later, and that it left as they are.',
  }),
});
export type ImportReceipt = Static<typeof ImportReceipt>;

/** A field that an undo leaves as it is. */
export const KeptField = Type.Object({
  field: Type.Enum([...EDITABLE_FIELDS]),
  by: Type.String({ description: 'Name or email of the person who changed it last; empty if not known.' }),
  at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'When. Null: not known.' }),
});
export type KeptField = Static<typeof KeptField>;
export const KeptVariant = Type.Object({
  id: Id,
  gtin: Type.String(),
  name: Type.String(),
  fields: Type.Array(KeptField, { description: 'Of a variant that the import created: what was changed since.' }),
});
export type KeptVariant = Static<typeof KeptVariant>;
const keptVariants = Type.Array(KeptVariant, { description: 'The first hundred of them.' });

export const ImportDetail = Type.Interface([ImportReceipt], { errors: listedErrors, kept: keptVariants });
export type ImportDetail = Static<typeof ImportDetail>;

export const ImportForMember = Type.Interface([ImportDetail], {
  may_edit: Type.Boolean({ description: 'Whether the caller may import, correct or undo it.' }),
});
export type ImportForMember = Static<typeof ImportForMember>;

export const ImportParams = Type.Object({ brandId: Id, importId: Id });

export const getCsvHeaders = endpoint({
  method: 'GET',
  path: '/api/v1/variant-certifications/csv-headers/',
  summary: 'The columns an upload may have',
  tag,
  access: 'signed_in',
  keys: true,
  status: 200,
  response: CsvHeaders,
});

export const downloadTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/variant-certifications/template/',
  summary: 'An Excel workbook to fill in and upload',
  tag,
  access: 'signed_in',
  keys: true,
  status: 200,
  responseKind: 'file',
  fileTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
});

export const uploadCsv = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variant-certifications/upload/',
  summary: "Import a CSV file or an Excel workbook into the brand's variants",
  description:
    'The form has the file in the field `file`. Where several sheets of a workbook have the required columns, the upload is refused with their names, one per line, in `fields.sheet`; ' +
    'the field `sheet` chooses one. ' +
    "Where required columns are missing, `fields.mapping` has what was found, as JSON: the header's row, and each column with its place, a few values and what it probably is. " +
    'The field `mapping` says which column is which, by their places: `{"0": "variant_name", "2": "gtin"}`; other columns are ignored. ' +
    'The choice is remembered for files of the brand with the same columns. `mapping=ask` asks for columns that are not recognised but likely as well, `mapping=choose` in any case. ' +
    'A form with the file alone asks as well with the header `Prefer: mapping=ask`. With this header, a doubtful file is not imported: ' +
    'if a mapped column would rename more than 5 % of the known variants in the file, or a certificate id is probably mistyped, the response is 202 with the state `checked`, and the import can be previewed and confirmed. ' +
    'Answers when the import has ended. With the header `Prefer: respond-async, wait=N` (RFC 7240) it answers after N seconds at the latest: ' +
    '202 with the id of the import, which is followed at the `Location`. The same if the server stops: another one continues the import. Once the whole file has arrived, neither a closed connection nor a stopped server ends it.',
  tag,
  access: 'editor',
  params: BrandParams,
  bodyKind: 'multipart',
  status: 200,
  response: CsvUploadResult,
  accepted: AcceptedImport,
  errors: [
    'malformed_request',
    'brand_not_found',
    'payload_too_large',
    'unsupported_media_type',
    'csv_rejected',
    'quota_exceeded',
    'too_many_imports',
    'import_cancelled',
    'import_interrupted',
  ],
});

/** Why imports need attention: they failed, or have rejected rows that were not corrected. */
export const IMPORT_NOTICES = ['failed', 'rejected_rows'] as const;
/** In one call. */
export const MAX_DISMISSED = 1_000;
export type ImportNotice = (typeof IMPORT_NOTICES)[number];

export const listImports = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/',
  summary: "One page of the brand's imports, the newest first",
  tag,
  access: 'viewer',
  params: BrandParams,
  query: Type.Object({
    page: Type.Optional(PageNumber),
    page_size: Type.Optional(PageSize),
    search: Type.Optional(
      Type.String({
        maxLength: MAX_SEARCH_LENGTH,
        description: "Words, all in the file's name, or all in the name or e-mail of who uploaded it.",
      }),
    ),
    notice: Type.Optional(
      Type.Enum([...IMPORT_NOTICES], {
        description: 'Only those that need attention for this reason, as `GET …/attention/` counts them.',
      }),
    ),
  }),
  status: 200,
  response: Page(ImportReceipt),
  errors: ['brand_not_found'],
});

export const dismissImports = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/dismiss/',
  summary: 'Take imports off what needs attention, for all members; they stay in the list of imports',
  description: '`ids`: those to dismiss, such as `ids` of `GET …/attention/`. Others are left as they are.',
  tag,
  access: 'editor',
  params: BrandParams,
  body: Type.Object({
    notice: Type.Enum([...IMPORT_NOTICES]),
    ids: Type.Array(Id, { minItems: 1, maxItems: MAX_DISMISSED }),
  }),
  status: 200,
  response: Type.Object({ dismissed: Type.Integer({ minimum: 0 }) }),
  errors: ['brand_not_found'],
});

export const getImport = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/',
  summary: 'One import with its first errors',
  tag,
  access: 'viewer',
  params: ImportParams,
  status: 200,
  response: ImportForMember,
  errors: ['brand_not_found', 'import_not_found'],
});

export const cancelImport = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/cancel/',
  summary: 'End an import that waits or runs, or discard one that was checked; nothing of it lands',
  tag,
  access: 'editor',
  inInactive: true,
  params: ImportParams,
  status: 200,
  response: ImportDetail,
  errors: ['brand_not_found', 'import_not_found', 'import_ended'],
});

const SampledVariant = Type.Object({
  gtin: Type.String(),
  name: Type.String(),
  category: Type.String(),
  old_name: Type.Union([Type.String(), Type.Null()], { description: 'Null where the name does not change.' }),
  old_category: Type.Union([Type.String(), Type.Null()]),
  details: VariantDetails,
  old_details: Type.Union([VariantDetails, Type.Null()]),
  certificates: Type.Array(Type.String(), { description: 'Those that it gets: certification and id.' }),
  old_certificates: Type.Array(Type.String(), {
    description: 'Those that it has already, and keeps.',
  }),
});

/** A certificate id of a file that is probably mistyped: one that the brand or the file has looks like it. */
export const LikelyId = Type.Object({
  certification_id: Id,
  certification_name: Type.String(),
  certificate_id: Type.String({ description: 'As in the file.' }),
  likely_id: Type.String({ description: 'The certificate id that is probably meant.' }),
  rows: Type.Integer({ minimum: 1, description: 'Rows of the file that have the mistyped one.' }),
});
export type LikelyId = Static<typeof LikelyId>;

/** What an import would change, given the brand's present data. */
export const ImportPreview = Type.Object({
  import_id: Id,
  file_name: Type.String(),
  valid_until: Type.String({ format: 'date-time' }),
  total_rows: Type.Integer({ minimum: 0 }),
  rejected: Type.Integer({ minimum: 0 }),
  error_count: Type.Integer({ minimum: 0 }),
  variants_created: Type.Integer({ minimum: 0 }),
  variants_updated: Type.Integer({ minimum: 0 }),
  variants_unchanged: Type.Integer({ minimum: 0 }),
  channel: Type.Object({
    published: Type.Integer({ minimum: 0, description: 'Variants that the file publishes.' }),
    sent_again: Type.Integer({
      minimum: 0,
      description: 'Published variants of which the channel is told something new.',
    }),
  }),
  needs_trial: Type.Boolean({ description: 'The file names the channel, but the brand has not started its trial.' }),
  created: Type.Array(SampledVariant, { description: 'Some of them.' }),
  updated: Type.Array(SampledVariant, {
    description: 'Some of those whose name, category, certificates or publication change.',
  }),
  errors: Type.Array(CsvRowError, { description: 'Of the first hundred rejected rows.' }),
  warnings: Type.Array(CsvWarning),
  likely_ids: Type.Array(LikelyId, { description: 'The first 20 certificate ids that are probably mistyped.' }),
  same_as: Type.Union([Type.Object({ import_id: Id, created_at: Type.String({ format: 'date-time' }) }), Type.Null()], {
    description: 'An earlier import of the same rows, in whatever order.',
  }),
});
export type ImportPreview = Static<typeof ImportPreview>;

export const checkCsv = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/check/',
  summary: 'Check a file and tell what its import would do; nothing is imported',
  description: 'Can be confirmed for 30 minutes. `Prefer` as for an upload.',
  tag,
  access: 'editor',
  params: BrandParams,
  bodyKind: 'multipart',
  status: 200,
  response: ImportPreview,
  accepted: AcceptedImport,
  errors: uploadCsv.errors,
});

export const getImportPreview = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/preview/',
  summary: 'What a checked import would do now',
  tag,
  access: 'editor',
  params: ImportParams,
  status: 200,
  response: ImportPreview,
  errors: ['brand_not_found', 'import_not_found', 'import_not_checked'],
});

export const confirmImport = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/confirm/',
  summary: 'Import what was checked',
  description:
    'With the numbers that its preview told. Where it would do something else by now, it is not imported (409 `import_plan_changed`): the preview has the new numbers.',
  tag,
  access: 'editor',
  params: ImportParams,
  body: Type.Object({
    variants_created: Type.Integer({ minimum: 0 }),
    variants_updated: Type.Integer({ minimum: 0 }),
    variants_unchanged: Type.Integer({ minimum: 0 }),
    rejected: Type.Integer({ minimum: 0 }),
    published: Type.Integer({ minimum: 0 }),
    sent_again: Type.Integer({ minimum: 0 }),
  }),
  status: 200,
  response: CsvUploadResult,
  accepted: AcceptedImport,
  errors: [
    'brand_not_found',
    'import_not_found',
    'import_not_checked',
    'import_plan_changed',
    'too_many_imports',
    'import_cancelled',
    'import_interrupted',
  ],
});

export const takeLikelyId = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/certificate-ids/',
  summary: 'Correct a mistyped certificate id in a checked import',
  description:
    'With the ids of one of the `likely_ids` of the preview. Changes all rows that have the mistyped one, and answers with the new preview. Others are ignored.',
  tag,
  access: 'editor',
  params: ImportParams,
  body: Type.Object({
    certification_id: Id,
    certificate_id: Type.String({ maxLength: 100 }),
    likely_id: Type.String({ maxLength: 100 }),
  }),
  status: 200,
  response: ImportPreview,
  errors: ['brand_not_found', 'import_not_found', 'import_not_checked'],
});

export const UndoPreview = Type.Object({
  restored: Type.Integer({
    minimum: 0,
    description: 'Variants of which fields get their former values, or that lose certificates of the import.',
  }),
  removed: Type.Integer({ minimum: 0, description: 'Variants that the import created.' }),
  withdrawn: Type.Integer({ minimum: 0, description: 'Published variants that are no longer published afterwards.' }),
  certificate_links: Type.Integer({
    minimum: 0,
    description: 'Certificates that get their former page at the issuer.',
  }),
  kept_count: Type.Integer({
    minimum: 0,
    description: 'Variants with fields that were changed since: these fields stay. Created variants that were changed since stay whole.',
  }),
  kept: keptVariants,
  corrected_imports: Type.Integer({
    minimum: 0,
    description: 'Imports of its rejected rows, corrected since. They stay: each is taken back by itself.',
  }),
  corrected_variants: Type.Integer({ minimum: 0, description: 'Variants that these have created or changed.' }),
});
export type UndoPreview = Static<typeof UndoPreview>;

export const previewUndo = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/undo/',
  summary: 'What taking an import back would do',
  tag,
  access: 'editor',
  params: ImportParams,
  status: 200,
  response: UndoPreview,
  errors: ['brand_not_found', 'import_not_found', 'import_not_undoable'],
});

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/imports/:importId/undo/',
  summary: 'Take an import back',
  description:
    'The undo is an import of its own, with its receipt, which is the answer. With `Prefer: respond-async, wait=N` it answers like an upload.',
  tag,
  access: 'editor',
  params: ImportParams,
  status: 200,
  response: ImportDetail,
  accepted: AcceptedImport,
  errors: ['brand_not_found', 'import_not_found', 'import_not_undoable', 'too_many_imports', 'import_cancelled', 'import_interrupted'],
});

/**
 * `updated`: existing variants with any change, new certificates included. `certified`: all variants with new
 * certificates, created ones included.
 */
export const IMPORT_CHANGE_KINDS = ['created', 'updated', 'certified'] as const;

/**
 * A variant that an import created, changed, or gave certificates. The changed fields are as the import left them, the
 * others as they are now.
 */
export const ImportChange = Type.Object({
  variant_id: Id,
  gtin: Type.String(),
  name: Type.String(),
  category: Type.String(),
  old_name: Type.Union([Type.String(), Type.Null()], { description: 'Null where the name did not change.' }),
  old_category: Type.Union([Type.String(), Type.Null()]),
  details: VariantDetails,
  old_details: Type.Union([VariantDetails, Type.Null()]),
  certificates: Type.Array(Type.String(), { description: 'Those that it got: certification and id.' }),
});
export type ImportChange = Static<typeof ImportChange>;

export const listImportChanges = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/changes/',
  summary: 'One page of what an import changed',
  tag,
  access: 'viewer',
  params: ImportParams,
  query: Type.Object({
    kind: Type.Enum([...IMPORT_CHANGE_KINDS]),
    page: Type.Optional(PageNumber),
    page_size: Type.Optional(PageSize),
  }),
  status: 200,
  response: Page(ImportChange),
  errors: ['brand_not_found', 'import_not_found'],
});
