import { type TSchema, Type } from 'typebox';
import { DEFAULT_PAGE_SIZE } from './constants.ts';

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const MAX_PAGE_SIZE = 100;

const pageNumber = {
  minimum: 1,
  maximum: 100_000_000,
  description:
    'Pages are counted from the beginning of the list at the time of each call: while others write, a row may be on two pages or on none. See *Read a whole list*.',
};
export const PageNumber = Type.Integer({ ...pageNumber, default: 1 });
/** Without the default, which the validator would add to a request that has no paging. */
export const OptionalPageNumber = Type.Integer(pageNumber);
export const PageSize = Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE });

/** One page of rows and the total number of rows. */
export function Page<T extends TSchema>(row: T) {
  return Type.Object({ results: Type.Array(row), count: Type.Integer({ minimum: 0 }) });
}
