import type { Endpoint } from '@brand-portal/contract/endpoint';
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '@brand-portal/contract/errors';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';
import { MARKER } from './two-tenants.ts';

/** Errors of the parser or the router, before the endpoint is known. */
const TRANSPORT: readonly ErrorCode[] = ['malformed_request', 'payload_too_large', 'unsupported_media_type', 'not_found'];
const COMMON: readonly ErrorCode[] = [
  ...(['validation_failed', 'rate_limited', 'unauthenticated', 'permission_denied'] as const),
  // For API keys: some requests revoke them, or delete their brand.
  ...(['key_not_allowed', 'api_key_invalid', 'api_key_revoked', 'api_key_of_deleted_brand'] as const),
];

export interface AnswerChecker {
  /** Describes how the answer breaks the contract; undefined if it does not. */
  findProblem(answer: LightMyRequestResponse): string | undefined;
}

/** Checks answers of an endpoint against the contract. Holds for any request. */
export function createAnswerChecker(endpoint: Endpoint): AnswerChecker {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const isErrorBody = ajv.compile(ErrorBody);
  const isAnswer = endpoint.response && ajv.compile(endpoint.response);
  const promised = new Set<ErrorCode>([...TRANSPORT, ...COMMON, ...(endpoint.errors ?? [])]);

  return {
    findProblem(answer) {
      const { statusCode, body } = answer;
      // The identity provider of these tests is unreachable, so this error is correct.
      const isOutage = statusCode === 503 && codeOf(answer) === 'provider_unavailable' && promised.has('provider_unavailable');
      if (statusCode >= 500 && !isOutage) return `it failed with ${statusCode}: ${body}`;
      // Platform staff may see all brands.
      const isForStaff = endpoint.access === 'staff' && statusCode < 300;
      if (!isForStaff && `${body}${JSON.stringify(answer.headers)}`.includes(MARKER)) return 'it shows what belongs to another tenant';
      if (statusCode >= 400) return problemOfRefusal(answer);
      if (statusCode !== endpoint.status) return `it answered ${statusCode}, which is not promised`;
      return isAnswer && explain(isAnswer, answer.json());
    },
  };

  function problemOfRefusal(answer: LightMyRequestResponse): string | undefined {
    const code = codeOf(answer);
    if (code === undefined || !promised.has(code)) return `its error ${code ?? answer.body} is not promised`;
    if (ERROR_STATUS[code] !== answer.statusCode) return `${code} came with the status ${answer.statusCode}`;
    const body = answer.json();
    if (body.request_id !== answer.headers['x-request-id']) return 'its request_id is not the one of the header';
    return explain(isErrorBody, body);
  }
}

function codeOf(answer: LightMyRequestResponse): ErrorCode | undefined {
  if (!String(answer.headers['content-type']).startsWith('application/json')) return undefined;
  return answer.json().code;
}

function explain(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `its body breaks the schema: ${error?.instancePath} ${error?.message}`;
}
