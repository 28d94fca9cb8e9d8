import { type Static, Type } from 'typebox';

/** Every error code of the API with its HTTP status. The browser translates the code. */
export const ERROR_STATUS = {
  validation_failed: 400,
  malformed_request: 400,
  host_not_allowed: 400,
  unauthenticated: 401,
  provider_token_rejected: 401,
  refresh_token_invalid: 401,
  api_key_invalid: 401,
  api_key_of_deleted_brand: 401,
  api_key_revoked: 401,
  api_key_expired: 401,
  permission_denied: 403,
  key_not_allowed: 403,
  brand_inactive: 403,
  brand_pending: 403,
  brand_status_fixed: 403,
  email_not_verified: 403,
  email_not_supported: 403,
  not_found: 404,
  brand_not_found: 404,
  variant_not_found: 404,
  certificate_not_found: 404,
  import_not_found: 404,
  deletion_not_found: 404,
  user_not_found: 404,
  api_key_not_found: 404,
  session_not_found: 404,
  invitation_invalid: 404,
  already_member: 409,
  last_owner: 409,
  too_many_keys: 409,
  quota_exceeded: 409,
  account_owns_brands: 409,
  setup_in_progress: 409,
  trial_required: 409,
  import_cancelled: 409,
  import_ended: 409,
  import_not_undoable: 409,
  import_not_checked: 409,
  import_plan_changed: 409,
  import_row_changed: 409,
  variant_changed: 409,
  brand_changed: 409,
  brand_exists: 409,
  selection_changed: 409,
  selection_of_other_filter: 409,
  gtin_exists: 409,
  certificate_not_valid: 409,
  import_nothing_corrected: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  password_too_weak: 422,
  csv_rejected: 422,
  rate_limited: 429,
  too_many_imports: 429,
  internal_error: 500,
  brand_busy: 503,
  database_unavailable: 503,
  storage_full: 503,
  import_interrupted: 503,
  provider_unavailable: 503,
  not_ready: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export const ERROR_SCHEMA_ID = 'Error';

export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'What happened, in English, for people and logs.' }),
    code: Type.Enum(Object.keys(ERROR_STATUS) as ErrorCode[]),
    fields: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'What is wrong with each field, by its name.' })),
    context: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description:
          'What the error is about. Of `permission_denied`: `role`, `required_role` and `ask`, who can help. Of `brand_inactive`, `brand_pending` and `brand_status_fixed`: `ask`, an address. Of `variant_changed` and `brand_changed`: the current values. Of `gtin_exists`: `variant_id` and `name`. Of `certificate_not_valid`: `status` and `reason`. Of `selection_changed`: `count`, how many match now. Of `account_owns_brands`: `brands`, by name. Of `quota_exceeded`: `quota`, `used` and `limit`.',
      }),
    ),
    request_id: Type.String({ description: 'Names the request in the server log.' }),
  },
  { $id: ERROR_SCHEMA_ID },
);
export type ErrorBody = Static<typeof ErrorBody>;

export function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string' && value.code in ERROR_STATUS;
}
