import type { VariantListQuery } from '@brand-portal/contract/variants';

/** A variant as the plain model of the tests knows it. */
export interface ModelVariant {
  readonly id: number;
  readonly createdAt: Date;
  gtin: string;
  name: string;
  published: boolean;
  certificates: Set<number>;
}

/** What the database's search_key does, for the letters that the tests use. */
function modelKey(text: string): string {
  const withoutMarks = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return withoutMarks.replaceAll('ø', 'o').replaceAll('ß', 'ss').replaceAll('œ', 'oe');
}

function matches({ name, gtin }: ModelVariant, search: string): boolean {
  if (modelKey(name).includes(modelKey(search))) return true;
  const digits = search.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) && gtin.padStart(14, '0').includes(digits);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The list as members are promised it, computed the plainest way. */
export function modelPage(variants: Iterable<ModelVariant>, query: VariantListQuery): { ids: number[]; count: number } {
  const { page = 1, page_size = 10, search = '', has_certs, published, ordering = '-created_at' } = query;
  const found = [...variants].filter(
    (variant) =>
      (published === undefined || variant.published === published) &&
      (has_certs === undefined || variant.certificates.size > 0 === has_certs) &&
      (search.trim() === '' || matches(variant, search.trim())),
  );
  found.sort(
    (a, b) =>
      (ordering.endsWith('name')
        ? compareBytes(modelKey(a.name), modelKey(b.name))
        : a.createdAt.getTime() - b.createdAt.getTime()) || a.id - b.id,
  );
  if (ordering.startsWith('-')) found.reverse();
  return {
    ids: found.slice((page - 1) * page_size, page * page_size).map(({ id }) => id),
    count: found.length,
  };
}
