import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';

const tag = 'import';

export const CsvHeaders = Type.Object({
  columns: Type.Array(Type.String()),
  required_columns: Type.Array(Type.String()),
  optional_columns: Type.Array(Type.String()),
});
export type CsvHeaders = Static<typeof CsvHeaders>;

export const CsvRowError = Type.Object({
  row: Type.Integer({ minimum: 1, description: 'As a spreadsheet numbers it: the header is row 1.' }),
  message: Type.String(),
  field: Type.Optional(Type.String()),
});
export type CsvRowError = Static<typeof CsvRowError>;

export const CsvUploadResult = Type.Object({
  errors: Type.Array(CsvRowError),
  imported: Type.Integer({ minimum: 0 }),
  total_rows: Type.Integer({ minimum: 0 }),
});
export type CsvUploadResult = Static<typeof CsvUploadResult>;

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
  errors: ['brand_not_found', 'payload_too_large', 'unsupported_media_type', 'csv_rejected'],
});
