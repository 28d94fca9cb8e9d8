import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import { AppError } from '../errors.ts';

const shared = { removeAdditional: 'all', useDefaults: true, allErrors: false, strict: true } as const;

/** Paths and queries are text and are read as numbers and booleans; a JSON body must have the right types already. */
export function useContractValidation(app: FastifyInstance): void {
  const body = withFormats(new Ajv({ ...shared, coerceTypes: false }));
  const text = withFormats(new Ajv({ ...shared, coerceTypes: 'array' }));
  app.setValidatorCompiler(({ schema, httpPart }) => (httpPart === 'body' ? body : text).compile(schema));
}

/** TypeBox schemas are JSON Schema, and ajv-formats is a CommonJS module whose default export is the function. */
function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv);
  return ajv;
}

/** PostgreSQL's text cannot hold the NUL character, and no person types one: refused wherever it comes. */
export function refuseNulCharacters(parts: unknown): void {
  const path = findNulCharacter(parts);
  if (!path) return;
  const field = path.slice(1).join('.') || 'body';
  throw new AppError('validation_failed', `${field} must not have NUL characters`, {
    [field]: 'must not have NUL characters',
  });
}

function findNulCharacter(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const path = name.includes('\0') ? [] : findNulCharacter(part);
    if (path) return [name, ...path];
  }
  return undefined;
}

/** What is wrong with each field, by its name: `{ "page_size": "must be <= 100" }`. */
export function describeFields(errors: readonly FastifySchemaValidationError[]): Record<string, string> {
  return Object.fromEntries(
    errors.map((error) => {
      const missing = error.params.missingProperty;
      const path = [...error.instancePath.split('/').slice(1), ...(typeof missing === 'string' ? [missing] : [])];
      return [path.join('.') || 'body', missing ? 'is required' : (error.message ?? 'is not valid')];
    }),
  );
}
