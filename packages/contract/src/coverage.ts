import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { DigitsExportQuery, EXPORT_FILE_TYPES } from './exports.ts';
import { Id } from './paging.ts';

const tag = 'certificates';
const count = Type.Integer({ minimum: 0 });

/** How many variants have one certification of a brand. */
export const Coverage = Type.Object({
  certification_id: Id,
  certification_name: Type.String(),
  variants: count,
  siblings_without: Type.Integer({
    minimum: 0,
    description: 'Variants without it that have the category, or all but the last word of the name, of one with it.',
  }),
});
export type Coverage = Static<typeof Coverage>;

export const CoverageAnswer = Type.Object({
  results: Type.Array(Coverage),
  counted_at: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'Only of brands with more than 100,000 variants, where it is counted again some minutes after a change: when it was counted last. Null: not yet.',
    }),
  ),
});
export type CoverageAnswer = Static<typeof CoverageAnswer>;

export const getCoverage = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certificates/coverage/',
  summary: "How many of the brand's variants have each of its certifications, and how many siblings do not",
  tag,
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: CoverageAnswer,
  errors: ['brand_not_found'],
});

export const exportCoverage = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/certificates/coverage/export/',
  summary: 'The siblings without a certification as a file',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: DigitsExportQuery,
  status: 200,
  responseKind: 'file',
  fileTypes: EXPORT_FILE_TYPES,
  errors: ['brand_not_found'],
});
