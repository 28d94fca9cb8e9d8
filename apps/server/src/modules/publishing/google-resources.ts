import type { Verdict } from './channel.ts';
import type { DeliveredProduct } from './deliveries.queries.ts';

/**
 * Google's documented shapes (developers.google.com/manufacturers/reference/rest/v1), as far as they are used here.
 * `accounts.products` is for brand owners, `accounts.languages.productCertifications` for certification bodies.
 */

export interface ProductAttributes {
  readonly gtin: string[];
  readonly title: string;
  readonly brand: string;
  readonly productType: string[];
  readonly certification: { readonly name: string; readonly authority: string; readonly code: string }[];
}

export function toAttributes({ gtin, title, brand, category, certifications }: DeliveredProduct): ProductAttributes {
  return {
    gtin: [gtin],
    title,
    brand,
    productType: category ? [category] : [],
    // Replaces all attributes: an empty list takes back what a former one had. The product's list knows these three fields only.
    certification: certifications.map(({ name, authority, code }) => ({ name, authority, code })),
  };
}

export function toProductCertification(name: string, product: DeliveredProduct) {
  const { gtin, title, brand, category, certifications } = product;
  return {
    name,
    title,
    brand,
    productCode: [gtin],
    productType: category ? [category] : [],
    certification: certifications.map(({ valid_until, ...certification }) => ({
      ...certification,
      ...(valid_until && { validUntil: valid_until }),
    })),
  };
}

interface Issue {
  readonly severity?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
}

export interface Judged {
  readonly destinationStatuses?: { readonly destination?: string; readonly status?: string }[];
  readonly issues?: Issue[];
}

/** Live where one destination shows it; refused where none does and one has said no. */
export function toVerdict({ destinationStatuses = [], issues = [] }: Judged): Verdict {
  const statuses = destinationStatuses.map(({ status }) => status);
  if (statuses.includes('ACTIVE')) return { kind: 'live' };
  if (statuses.includes('DISAPPROVED')) return { kind: 'refused', reason: describeIssues(issues) };
  return { kind: 'pending' };
}

function describeIssues(issues: readonly Issue[]): string {
  const errors = issues.filter(({ severity }) => severity === 'ERROR');
  const texts = (errors.length > 0 ? errors : issues).map(
    ({ title, description, type }) => [title, description].filter(Boolean).join(': ') || (type ?? ''),
  );
  return texts.filter(Boolean).join(' · ') || 'Google refused it without naming an issue.';
}
