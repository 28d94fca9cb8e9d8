import { Type } from 'typebox';
import { BrandParams } from './brands.ts';
import { endpoint } from './endpoint.ts';
import { ACCEPTED_LATER, AcceptedImport } from './import.ts';
import { Id } from './paging.ts';
import { ProductVariant } from './variants.ts';

const tag = 'publishing';

export const publishVariant = endpoint({
  method: 'PATCH',
  path: '/api/v1/variants/:variantId/publish/',
  summary: 'Publish or unpublish one variant',
  tag,
  access: 'editor',
  publishes: { published: true },
  params: Type.Object({ variantId: Id }),
  body: Type.Object({ published: Type.Boolean() }),
  status: 200,
  response: ProductVariant,
  errors: ['variant_not_found', 'trial_required'],
});

export const publishAllVariants = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variants/publish-all/',
  summary: 'Publish every variant of the brand',
  description: ACCEPTED_LATER,
  tag,
  access: 'editor',
  publishes: {},
  params: BrandParams,
  status: 200,
  response: Type.Object({
    published: Type.Integer({ minimum: 0, description: 'Variants that were not published before.' }),
  }),
  accepted: AcceptedImport,
  errors: ['brand_not_found', 'trial_required', 'too_many_imports'],
});
