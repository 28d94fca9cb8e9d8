import fc from 'fast-check';

/** Strings that are known to break parsers, encoders or databases. */
const BREAKING_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202eevil',
  '\r\nSet-Cookie: a=b',
  "' or 1=1 --",
  "'; drop table brands; --",
  '%',
  '_%\\',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template injection is the point.
  '${7*7}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'NaN',
  '1e999',
  '99999999999999999999',
  '-1',
  '=cmd|calc!A1',
];

const anyCodeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

/** Any UTF-16 text, including lone surrogates and control characters. */
const anyText = fc.array(anyCodeUnit, { maxLength: 30 }).map((units) => units.join(''));

const hugeText = fc
  .tuple(fc.constantFrom('x', 'é', '😀', ' ', '9'), fc.constantFrom(201, 2_049, 20_000, 300_000))
  .map(([unit, length]) => unit.repeat(length));

export const hostileText = fc.oneof(
  { arbitrary: fc.constantFrom(...BREAKING_TEXTS), weight: 4 },
  { arbitrary: anyText, weight: 3 },
  { arbitrary: hugeText, weight: 1 },
);

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e308, Number.MIN_VALUE, -(2 ** 53)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

function nest(depth: number): unknown {
  let value: unknown = 'bottom';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value };
  return value;
}

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 5 },
  { arbitrary: hostileNumber, weight: 3 },
  { arbitrary: fc.constantFrom(null, true, false, [], {}), weight: 2 },
  { arbitrary: fc.constantFrom(3, 100, 3_000).map(nest), weight: 1 },
  { arbitrary: fc.array(fc.constant('many'), { minLength: 500, maxLength: 1_000 }), weight: 1 },
  { arbitrary: fc.dictionary(hostileText, fc.jsonValue(), { maxKeys: 5 }), weight: 1 },
);
