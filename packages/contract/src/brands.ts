import { type Static, Type } from 'typebox';
import { BRAND_STATUSES, BrandStatus } from './brand-status.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './paging.ts';
import { EmailAddress } from './people.ts';
import { ROLES, type Role } from './roles.ts';

const tag = 'brands';

export const Brand = Type.Object({
  id: Id,
  name: Type.String(),
  logo: Type.String({ description: 'Image URL (https); empty when there is none.' }),
  website: Type.String({ description: 'http or https URL; empty when there is none.' }),
  status: BrandStatus,
  opted_in_for_trial: Type.Boolean(),
  description: Type.String(),
  member_count: Type.Integer({ minimum: 0 }),
  owner: Type.Object({ first_name: Type.String(), last_name: Type.String() }),
});
export type Brand = Static<typeof Brand>;

export const BrandDetail = Type.Interface([Brand], {
  role: Type.Optional(Type.Enum([...ROLES], { description: 'Of who asks.' })),
  is_last_owner: Type.Optional(Type.Boolean({ description: 'Who asks is the only owner, and cannot leave.' })),
  version: Type.Optional(Type.Integer({ minimum: 1, description: 'Goes up with every change of its fields.' })),
});
export type BrandDetail = Static<typeof BrandDetail>;

/** As the web app reads it: other servers may send null for empty fields. */
export type BrandAnswer = Omit<Brand, 'logo' | 'website' | 'description' | 'owner'> & {
  [Field in 'logo' | 'website' | 'description' | 'owner']: Brand[Field] | null;
} & { role?: Role; is_last_owner?: boolean; version?: number };

export const BrandList = Type.Object({
  results: Type.Array(Brand),
  member_count: Type.Integer({ minimum: 0, description: 'Different people across all of these brands.' }),
});
export type BrandList = Static<typeof BrandList>;
export type BrandListAnswer = Omit<BrandList, 'results'> & { results: BrandAnswer[] };

const webAddress = { maxLength: 2048, pattern: '^(https?://[^\\s]+)?$' };
const brandFields = {
  name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  logo: Type.String({ maxLength: 2048, pattern: '^((https?://|/(?!/))[^\\s]+)?$' }),
  website: Type.String(webAddress),
  status: BrandStatus,
  description: Type.String({ maxLength: 2000 }),
};

export const CreateBrand = Type.Object({
  name: brandFields.name,
  owner_email: EmailAddress,
  logo: Type.Optional(brandFields.logo),
  website: Type.Optional(brandFields.website),
  status: Type.Optional(brandFields.status),
  description: Type.Optional(brandFields.description),
});
export type CreateBrand = Static<typeof CreateBrand>;

/** Some fields of the brand's answer, for clients that send all of it back. */
export const UpdateBrand = Type.Partial(
  Type.Interface([Type.Omit(BrandDetail, ['name', 'logo', 'website', 'status', 'description'])], {
    ...brandFields,
    status: Type.Enum(BRAND_STATUSES, {
      deprecated: true,
      description: 'Only its current value is accepted: platform staff change it, at `/api/v1/platform/brands/{brandId}/`.',
    }),
  }),
  { minProperties: 1 },
);
export type UpdateBrand = Static<typeof UpdateBrand>;
/** Those that a call can change. */
export type BrandChanges = Partial<Pick<UpdateBrand, keyof typeof brandFields>>;

/** Path parameters of every endpoint inside one brand. */
export const BrandParams = Type.Object({ brandId: Id });

export const listBrands = endpoint({
  method: 'GET',
  path: '/api/v1/brands/',
  summary: 'The brands that the signed-in user is a member of',
  tag,
  access: 'signed_in',
  status: 200,
  response: BrandList,
});

export const getBrand = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/',
  summary: 'One brand',
  tag,
  access: 'viewer',
  params: BrandParams,
  status: 200,
  response: BrandDetail,
  errors: ['brand_not_found'],
});

export const createBrand = endpoint({
  method: 'POST',
  path: '/api/v1/brands/',
  summary: 'Create a brand and name its owner',
  description: '`brand_exists`: this owner has a brand of this name, perhaps by an earlier call whose answer was lost.',
  tag,
  access: 'staff',
  body: CreateBrand,
  status: 201,
  response: Brand,
  errors: ['brand_exists'],
});

export const updateBrand = endpoint({
  method: 'PATCH',
  path: '/api/v1/brands/:brandId/',
  summary: 'Change some fields of a brand',
  description:
    'With a `version`, it is refused as `brand_changed` where somebody has changed the brand since; `context` has the current values. ' +
    'Other fields of the answer, `status` among them, are accepted if they have the current value.',
  tag,
  access: 'admin',
  keys: true,
  params: BrandParams,
  body: UpdateBrand,
  status: 200,
  response: BrandDetail,
  errors: ['brand_not_found', 'brand_changed', 'brand_status_fixed'],
});

export const deleteBrand = endpoint({
  method: 'DELETE',
  path: '/api/v1/brands/:brandId/',
  summary: 'Delete a brand and everything that belongs to it; an owner can restore it for 7 days',
  tag,
  access: 'owner',
  params: BrandParams,
  status: 204,
  errors: ['brand_not_found'],
});

export const optInForTrial = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/opt-in-trial/',
  summary: "Start the brand's free trial; again changes nothing",
  tag,
  access: 'editor',
  params: BrandParams,
  status: 200,
  response: Brand,
  errors: ['brand_not_found'],
});

/** How long an owner can restore a deleted brand. */
export const RESTORABLE_DAYS = 7;

export const BrandContents = Type.Object({
  variants: Type.Integer({ minimum: 0 }),
  published: Type.Integer({ minimum: 0, description: 'Withdrawn from the channel at once.' }),
  certificates: Type.Integer({ minimum: 0 }),
  members: Type.Integer({ minimum: 0 }),
  imports: Type.Integer({ minimum: 0 }),
});
export type BrandContents = Static<typeof BrandContents>;

export const getBrandContents = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/contents/',
  summary: 'How much goes with the brand if it is deleted',
  tag,
  access: 'owner',
  params: BrandParams,
  status: 200,
  response: BrandContents,
  errors: ['brand_not_found'],
});

export const DeletedBrand = Type.Object({
  id: Id,
  name: Type.String(),
  restorable_until: Type.String(),
});
export type DeletedBrand = Static<typeof DeletedBrand>;

export const listDeletedBrands = endpoint({
  method: 'GET',
  path: '/api/v1/users/me/deleted-brands/',
  summary: 'The deleted brands that whoever is signed in owns and can restore',
  tag,
  access: 'signed_in',
  status: 200,
  response: Type.Object({ results: Type.Array(DeletedBrand) }),
});

export const restoreBrand = endpoint({
  method: 'POST',
  path: '/api/v1/users/me/deleted-brands/:brandId/restore/',
  summary: 'Restore a deleted brand; what was published is published again',
  tag,
  access: 'signed_in',
  params: BrandParams,
  status: 204,
  errors: ['brand_not_found'],
});
