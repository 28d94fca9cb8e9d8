import { type Static, Type } from 'typebox';

/**
 * The fields of a variant besides its GTIN: what a cell, a panel and an export may hold. Their order is that of the panel and of every file.
 * What else a field needs, such as its name on the screens, is a `Record` of these: a field without it does not compile.
 */
interface VariantField {
  /** A `line` is a name, a `text` a paragraph, a `link` begins with https://. */
  readonly kind: 'line' | 'text' | 'link';
  /** In characters. */
  readonly maxLength: number;
  /** Whether Google gets it: then a change sends the product again. */
  readonly isSent: boolean;
}

/** With a column of their own in the database, because lists are searched, sorted or grouped by them. */
const NAMED_FIELDS = {
  name: { kind: 'line', maxLength: 200, isSent: true },
  category: { kind: 'line', maxLength: 200, isSent: true },
} as const satisfies Record<string, VariantField>;

/** Optional columns of the import. Stored together as `details`, so a new one needs no migration. */
export const DETAILS = {
  description: { kind: 'text', maxLength: 5_000, isSent: true },
  image_link: { kind: 'link', maxLength: 2_000, isSent: true },
  product_page_url: { kind: 'link', maxLength: 2_000, isSent: true },
} as const satisfies Record<string, VariantField>;

export const VARIANT_FIELDS = { ...NAMED_FIELDS, ...DETAILS };

export type DetailField = keyof typeof DETAILS;
export type EditableField = keyof typeof VARIANT_FIELDS;
/** The details that Google gets. */
export type SentDetail = { [F in DetailField]: (typeof DETAILS)[F]['isSent'] extends true ? F : never }[DetailField];

export const DETAIL_FIELDS = Object.keys(DETAILS) as readonly DetailField[];
export const EDITABLE_FIELDS = Object.keys(VARIANT_FIELDS) as readonly EditableField[];

/** An object with a value for each of these fields. */
export function mapFields<F extends string, T>(fields: readonly F[], toValue: (field: F) => T): Readonly<Record<F, T>> {
  return Object.fromEntries(fields.map((field) => [field, toValue(field)])) as Record<F, T>;
}

export const NO_FIELDS = mapFields(EDITABLE_FIELDS, () => '');

export const VariantDetails = Type.Object(mapFields(DETAIL_FIELDS, () => Type.Optional(Type.String())));
export type VariantDetails = Static<typeof VariantDetails>;
