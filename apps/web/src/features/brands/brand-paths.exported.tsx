import { PAGES } from '@brand-portal/contract/pages';
import { generatePath } from 'react-router';

export function productVariantsPath(brandId: number): string {
  return generatePath(PAGES.productVariants, { id: String(brandId) });
}

export function certificationsPath(brandId: number): string {
  return generatePath(PAGES.certifications, { id: String(brandId) });
}

/** The brand that an address names; nothing when no brand can have such an id. */
export function parseBrandId(text: string | undefined): number | undefined {
  const id = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
