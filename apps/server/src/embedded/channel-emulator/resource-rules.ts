import { Ajv } from 'ajv';
import { type Static, Type } from 'typebox';
import { GoogleError } from './google-error.ts';

const text = Type.String({ minLength: 1, maxLength: 1_000 });
const strict = { additionalProperties: false };

/** Of a product's attributes those that the portal sends; Google refuses names that it does not know, and so does this. */
const Attributes = Type.Object(
  {
    gtin: Type.Array(text, { minItems: 1 }),
    title: text,
    brand: text,
    productType: Type.Optional(Type.Array(text)),
    certification: Type.Optional(Type.Array(Type.Object({ name: text, authority: text, code: text }, strict))),
  },
  strict,
);

const ProductCertification = Type.Object(
  {
    name: text,
    title: text,
    brand: text,
    productCode: Type.Optional(Type.Array(text)),
    productType: Type.Optional(Type.Array(text)),
    certification: Type.Array(
      Type.Object(
        {
          name: text,
          authority: text,
          code: Type.Optional(text),
          link: Type.Optional(text),
          validUntil: Type.Optional(text),
        },
        strict,
      ),
      { minItems: 1 },
    ),
  },
  strict,
);

const ajv = new Ajv();
const validators = { products: ajv.compile(Attributes), productCertifications: ajv.compile(ProductCertification) };

export type ResourceBody = Static<typeof Attributes> | Static<typeof ProductCertification>;
export type ResourceKind = keyof typeof validators;

export function checkBody(kind: ResourceKind, body: unknown): ResourceBody {
  const validate = validators[kind];
  if (!validate(body)) {
    const [problem] = validate.errors ?? [];
    throw new GoogleError(400, `Invalid JSON payload received: ${problem?.instancePath || kind} ${problem?.message}`);
  }
  return body as ResourceBody;
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
