import type { BodyOf, Endpoint } from '@brand-portal/contract/endpoint';
import { Ajv } from 'ajv';
import { InvalidArgumentError } from 'commander';
import { describeFields } from '../../http/validation.ts';
import { invalidFields } from '../../lib/errors.ts';

/** Validates like the HTTP endpoint, so that both accept the same input. */
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

/** Pads each column to its widest cell. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** On stderr: what reads a link from stdout gets the link alone. */
export function warnOfLocalLinks(publicUrl: string): void {
  if (new URL(publicUrl).hostname !== 'localhost') return;
  process.stderr.write(`Links to ${publicUrl} work on this machine only. PUBLIC_URL sets another address.\n`);
}
