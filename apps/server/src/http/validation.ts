import type { Endpoint } from '@brand-portal/contract/endpoint';
import { ERROR_SCHEMA_ID, ErrorBody } from '@brand-portal/contract/errors';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { invalidFields, unknownField } from '../lib/errors.ts';

const shared = { useDefaults: true, allErrors: false, strict: true } as const;

/** One of each per process, because they cache compiled schemas. */
const body = withFormats(new Ajv({ ...shared, coerceTypes: false }));
// `1e999` is parsed as Infinity, which strict numbers would let pass a maximum. Without it, it is compared like any number.
const text = withFormats(new Ajv({ ...shared, coerceTypes: 'array', strictNumbers: false }));

/** Paths and queries are text, so numbers and booleans are coerced. A JSON body must have the right types. */
export function useContractValidation(app: FastifyInstance): void {
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? body : text).compile(schema));
}

/** TypeBox schemas are JSON Schema, and ajv-formats is a CommonJS module whose default export is the function. */
function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  return ajv;
}

/** The part of JSON Schema that says which fields there are. */
interface ObjectSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, ObjectSchema>>;
  readonly items?: ObjectSchema;
}

const NUL = 'must not have NUL characters';
const LONE_SURROGATE = 'must not have half surrogate pairs';
const TOO_DEEP = 'is nested too deeply';
/** Deeper than any schema of the contract, but far from exhausting the stack. */
const MAX_DEPTH = 50;

/**
 * Refuses NUL, which PostgreSQL's text cannot store, and lone surrogates, which its JSON cannot. Nobody types either. Also refuses deep
 * nesting.
 */
export function refuseUnstorableText(parts: unknown): void {
  const found = findUnstorableText(parts);
  if (!found) return;
  const field = found.path.slice(1).join('.') || 'body';
  throw invalidFields({ [field]: found.problem });
}

interface Problem {
  readonly path: readonly string[];
  readonly problem: string;
}

function findUnstorableText(value: unknown, depth = 0): Problem | undefined {
  if (typeof value === 'string') return describeText(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > MAX_DEPTH) return { path: [], problem: TOO_DEEP };
  for (const [name, part] of Object.entries(value)) {
    const found = describeText(name) ?? findUnstorableText(part, depth + 1);
    if (found) return { path: [name.toWellFormed(), ...found.path], problem: found.problem };
  }
  return undefined;
}

function describeText(text: string): Problem | undefined {
  if (text.includes('\0')) return { path: [], problem: NUL };
  return text.isWellFormed() ? undefined : { path: [], problem: LONE_SURROGATE };
}

/**
 * Refuses query parameters and body fields that the contract does not have. Ignored, a misspelt filter would select everything, and a
 * misspelt field would change nothing. Before the validation, so that `nmae` is named and not the missing `name`.
 */
export function refuseUnknownFields({ query, body }: Pick<Endpoint, 'query' | 'body'>, request: FastifyRequest): void {
  const path = findUnknownField(query as ObjectSchema, request.query) ?? findUnknownField(body as ObjectSchema, request.body);
  if (path) throw unknownField(path.join('.'));
}

function findUnknownField(schema: ObjectSchema = {}, value: unknown): string[] | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of schema.items ? value.entries() : []) {
      const path = findUnknownField(schema.items, item);
      if (path) return [String(index), ...path];
    }
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type = 'object', properties = {} } = schema;
  for (const [name, part] of type === 'object' ? Object.entries(value) : []) {
    if (!Object.hasOwn(properties, name)) return [name];
    const path = findUnknownField(properties[name], part);
    if (path) return [name, ...path];
  }
  return undefined;
}

/** The errors by field name: `{ "page_size": "must be <= 100" }`. */
export function describeFields(errors: readonly FastifySchemaValidationError[]): Record<string, string> {
  return Object.fromEntries(
    errors.map((error) => {
      const missing = error.params.missingProperty;
      const path = [...error.instancePath.split('/').slice(1), ...(typeof missing === 'string' ? [missing] : [])];
      return [path.join('.') || 'body', missing ? 'is required' : describeProblem(error, path.at(-1))];
    }),
  );
}

/** In plain words: operators read these sentences, and a pattern tells them nothing. */
function describeProblem({ keyword, params, message }: FastifySchemaValidationError, field = ''): string {
  const limit = Number(params.limit);
  const pattern = keyword === 'pattern' ? String(params.pattern) : '';
  if (keyword === 'enum') return `must be one of ${[params.allowedValues].flat().join(', ')}`;
  if (keyword === 'maxLength') return `must have at most ${limit} characters`;
  if (field.endsWith('email') && (pattern || keyword === 'minLength')) return 'must be an e-mail address';
  if (pattern === '\\S' || (keyword === 'minLength' && limit === 1)) return 'must not be empty';
  if (pattern.includes('https?://')) return 'must begin with http:// or https:// and have no spaces';
  return message ?? 'is not valid';
}

type Serializer = (value: unknown) => string;

const compile = SerializerSelector()({ [ERROR_SCHEMA_ID]: ErrorBody }, {});
const serializers = new WeakMap<object, Serializer>();

/**
 * Responses are serialised by functions compiled from their schemas. Fastify would compile one per status and route. Here all errors share
 * one, and functions are cached for the process: an app that is built again, as tests do hundreds of times, saves 0.2 s.
 */
export function useContractSerialization(app: FastifyInstance): void {
  app.setSerializerCompiler((route) => {
    const schema = route.schema as object;
    const known = serializers.get(schema);
    if (known) return known;
    const made = compile(route as Parameters<typeof compile>[0]);
    serializers.set(schema, made);
    return made;
  });
}
