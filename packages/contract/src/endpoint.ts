import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Role } from './roles.ts';

/**
 * Who may call it: everyone, every signed-in user, platform staff, or members of the brand in the path with at least
 * this role.
 */
type Access = 'public' | 'signed_in' | 'staff' | Role;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With Fastify's `:name` placeholders, each described in `params`. */
  readonly path: `/api/v1/${string}/`;
  readonly summary: string;
  /** Added to the API reference where the summary is not enough. */
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** Whether API keys may call it. Default: endpoints for viewers and editors, see `allowsKeys`. */
  readonly keys?: boolean;
  /** Whether members may call it while their brand is inactive. Default: reads. */
  readonly inInactive?: boolean;
  /** It publishes if its body has these values, so a brand that is pending may not call it. Default: it does not. */
  readonly publishes?: Readonly<Record<string, unknown>>;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Default: JSON. `multipart`: a form with one file in the field `file`. */
  readonly bodyKind?: 'multipart';
  readonly status: 200 | 201 | 204;
  /** None if the answer has no body (204) or is a file. */
  readonly response?: TSchema;
  /** The body of a 202: the work continues after the answer. */
  readonly accepted?: TSchema;
  /** Default: JSON. `file`: a file to save. `rows`: a JSON array of any length, streamed, or what else the schema allows. */
  readonly responseKind?: 'file' | 'rows';
  /** Content types of a file. Default: CSV. */
  readonly fileTypes?: readonly string[];
  /** Besides those of every call: validation, authentication, permission, rate limit, outage. */
  readonly errors?: readonly ErrorCode[];
}

/** By default, endpoints that manage people, keys or the brand itself are not open to keys. */
export function allowsKeys({ access, keys }: Pick<Endpoint, 'access' | 'keys'>): boolean {
  return keys ?? (access === 'viewer' || access === 'editor');
}

type StaticOf<S> = S extends TSchema ? Static<S> : undefined;
export type ParamsOf<E extends Endpoint> = StaticOf<E['params']>;
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>;
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>;
export type ResponseOf<E extends Endpoint> = E['response'] extends TSchema ? Static<E['response']> : undefined;

export type AcceptedOf<E extends Endpoint> = E['accepted'] extends TSchema ? Static<E['accepted']> : never;

/**
 * An answer as the web app reads it. `Added` are fields that this server sends beyond the product's specification: the
 * web app shows them if they are there, and works without them.
 */
export type AnswerOf<Whole, Added extends keyof Whole> = Omit<Whole, Added> & Partial<Pick<Whole, Added>>;

/** Checks the shape of a definition and keeps its literal types. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
