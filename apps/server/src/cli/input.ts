import type { BodyOf, Endpoint } from '@brand-portal/contract/endpoint';
import { Ajv } from 'ajv';
import { InvalidArgumentError } from 'commander';
import { invalidFields } from '../errors.ts';
import { describeFields } from '../http/validation.ts';

/** What the endpoint takes over HTTP, and nothing else, is what its command takes. */
export function checkBody<E extends Endpoint>(endpoint: E, input: Readonly<Record<string, unknown>>): BodyOf<E> {
  const body = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const validate = new Ajv({ strict: true }).compile(endpoint.body ?? {});
  if (!validate(body)) throw invalidFields(describeFields(validate.errors ?? []));
  return body as BodyOf<E>;
}

export function toId(value: string): number {
  const id = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(id) || id < 1) {
    throw new InvalidArgumentError('It must be a number such as 7.');
  }
  return id;
}
