import type { ReadinessReason } from '@brand-portal/contract/attention';

/** Google's issue codes for problems that the portal also detects: shown once. */
export const SAME_CAUSE: Readonly<Record<string, ReadinessReason>> = {
  RESTRICTED_GTIN: 'restricted_gtin',
  COUPON_GTIN: 'restricted_gtin',
  MISSING_IMAGE: 'no_image',
  MISSING_DESCRIPTION: 'no_description',
  UNSUPPORTED_CERTIFICATION: 'not_displayed',
};
