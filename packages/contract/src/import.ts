import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { LARGEST_LISTED_ERRORS } from './constants.ts';
import { type AnswerOf, endpoint } from './endpoint.ts';
import { Id, Page, PageNumber, PageSize } from './paging.ts';

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
  maxItems: LARGEST_LISTED_ERRORS,
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
  AnswerOf<
    CsvUploadResult,
    'error_count' | 'warnings' | 'import_id' | `variants_${'created' | 'updated' | 'unchanged'}`
  >,
  'errors'
> & {
  errors: AnswerOf<CsvRowError, 'code'>[];
};

/** What an import leaves behind: who brought which file, and what became of it. */
export const ImportReceipt = Type.Object({
  id: Id,
  file_name: Type.String(),
  file_bytes: Type.Integer({ minimum: 0 }),
  file_sha256: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  imported_by: Type.Union([
    Type.Object({ first_name: Type.String(), last_name: Type.String(), email: Type.String() }),
    Type.Null(),
  ]),
  total_rows: Type.Integer({ minimum: 0 }),
  imported: Type.Integer({ minimum: 0 }),
  rejected: Type.Integer({ minimum: 0, description: 'Rows with at least one error.' }),
  error_count: Type.Integer({ minimum: 0 }),
  variants_created: Type.Integer({ minimum: 0 }),
  variants_updated: Type.Integer({ minimum: 0 }),
  variants_unchanged: Type.Integer({ minimum: 0 }),
  warnings: Type.Array(CsvWarning),
});
export type ImportReceipt = Static<typeof ImportReceipt>;

export const ImportDetail = Type.Interface([ImportReceipt], { errors: listedErrors });
export type ImportDetail = Static<typeof ImportDetail>;

const ImportParams = Type.Object({ brandId: Id, importId: Id });

export const getCsvHeaders = endpoint({
  method: 'GET',
  path: '/api/v1/variant-certifications/csv-headers/',
  summary: 'The columns an upload may have',
  tag,
  access: 'signed_in',
  status: 200,
  response: CsvHeaders,
});

export const uploadCsv = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variant-certifications/upload/',
  summary: "Import a CSV file into the brand's variants",
  tag,
  access: 'editor',
  params: BrandParams,
  bodyKind: 'multipart',
  status: 200,
  response: CsvUploadResult,
  errors: [
    'malformed_request',
    'brand_not_found',
    'payload_too_large',
    'unsupported_media_type',
    'csv_rejected',
    'too_many_imports',
  ],
});

export const listImports = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/',
  summary: "One page of the brand's imports, the newest first",
  tag,
  access: 'viewer',
  params: BrandParams,
  query: Type.Object({ page: Type.Optional(PageNumber), page_size: Type.Optional(PageSize) }),
  status: 200,
  response: Page(ImportReceipt),
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
  response: ImportDetail,
  errors: ['brand_not_found', 'import_not_found'],
});

export const downloadRejectedRows = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/imports/:importId/rejected-rows/',
  summary: "An import's rejected rows as a CSV file: as they were, plus a column that says what is wrong",
  tag,
  access: 'viewer',
  params: ImportParams,
  status: 200,
  responseKind: 'csv',
  errors: ['brand_not_found', 'import_not_found'],
});
