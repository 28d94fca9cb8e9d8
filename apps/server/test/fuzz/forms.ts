import fc from 'fast-check';
import { hostileText } from './hostile-values.ts';

export interface Body {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | Buffer;
}

const BOUNDARY = 'fuzz-boundary';

const cell = fc.oneof(
  {
    arbitrary: fc.constantFrom('Tea', '4006381333931', '96385074', 'Organic', 'EU-1', '', '4.01E+12', '"', 'a,b'),
    weight: 4,
  },
  { arbitrary: hostileText.map((text) => text.slice(0, 3_000)), weight: 1 },
);
const row = fc.array(cell, { maxLength: 7 }).map((cells) => cells.join(','));
const header = fc.oneof(
  {
    arbitrary: fc.constant('variant_name,gtin,category,publishing_channel,certificate_id,certification_name'),
    weight: 5,
  },
  {
    arbitrary: fc.constantFrom('variant_name;gtin', 'Variant Name*\tGTIN*', 'gtin,gtin,variant_name', 'nothing'),
    weight: 2,
  },
  { arbitrary: hostileText, weight: 1 },
);
const table = fc
  .tuple(header, fc.array(row, { maxLength: 20 }), fc.constantFrom('\n', '\r\n', '\r'))
  .map(([head, rows, newline]) => Buffer.from([head, ...rows].join(newline)));
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));

const part = fc
  .record({
    name: fc.oneof({ arbitrary: fc.constant('file'), weight: 6 }, { arbitrary: fc.constantFrom('other', ''), weight: 1 }),
    fileName: fc.constantFrom('variants.csv', '', '../../x.csv', 'a"b.csv', `${'n'.repeat(3_000)}.csv`, 'evil.exe', undefined),
    type: fc.constantFrom('text/csv', 'application/vnd.ms-excel', 'image/png', undefined),
    content: fc.oneof({ arbitrary: table, weight: 6 }, { arbitrary: bytes, weight: 1 }, fc.constant(Buffer.alloc(0))),
  })
  .map(({ name, fileName, type, content }) => {
    const disposition = `form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
    const lines = [`Content-Disposition: ${disposition}`, ...(type ? [`Content-Type: ${type}`] : [])];
    return Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${lines.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
  });

/** Upload forms: with one file, several or none, truncated, or with a wrong field name. */
export const forms: fc.Arbitrary<Body | undefined> = fc.oneof(
  {
    arbitrary: fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 2 }), fc.constantFrom(`--${BOUNDARY}--\r\n`, ''))
      .map(([parts, end]) => form(Buffer.concat([...parts, Buffer.from(end)]))),
    weight: 6,
  },
  { arbitrary: bytes.map((content) => form(content)), weight: 1 },
  {
    arbitrary: bytes.map((content) => ({ headers: { 'content-type': 'multipart/form-data' }, payload: content })),
    weight: 1,
  },
  {
    arbitrary: fc.constantFrom({ headers: { 'content-type': 'application/json' }, payload: '{}' }, undefined),
    weight: 1,
  },
);

function form(payload: Buffer): Body {
  return { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, payload };
}
