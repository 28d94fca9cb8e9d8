import type { RawBuilder } from 'kysely';

/**
 * Parts of statements that are passed around. Each is whole: the statement has the words before it, names its tables and joins conditions
 * with `and`. Where one kind is wanted, another doesn't compile.
 */

/** On rows that the statement names: `where brand_id = ${brandId} and ${condition}`. With an `or` it is in parentheses. */
export type Condition = RawBuilder<boolean>;

/** A query, used in parentheses. Where the statement names its columns, they are in the order of `Row`. */
export type Rows<Row> = RawBuilder<Row>;

/** Ids of one table. */
export type Ids = Rows<{ id: number }>;

/** An expression, such as a column. */
export type Value<T> = RawBuilder<T>;

/** A table or query with its condition, after `join`. */
export type Join = RawBuilder<'join'>;

/** A list between `select` and `from`. */
export type Columns = RawBuilder<'columns'>;

/** A list after `order by`. */
export type Order = RawBuilder<'order'>;

/** A list after `set`. */
export type Assignments = RawBuilder<'assignments'>;
