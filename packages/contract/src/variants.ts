import { type Static, Type } from 'typebox';
import { VARIANT_REASONS } from './attention.ts';
import { BrandParams } from './brands.ts';
import { VariantCertification, type VariantCertificationAnswer } from './certificates.ts';
import { DEFAULT_VARIANT_ORDERING, MAX_SEARCH_LENGTH } from './constants.ts';
import { type AnswerOf, endpoint } from './endpoint.ts';
import { DigitsExportQuery, EXPORT_FILE_TYPES, MAX_CHOSEN_ROWS } from './exports.ts';
import { Id, Page, PageNumber, PageSize } from './paging.ts';

const tag = 'variants';

/**
 * State of a variant in the channel. `partly_live`: live in some countries only. `removing`: unpublished, but not yet
 * removed from the channel.
 */
export const CHANNEL_STATES = ['queued', 'sent', 'live', 'partly_live', 'refused', 'removing'] as const;
export type ChannelState = (typeof CHANNEL_STATES)[number];

const ChannelStatus = Type.Object({
  state: Type.Enum(CHANNEL_STATES),
  reason: Type.String({ description: "The channel's own words where it is not live everywhere; otherwise empty." }),
});
type ChannelStatus = Static<typeof ChannelStatus>;

/** A variant has a few. Answers have no more than this, because a page has a hundred variants. */
export const MAX_SHOWN_CERTIFICATES = 100;

export const ProductVariant = Type.Object({
  id: Id,
  gtin: Type.String(),
  name: Type.String(),
  published: Type.Boolean(),
  created_at: Type.String({ format: 'date-time' }),
  certifications: Type.Array(VariantCertification, { description: `The newest ${MAX_SHOWN_CERTIFICATES} of them.` }),
  channel: Type.Union([ChannelStatus, Type.Null()], { description: 'Null: the channel has nothing of it.' }),
});
export type ProductVariant = Static<typeof ProductVariant>;
export type VariantAnswer = Omit<AnswerOf<ProductVariant, 'channel'>, 'certifications'> & {
  certifications: VariantCertificationAnswer[];
};

/**
 * Undefined if the channel does not have the variant, if the server does not say, or if it sends a state that is
 * unknown here.
 */
export function channelOf({ channel }: { channel?: ChannelStatus | null }): ChannelStatus | undefined {
  return channel && CHANNEL_STATES.includes(channel.state) ? channel : undefined;
}

export const VARIANT_ORDERINGS = ['created_at', '-created_at', 'name', '-name'] as const;

/** The states that the strip above the list counts. A variant may be in several. */
export const VARIANT_STATES = [
  'live',
  'on_its_way',
  'queued',
  'sent',
  'refused',
  'blocked',
  'unpublished',
  'certificate_problems',
] as const;
export type VariantState = (typeof VARIANT_STATES)[number];

export const VariantListQuery = Type.Object({
  page: Type.Optional(PageNumber),
  page_size: Type.Optional(PageSize),
  search: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH_LENGTH,
      description:
        'Words, all in the name or all in the name of a certification, in any order; or part of the GTIN or of a certificate ID.',
    }),
  ),
  has_certs: Type.Optional(Type.Boolean()),
  published: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Type.Enum([...VARIANT_REASONS], { description: 'Those that need attention because of this.' })),
  issue: Type.Optional(Type.String({ maxLength: 200, description: 'Those that Google has found this type of issue with.' })),
  certificate: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Those that have this certificate.' }),
  ),
  state: Type.Optional(
    Type.Enum([...VARIANT_STATES], {
      description:
        'on_its_way: queued or sent. queued: not sent yet; of a brand that is inactive or without a connection, they wait for that. sent: Google has not decided yet. refused: refused, or live in some countries only. blocked: Google would refuse it. certificate_problems: it has an invalid or expired certificate.',
    }),
  ),
  ordering: Type.Optional(Type.Enum(VARIANT_ORDERINGS, { default: DEFAULT_VARIANT_ORDERING })),
});
export type VariantListQuery = Static<typeof VariantListQuery>;

export const VariantPage = Page(ProductVariant);
export type VariantPage = Static<typeof VariantPage>;

