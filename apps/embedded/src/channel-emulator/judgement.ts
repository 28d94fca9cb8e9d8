import { createHash } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { findRefusal, type Issue, type Link, listLinks, type StoredResource, type Switches } from './channel-emulator.queries.ts';
import { isValidGtin, type ProductBody } from './resource-rules.ts';

/** Issues that Google reports later, each with the sentence that documents it. Numbers are articles of Google's help for manufacturers. */

const error = (type: string, title: string, description: string, attribute: string): Issue => ({
  type,
  severity: 'ERROR',
  title,
  description,
  attribute,
  resolution: 'USER_ACTION',
});
const warning = (type: string, title: string, description: string, attribute: string): Issue => ({
  ...error(type, title, description, attribute),
  severity: 'WARNING',
});

const INVALID_GTIN = error(
  ...(['INVALID_GTIN', 'Invalid GTIN', 'The check digit is wrong. Provide the GTIN that GS1 assigned.', 'gtin'] as const),
);
/** 7656106: prefixes 981–984, 99 and 05 are "Unsupported coupon value". */
const COUPON = error(...(['COUPON_GTIN', 'Unsupported coupon value', 'GTINs of coupons are not products.', 'gtin'] as const));
/** 7656106: prefixes 2, 02 and 04 are "Restricted". */
const RESTRICTED = error(
  ...(['RESTRICTED_GTIN', 'Restricted GTIN', 'GTINs for use inside a company are not unique in the world.', 'gtin'] as const),
);
/** 6260813: only brands registered in the account, and the name must match exactly, including case. */
const UNREGISTERED = error(
  ...(['BRAND_NOT_REGISTERED', 'Brand is not registered', 'The brand must match a registered one exactly.', 'brand'] as const),
);
/** 6124098: Google's sample file has description and image_link for every product. */
const NO_IMAGE = warning(...(['MISSING_IMAGE', 'Missing image', 'Provide an image of the product.', 'image_link'] as const));
const NO_DESCRIPTION = warning(...(['MISSING_DESCRIPTION', 'Missing description', 'Provide a description.', 'description'] as const));
const RANDOM_ISSUE: Issue = {
  type: 'POLICY_VIOLATION',
  severity: 'ERROR',
  title: 'Product disapproved',
  description: 'The product violates the policies of the destination.',
};

/** Google's public vocabulary: 15672748 and the attribute `certification` of the Merchant API. */
const CERTIFICATIONS: Readonly<Record<string, readonly string[]>> = {
  EPREL: ['EC', 'European_Commission'],
  EU_ECOLABEL: ['EC', 'European_Commission'],
  ENERGY_STAR: ['EPA'],
  ENERGY_STAR_MOST_EFFICIENT: ['EPA'],
};

/** Google's output-only fields: pending at first, then the verdict for each country. */
export async function judge(db: Db, resource: StoredResource, switches: Switches) {
  const body = resource.body as unknown as ProductBody;
  const countries = body.intendedCountry ?? [targetCountry(resource.name)];
  if (resource.age_ms < switches.processing_ms) {
    return { destinationStatuses: [{ ...DESTINATION, status: 'PENDING', pendingCountries: countries }], issues: [] };
  }
  const account = /^accounts\/(\d+)\//.exec(resource.name)?.[1] ?? '';
  const issues = await findIssues(db, resource.name, body, await listLinks(db, account), switches);
  const isRefusedIn = (country: string) =>
    issues.some(
      ({ severity, applicableCountries }) => severity === 'ERROR' && (!applicableCountries || applicableCountries.includes(country)),
    );
  const disapprovedCountries = countries.filter(isRefusedIn);
  const approvedCountries = countries.filter((country) => !isRefusedIn(country));
  const status = approvedCountries.length > 0 ? 'ACTIVE' : 'DISAPPROVED';
  return { destinationStatuses: [{ ...DESTINATION, status, approvedCountries, disapprovedCountries }], issues };
}

const DESTINATION = { destination: 'ClientShoppingCatalog' };
const targetCountry = (name: string) => /\/products\/([A-Z]{2}):/.exec(name)?.[1] ?? '';

async function findIssues(db: Db, name: string, body: ProductBody, links: readonly Link[], { refuse_share }: Switches): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const gtin of body.gtin) {
    const issue = judgeGtin(gtin) ?? (await findRefusal(db, gtin));
    if (issue) issues.push(issue);
  }
  const { targetClientId = '' } = body;
  if (!links.some(({ client_id, brand }) => client_id === targetClientId && brand === body.brand)) issues.push(UNREGISTERED);
  if (!body.imageLink) issues.push(NO_IMAGE);
  if (!body.description) issues.push(NO_DESCRIPTION);
  issues.push(...(body.certification ?? []).flatMap(judgeCertification));
  // Derived from the name, so that the same product always gets the same verdict.
  const chance = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
  if (chance < refuse_share) issues.push(RANDOM_ISSUE);
  return issues;
}

/** For a GTIN-14 the indicator digit is not part of the prefix. */
function judgeGtin(gtin: string): Issue | undefined {
  if (!isValidGtin(gtin)) return INVALID_GTIN;
  const prefix = gtin.padStart(14, '0').slice(1);
  if (gtin.length === 8) return undefined;
  if (/^(98[1-4]|99|05)/.test(prefix)) return COUPON;
  if (/^(2|02|04)/.test(prefix)) return RESTRICTED;
  return undefined;
}

/** "Unsupported certification name" and "Unverifiable certification": the product is shown, the certification is not. */
function judgeCertification({ name, authority }: { name: string; authority: string }): Issue[] {
  const authorities = CERTIFICATIONS[name];
  if (!authorities) {
    return [warning('UNSUPPORTED_CERTIFICATION', 'Unsupported certification name', `${name} is not displayed.`, 'certification')];
  }
  if (authorities.includes(authority)) return [];
  return [warning('UNVERIFIABLE_CERTIFICATION', 'Unverifiable certification', `${name} is not issued by ${authority}.`, 'certification')];
}
