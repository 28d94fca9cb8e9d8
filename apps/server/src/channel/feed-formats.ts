import type { DeliveredCertification } from './deliveries.queries.ts';

/** A product of a supplemental feed: Google finds it by its id and adds the certifications. */
export interface FeedProduct {
  readonly id: string;
  readonly certifications: readonly DeliveredCertification[];
}

export interface FeedFormat {
  readonly type: string;
  readonly head: string;
  /** Empty if the format cannot express any of its certifications. */
  toText(product: FeedProduct): string;
  readonly foot: string;
}

/** Certifications in feeds have these three parts and no date (Google's help for manufacturers, 15672748). */
const PARTS = { certification_authority: 'authority', certification_name: 'name', certification_code: 'code' } as const;

/** Removes what neither format can contain: control characters and invalid code points. Spaces replace them, to keep words apart. */
const toLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu, ' ').trim();

/** In TSV these separate parts and values, and Google's help names no escape for them. XML is not affected. */
const SEPARATORS = /[:,"]/;

const TSV: FeedFormat = {
  type: 'text/tab-separated-values; charset=utf-8',
  head: `id\tcertification(${Object.keys(PARTS).join(':')})\n`,
  toText: ({ id, certifications }) => {
    const values = certifications
      .map((certification) => Object.values(PARTS).map((part) => toLine(certification[part])))
      .filter((parts) => !parts.some((part) => SEPARATORS.test(part)))
      .map((parts) => parts.join(':'));
    return values.length > 0 ? `${id}\t${values.join(',')}\n` : '';
  },
  foot: '',
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const toXmlText = (text: string) => toLine(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

const XML: FeedFormat = {
  type: 'application/xml; charset=utf-8',
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>Certifications</title>\n',
  toText: ({ id, certifications }) => {
    const values = certifications.map((certification) => {
      const parts = Object.entries(PARTS).map(([tag, part]) => `<g:${tag}>${toXmlText(certification[part])}</g:${tag}>`);
      return `<g:certification>${parts.join('')}</g:certification>`;
    });
    return `<item><g:id>${toXmlText(id)}</g:id>${values.join('')}</item>\n`;
  },
  foot: '</channel>\n</rss>\n',
};

export const FEED_FORMATS = { tsv: TSV, xml: XML } as const;
export type FeedFormatName = keyof typeof FEED_FORMATS;
