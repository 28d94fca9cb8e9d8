import { PAGES } from '@brand-portal/contract/pages';
import { generatePath, Link } from 'react-router';

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

/** The team, with one of its members looked for. */
export function memberPath(brandId: number, email: string): string {
  return `${teamPath(brandId)}?${new URLSearchParams({ search: email })}`;
}

/** What an address names; nothing when nothing can have such an id. */
export function parseId(text: string | undefined): number | undefined {
  const id = /^[1-9]\d*$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

/** To the import that something came with, if it came with one. */
export function ImportLink({ brandId, source }: { brandId: number; source: { id: number; file_name: string } | null }) {
  if (!source) return null;
  return (
    <Link to={importPath(brandId, source.id)} className="text-primary hover:underline">
      {source.file_name}
    </Link>
  );
}
