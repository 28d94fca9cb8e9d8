import type { Static, TSchema } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { Role } from './roles.ts';

/**
 * Who may call: everyone, every signed-in user, platform staff, or members of the brand
 * that the path names who have at least the given role.
 */
type Access = 'public' | 'signed_in' | 'staff' | Role;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With Fastify's `:name` placeholders, each described in `params`. */
  readonly path: `/api/v1/${string}/`;
  readonly summary: string;
  /** Where the summary does not say enough. */
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  /** Whether API keys may call it. Absent: those that ask for viewer or editor, see `allowsKeys`. */
  readonly keys?: boolean;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** Absent: JSON. `multipart`: the body is a form with one file in the field `file`. */
  readonly bodyKind?: 'multipart';
  readonly status: 200 | 201 | 204;
  /** Absent where the answer has no body (204) or is a file. */
  readonly response?: TSchema;
  /** The body of a 202, where the work may go on after the answer. */
  readonly accepted?: TSchema;
  /** Absent: JSON. `file`: the answer is a file to be saved. `rows`: a JSON array of any length, sent as it is read; or what else the schema allows. */
  readonly responseKind?: 'file' | 'rows';
  /** Of a file. Absent: CSV. */
  readonly fileTypes?: readonly string[];
  /** Beyond those any call can answer with: validation, authentication, permission, rate limit, outage. */
  readonly errors?: readonly ErrorCode[];
}

/** What manages people, keys or the brand itself is for people alone, unless the endpoint says otherwise. */
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
 * An answer as screens read it. `Added` are the fields that this server sends beyond those that the product is specified
 * with: a screen shows them where they are, and works without them.
 */
export type AnswerOf<Whole, Added extends keyof Whole> = Omit<Whole, Added> & Partial<Pick<Whole, Added>>;

/** Keeps the literal types of a definition while checking its shape. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
