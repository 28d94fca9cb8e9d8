import type { VariantListQuery } from '@brand-portal/contract/variants';

/** A variant in the tests' model. */
export interface ModelVariant {
  readonly id: number;
  readonly createdAt: Date;
  gtin: string;
  name: string;
  published: boolean;
  /** Maps certificate ids to indexes of MODEL_CERTIFICATES. */
  certificates: Map<number, number>;
}

/** The database's search_key, for the letters used in tests. */
function modelKey(text: string): string {
  const withoutMarks = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return withoutMarks.replaceAll('ø', 'o').replaceAll('ß', 'ss').replaceAll('œ', 'oe');
}

/** The tests' certificates: id, and name of the certification. */
export const MODEL_CERTIFICATES = [
  { code: 'FSC-C000001', certification: 'FSC' },
  { code: 'ÖL 06/14', certification: 'Fairtrade' },
  { code: 'x_%', certification: 'GOTS' },
] as const;

function hasWords(name: string, search: string): boolean {
  return search.split(/\s+/).every((word) => modelKey(name).includes(modelKey(word)));
}

function hasCertificate(places: Iterable<number>, search: string): boolean {
  const id = search.replace(/\s/g, '').toUpperCase();
  return [...places].some((place) => {
    const { code, certification } = MODEL_CERTIFICATES[place] as (typeof MODEL_CERTIFICATES)[number];
    return code.replace(/\s/g, '').toUpperCase().includes(id) || hasWords(certification, search);
  });
}

function matches({ name, gtin, certificates }: ModelVariant, search: string): boolean {
  if (hasWords(name, search) || hasCertificate(certificates.values(), search)) return true;
  const digits = search.replace(/[\s-]/g, '');
  return /^\d+$/.test(digits) && gtin.padStart(14, '0').includes(digits);
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A simple implementation of the list, to compare with. */
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
      (ordering.endsWith('name') ? compareBytes(modelKey(a.name), modelKey(b.name)) : a.createdAt.getTime() - b.createdAt.getTime()) ||
      a.id - b.id,
  );
  if (ordering.startsWith('-')) found.reverse();
  return {
    ids: found.slice((page - 1) * page_size, page * page_size).map(({ id }) => id),
    count: found.length,
  };
}
