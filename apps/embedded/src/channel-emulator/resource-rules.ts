import { Ajv } from 'ajv';
import { GoogleError } from './google-error.ts';

const text = { type: 'string', minLength: 1, maxLength: 1_000 };
const texts = { type: 'array', items: text };
/** Google refuses names that it does not know, and so does this. */
const strict = (required: string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** Of a product's attributes those that the portal sends. */
const ATTRIBUTES = strict(['gtin', 'title', 'brand'], {
  gtin: { ...texts, minItems: 1 },
  title: text,
  brand: text,
  productType: texts,
  certification: {
    type: 'array',
    items: strict(['name', 'authority', 'code'], { name: text, authority: text, code: text }),
  },
});

const PRODUCT_CERTIFICATION = strict(['name', 'title', 'brand', 'certification'], {
  name: text,
  title: text,
  brand: text,
  productCode: texts,
  productType: texts,
  certification: {
    type: 'array',
    minItems: 1,
    items: strict(['name', 'authority'], { name: text, authority: text, code: text, link: text, validUntil: text }),
  },
});

const ajv = new Ajv();
const validators = { products: ajv.compile(ATTRIBUTES), productCertifications: ajv.compile(PRODUCT_CERTIFICATION) };

export type ResourceKind = keyof typeof validators;

/** The body itself, if it has the documented form. */
export function checkBody(kind: ResourceKind, body: unknown): unknown {
  const validate = validators[kind];
  if (validate(body)) return body;
  const [problem] = validate.errors ?? [];
  throw new GoogleError(400, `Invalid JSON payload received: ${problem?.instancePath || kind} ${problem?.message}`);
}

const ID = '[A-Za-z0-9._~-]{1,50}';
const NAMES = {
  products: new RegExp(`^accounts/\\d+/products/[A-Z]{2}:[a-z]{2}:${ID}$`),
  productCertifications: new RegExp(`^accounts/\\d+/languages/[a-z]{2}/productCertifications/${ID}$`),
};

export function checkName(kind: ResourceKind, name: string): string {
  if (!NAMES[kind].test(name)) throw new GoogleError(400, `Invalid resource name: ${name}`);
  return name;
}

export function gtinsOf(body: Readonly<Record<string, unknown>>): string[] {
  return [body.gtin, body.productCode].flat().filter((gtin): gtin is string => typeof gtin === 'string');
}

/** The last digit makes the weighted sum a multiple of ten (GS1 General Specifications, 7.9). */
export function isValidGtin(gtin: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(gtin)) return false;
  const sum = [...gtin.padStart(14, '0')].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}
