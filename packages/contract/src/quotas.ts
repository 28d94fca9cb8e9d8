import { type Static, Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';

export const QUOTAS = ['variants', 'api_keys', 'imports', 'staged_bytes'] as const;
export type QuotaName = (typeof QUOTAS)[number];
/** The most that one brand may store. */
export type Quotas = Readonly<Record<QuotaName, number>>;

const count = Type.Integer({ minimum: 0 });

export const Quota = Type.Object({
  name: Type.Enum(QUOTAS, {
    description:
      '`variants`: deleted ones count as long as they can be restored. `api_keys`: those that work. `imports`: all that the list of imports has. `staged_bytes`: files that are being imported, or are checked and wait to be confirmed.',
  }),
  used: count,
  limit: count,
});
export type Quota = Static<typeof Quota>;

export const listQuotas = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/quotas/',
  summary: 'How much the brand may store, and how much it does',
  tag: 'brands',
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: Type.Object({ results: Type.Array(Quota) }),
  errors: ['brand_not_found'],
});
