import type { SentDetail, VariantDetails } from '@brand-portal/contract/variant-fields';
import type { CountryStatus, Issue, Judgement } from '../writes/delivery-states.ts';
import type { Connection } from './connections.queries.ts';
import type { DeliveredProduct } from './deliveries.queries.ts';

/**
 * The parts of `accounts.products` (developers.google.com/manufacturers/reference/rest/v1) that are used here. A test compares them with
 * the published types of the API.
 */

export interface Attributes {
  readonly targetClientId?: string;
  readonly gtin: string[];
  readonly title: string;
  readonly brand: string;
  readonly description?: string;
  readonly imageLink?: { readonly imageUrl: string };
  readonly productPageUrl?: string;
  readonly productType: string[];
  readonly intendedCountry: string[];
  readonly certification: {
    readonly name: string;
    readonly authority: string;
    readonly code: string;
    readonly link?: string;
    readonly validUntil?: string;
  }[];
}

const DETAIL_ATTRIBUTES: Readonly<Record<SentDetail, (value: string) => Partial<Attributes>>> = {
  description: (description) => ({ description }),
  image_link: (imageUrl) => ({ imageLink: { imageUrl } }),
  product_page_url: (productPageUrl) => ({ productPageUrl }),
};

function toDetailAttributes(details: VariantDetails): Partial<Attributes> {
  const given = Object.entries(DETAIL_ATTRIBUTES).map(([field, toAttribute]) => {
    const value = details[field as SentDetail];
    return value ? toAttribute(value) : {};
  });
  return Object.assign({}, ...given);
}

/** Always all attributes: a PUT replaces the previous ones, so an empty list removes the earlier values. */
export function toAttributes(product: DeliveredProduct, connection: Connection): Attributes {
  const { gtin, title, category, certifications } = product;
  return {
    // "Required for all products uploaded by data partners."
    ...(connection.client_id !== null && { targetClientId: connection.client_id }),
    gtin: [gtin],
    title,
    // Must match the name registered at Google, including case.
    brand: connection.registered_name,
    ...toDetailAttributes(product.details),
    productType: category ? [category] : [],
    intendedCountry: [...connection.countries],
    certification: certifications.map(({ valid_until, link, ...certification }) => ({
      ...certification,
      ...(link && { link }),
      ...(valid_until && { validUntil: valid_until }),
    })),
  };
}

export interface Product {
  readonly name?: string;
  readonly destinationStatuses?: {
    readonly destination?: string;
    readonly status?: string;
    readonly approvedCountries?: string[];
    readonly pendingCountries?: string[];
    readonly disapprovedCountries?: string[];
  }[];
  readonly issues?: {
    readonly type?: string;
    readonly severity?: string;
    readonly title?: string;
    readonly description?: string;
    readonly attribute?: string;
    readonly resolution?: string;
    readonly applicableCountries?: string[];
    readonly timestamp?: string;
  }[];
}

const STATUSES: Readonly<Record<string, CountryStatus>> = {
  ACTIVE: 'approved',
  PENDING: 'pending',
  DISAPPROVED: 'disapproved',
};
const SEVERITIES: Readonly<Record<string, Issue['severity']>> = { ERROR: 'error', WARNING: 'warning', INFO: 'info' };

/** The status of a country is the worst among its destinations. */
export function toJudgement({ destinationStatuses = [], issues = [] }: Product): Judgement {
  const countries: Record<string, CountryStatus> = {};
  const elsewhere: CountryStatus[] = [];
  for (const { status = '', approvedCountries = [], pendingCountries = [], disapprovedCountries = [] } of destinationStatuses) {
    const byStatus = { approved: approvedCountries, pending: pendingCountries, disapproved: disapprovedCountries };
    for (const [verdict, codes] of Object.entries(byStatus) as [CountryStatus, string[]][]) {
      for (const code of codes) countries[code] = worst([...(countries[code] ? [countries[code]] : []), verdict]);
    }
    const known = STATUSES[status];
    if (known) elsewhere.push(known);
  }
  return {
    countries,
    // If Google names no countries, the status of the destination applies.
    elsewhere: elsewhere.length > 0 ? worst(elsewhere) : 'pending',
    issues: issues.map(toIssue),
  };
}

function worst(statuses: readonly CountryStatus[]): CountryStatus {
  return (['disapproved', 'pending', 'approved'] as const).find((status) => statuses.includes(status)) ?? 'pending';
}

function toIssue(issue: NonNullable<Product['issues']>[number]): Issue {
  const { type = '', severity = '', title = '', description = '', attribute = '', resolution = '' } = issue;
  return {
    type,
    title,
    description,
    attribute,
    resolution,
    severity: SEVERITIES[severity] ?? 'info',
    countries: issue.applicableCountries ?? [],
    since: issue.timestamp ?? null,
  };
}
