import { PAGES } from '@brand-portal/contract/pages';
import { generatePath, useParams } from 'react-router';

export function productVariantsPath(brandId: number): string {
  return generatePath(PAGES.productVariants, { id: String(brandId) });
}

export function productVariantPath(brandId: number, variantId: number | 'new'): string {
  return generatePath(PAGES.productVariant, { id: String(brandId), variantId: String(variantId) });
}

export function certificationsPath(brandId: number): string {
  return generatePath(PAGES.certifications, { id: String(brandId) });
}

export function certificationPath(brandId: number, certificateId: number): string {
  return generatePath(PAGES.certification, { id: String(brandId), certificateId: String(certificateId) });
}

export function importsPath(brandId: number): string {
  return generatePath(PAGES.imports, { id: String(brandId) });
}

export function importPath(brandId: number, importId: number): string {
  return generatePath(PAGES.import, { id: String(brandId), importId: String(importId) });
}

export function attentionPath(brandId: number): string {
  return generatePath(PAGES.attention, { id: String(brandId) });
}

export function teamPath(brandId: number): string {
  return generatePath(PAGES.team, { id: String(brandId) });
}

export function settingsPath(brandId: number): string {
  return generatePath(PAGES.settings, { id: String(brandId) });
}

export function apiKeysPath(brandId: number): string {
  return generatePath(PAGES.apiKeys, { id: String(brandId) });
}

export function historyPath(brandId: number): string {
  return generatePath(PAGES.history, { id: String(brandId) });
}

/** The team page, filtered to one member. */
export function memberPath(brandId: number, email: string): string {
  return `${teamPath(brandId)}?${new URLSearchParams({ search: email })}`;
}

/** The brand id in the URL. For pages inside the brand's shell, which has validated it. */
export function useBrandId(): number {
  return Number(useParams().id);
}

/** An id in a URL; undefined if it is invalid. */
export function parseId(text: string | undefined): number | undefined {
  const id = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}
