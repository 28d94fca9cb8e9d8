import { type Static, Type } from 'typebox';
import { BrandStatus } from './brand-status.ts';
import { BrandParams } from './brands.ts';
import { MAX_SEARCH_LENGTH } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Id, Page, PageNumber, PageSize } from './paging.ts';
import { EmailAddress } from './people.ts';

const tag = 'platform';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()]);

export const PlatformBrand = Type.Object({
  id: Id,
  name: Type.String(),
  status: BrandStatus,
  created_at: Time,
  opted_in_for_trial: Type.Boolean(),
  member_count: Count,
  shares_name: Type.Boolean({ description: 'Another brand has the same name, apart from case and accents.' }),
  owner: Nullable(
    Type.Object({
      email: Type.String(),
      name: Type.String(),
      is_invited: Type.Boolean({ description: 'Not yet in.' }),
    }),
  ),
});
export type PlatformBrand = Static<typeof PlatformBrand>;

export const PlatformBrandList = Type.Interface([Page(PlatformBrand)], {
  sharing_names: Type.Integer({ minimum: 0, description: 'How many of all brands have a name that another one has.' }),
});
export type PlatformBrandList = Static<typeof PlatformBrandList>;

export const PlatformBrandQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH, description: 'In the name or an owner’s address; or the number.' })),
  status: Type.Optional(BrandStatus),
  shares_name: Type.Optional(Type.Boolean({ description: 'Only those whose name another brand has, or only others.' })),
  page: Type.Optional(PageNumber),
  page_size: Type.Optional(PageSize),
});
export type PlatformBrandQuery = Static<typeof PlatformBrandQuery>;

export const listPlatformBrands = endpoint({
  method: 'GET',
  path: '/api/v1/platform/brands/',
  summary: 'All brands, by name',
  tag,
  access: 'staff',
  query: PlatformBrandQuery,
  status: 200,
  response: PlatformBrandList,
});

export const updatePlatformBrand = endpoint({
  method: 'PATCH',
  path: '/api/v1/platform/brands/:brandId/',
  summary: 'Change the status of a brand',
  tag,
  access: 'staff',
  params: BrandParams,
  body: Type.Object({ status: BrandStatus }),
  status: 200,
  response: PlatformBrand,
  errors: ['brand_not_found'],
});

export const addBrandOwner = endpoint({
  method: 'POST',
  path: '/api/v1/platform/brands/:brandId/owners/',
  summary: 'Name another owner of a brand',
  description: 'Somebody with an account is added at once, everybody else is invited by mail. Owners of before stay.',
  tag,
  access: 'staff',
  params: BrandParams,
  body: Type.Object({ email: EmailAddress }),
  status: 201,
  response: PlatformBrand,
  errors: ['brand_not_found', 'already_member'],
});

/** At most this many failures are listed. */
export const MAX_FAILURES = 100;

export const FailedDelivery = Type.Object({
  brand_id: Id,
  brand_name: Type.String({ description: 'Empty where the brand is deleted.' }),
  variant_id: Id,
  gtin: Nullable(Type.String()),
  state: Type.String(),
  attempts: Count,
  reason: Type.String(),
  since: Time,
  next_attempt_at: Nullable(Time),
});
export type FailedDelivery = Static<typeof FailedDelivery>;

export const listFailedDeliveries = endpoint({
  method: 'GET',
  path: '/api/v1/platform/deliveries/',
  summary: 'Deliveries of all brands that were refused or could not be made',
  description: `The oldest first, ${MAX_FAILURES} at the most; \`count\` tells how many there are.`,
  tag,
  access: 'staff',
  status: 200,
  response: Page(FailedDelivery),
});

export const retryFailedDelivery = endpoint({
  method: 'POST',
  path: '/api/v1/platform/deliveries/retry/',
  summary: 'Carry a delivery out anew at once',
  tag,
  access: 'staff',
  body: Type.Object({ brand_id: Id, variant_id: Id }),
  status: 200,
  response: Type.Object({ deliveries: Count }),
  errors: ['brand_not_found'],
});

export const FailedImport = Type.Object({
  brand_id: Id,
  brand_name: Type.String(),
  id: Id,
  file_name: Type.String(),
  created_at: Time,
  reason: Type.String({ description: 'In the language of the request.' }),
});
export type FailedImport = Static<typeof FailedImport>;

export const FAILED_IMPORT_DAYS = 30;

export const listFailedImports = endpoint({
  method: 'GET',
  path: '/api/v1/platform/imports/',
  summary: `Imports of all brands that failed within the last ${FAILED_IMPORT_DAYS} days`,
  description: `The newest first, ${MAX_FAILURES} at the most; \`count\` tells how many there are.`,
  tag,
  access: 'staff',
  status: 200,
  response: Page(FailedImport),
});

export const Registry = Type.Object({
  certification_name: Type.String(),
  entries: Count,
  loaded_at: Time,
  can_roll_back: Type.Boolean(),
});
export type Registry = Static<typeof Registry>;

export const listPlatformRegistries = endpoint({
  method: 'GET',
  path: '/api/v1/platform/registries/',
  summary: 'The registries that are loaded',
  tag,
  access: 'staff',
  status: 200,
  response: Type.Object({ results: Type.Array(Registry) }),
});

export const RolledBack = Type.Object({
  loaded_at: Nullable(Time),
  brands: Type.Integer({ minimum: 0, description: 'Whose certificates are checked anew.' }),
  effects: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), certificates: Count, brands: Count }), {
    description: 'Of a preview: which statuses would change.',
  }),
});
export type RolledBack = Static<typeof RolledBack>;

export const rollBackPlatformRegistry = endpoint({
  method: 'POST',
  path: '/api/v1/platform/registries/rollback/',
  summary: 'Take the last load of a registry back, or tell what that would change',
  tag,
  access: 'staff',
  body: Type.Object({
    certification: Type.String({ minLength: 1, maxLength: 200 }),
    preview: Type.Boolean({ description: 'Nothing is changed.' }),
  }),
  status: 200,
  response: RolledBack,
  errors: ['not_found'],
});

export const JobKind = Type.Object({
  task: Type.String(),
  waiting: Count,
  scheduled: Count,
  running: Count,
  retrying: Count,
  failed: Type.Integer({ minimum: 0, description: 'Given up.' }),
});
export type JobKind = Static<typeof JobKind>;

export const FailingJob = Type.Object({
  id: Type.String(),
  task: Type.String(),
  attempts: Count,
  max_attempts: Count,
  last_error: Type.String(),
  created_at: Time,
  run_at: Nullable(Time),
});
export type FailingJob = Static<typeof FailingJob>;

export const JobList = Type.Object({ kinds: Type.Array(JobKind), failing: Type.Array(FailingJob) });
export type JobList = Static<typeof JobList>;

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/v1/platform/jobs/',
  summary: 'Jobs in the queue by kind, and those that fail',
  description: `The failing ones oldest first, ${MAX_FAILURES} at the most.`,
  tag,
  access: 'staff',
  status: 200,
  response: JobList,
});

const JobParams = Type.Object({ jobId: Id });

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/v1/platform/jobs/:jobId/retry/',
  summary: 'Run a failing job again at once',
  tag,
  access: 'staff',
  params: JobParams,
  status: 204,
  errors: ['not_found'],
});

export const deleteJob = endpoint({
  method: 'DELETE',
  path: '/api/v1/platform/jobs/:jobId/',
  summary: 'Delete a failing job',
  tag,
  access: 'staff',
  params: JobParams,
  status: 204,
  errors: ['not_found'],
});