export const VariantList = Type.Interface([VariantPage], {
  filter_key: Type.String({
    description: 'Stands for search and filters of this list. Send it with an action on all that match.',
  }),
});
export type VariantList = Static<typeof VariantList>;
export type VariantListAnswer = Omit<VariantPage, 'results'> & { results: VariantAnswer[]; filter_key?: string };

export const listVariants = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/variants/',
  summary: "One page of the brand's product variants",
  tag,
  access: 'viewer',
  params: BrandParams,
  query: VariantListQuery,
  status: 200,
  response: VariantList,
  errors: ['brand_not_found'],
});

const stateCount = Type.Integer({ minimum: 0 });

export const VariantStateCounts = Type.Object({
  live: stateCount,
  on_its_way: stateCount,
  queued: stateCount,
  sent: stateCount,
  refused: stateCount,
  blocked: stateCount,
  unpublished: stateCount,
  certificate_problems: stateCount,
});
export type VariantStateCounts = Static<typeof VariantStateCounts>;

export const VariantStates = Type.Interface([VariantStateCounts], {
  issues: Type.Optional(
    Type.Array(Type.Object({ type: Type.String(), title: Type.String(), count: stateCount }), {
      description:
        'With `state=refused`: the types of issues that Google refuses variants for, most first, and how many variants the list has with each in place of `issue`.',
    }),
  ),
});
export type VariantStates = Static<typeof VariantStates>;

export const VariantStatesQuery = Type.Omit(VariantListQuery, ['page', 'page_size', 'ordering']);
export type VariantStatesQuery = Static<typeof VariantStatesQuery>;

export const countVariantStates = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/variants/states/',
  summary: 'How many variants the list has in each state',
  description: 'Each in place of `state`, with all other filters of the list.',
  tag,
  access: 'viewer',
  params: BrandParams,
  query: VariantStatesQuery,
  status: 200,
  response: VariantStates,
  errors: ['brand_not_found'],
});

export const VariantExportQuery = Type.Interface([Type.Omit(VariantListQuery, ['page', 'page_size']), DigitsExportQuery], {});
export type VariantExportQuery = Static<typeof VariantExportQuery>;

const exportDescription =
  "The import's columns come first; those behind them tell the state of the variant, its certificates and its channel, and are ignored by the import.";

export const exportVariants = endpoint({
  method: 'GET',
  path: '/api/v1/brands/:brandId/variants/export/',
  summary: 'What the list shows as a file, which can be uploaded again',
  description: exportDescription,
  tag,
  access: 'viewer',
  params: BrandParams,
  query: VariantExportQuery,
  status: 200,
  responseKind: 'file',
  fileTypes: EXPORT_FILE_TYPES,
  errors: ['brand_not_found'],
});

/** For bodies that select all that match a filter. */
export const ListFilterKey = Type.Optional(
  Type.String({
    maxLength: 64,
    description:
      "With a filter: `filter_key` of the list that the selection was made in. Another filter's is refused with `selection_of_other_filter`.",
  }),
);

/** Search text of a selection. It must not be blank: that would select the whole brand. */
export const SearchText = Type.String({ maxLength: MAX_SEARCH_LENGTH, pattern: '\\S' });

const chosen = {
  search: Type.Optional(SearchText),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MAX_CHOSEN_ROWS })),
  except_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_CHOSEN_ROWS, description: 'Without ids: all that the list shows but these.' })),
  expected: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Without ids: how many the caller expects to match. Another number is refused with `selection_changed`.',
    }),
  ),
  filter_key: ListFilterKey,
};

export const ChosenVariantsExport = Type.Interface([VariantExportQuery], chosen);
export type ChosenVariantsExport = Static<typeof ChosenVariantsExport>;

export const exportChosenVariants = endpoint({
  method: 'POST',
  path: '/api/v1/brands/:brandId/variants/export/',
  summary: 'Chosen variants of the list as a file, which can be uploaded again',
  description: exportDescription,
  tag,
  access: 'viewer',
  inInactive: true,
  params: BrandParams,
  body: ChosenVariantsExport,
  status: 200,
  responseKind: 'file',
  fileTypes: EXPORT_FILE_TYPES,
  errors: ['brand_not_found', 'selection_changed', 'selection_of_other_filter'],
});
