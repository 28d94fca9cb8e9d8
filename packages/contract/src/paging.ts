import { type TSchema, Type } from 'typebox';
import { DEFAULT_PAGE_SIZE } from './constants.ts';

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const MAX_PAGE_SIZE = 100;

export const PageNumber = Type.Integer({ minimum: 1, maximum: 100_000_000, default: 1 });
export const PageSize = Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE });

/** One page of rows and the total number of rows. */
export function Page<T extends TSchema>(row: T) {
  return Type.Object({ results: Type.Array(row), count: Type.Integer({ minimum: 0 }) });
}
