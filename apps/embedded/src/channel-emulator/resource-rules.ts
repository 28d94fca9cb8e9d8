import { Ajv } from 'ajv';
import type { Link } from './channel-emulator.queries.ts';

const STATUSES = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
} as const;

/** An error in the format of Google's REST services. */
export class GoogleError extends Error {
  readonly status: keyof typeof STATUSES;

  constructor(status: keyof typeof STATUSES, message: string) {
    super(message);
    this.status = status;
  }

  get body() {
    return { error: { code: this.status, message: this.message, status: STATUSES[this.status] } };
  }
}

/**
 * What is refused at upload. "The checks at upload time are minimal. All required attributes need to be present for a product to be valid.
 * Issues may show up later" (reference of accounts.products.update); those are in judgement.ts. Numbers are articles of Google's help for
 * manufacturers.
 */

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const texts = (maxLength: number) => ({ type: 'array', items: text(maxLength) });
/** Like Google, refuses unknown names ("Invalid JSON payload received. Unknown name"). */
const strict = (required: string[], properties: object) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** The attributes that the portal sends. 6124116: id, gtin, title and brand are required for all items. */
const ATTRIBUTES = strict(['gtin', 'title', 'brand'], {
  targetClientId: text(50),
  gtin: { ...texts(50), minItems: 1 },
  title: text(1_000),
  brand: text(1_000),
  description: text(5_000),
  imageLink: strict(['imageUrl'], { imageUrl: text(2_000) }),
  productPageUrl: text(2_000),
  productType: texts(750),
  intendedCountry: texts(2),
  certification: {
    type: 'array',
    // "Required. Name of the certification", "Required. Name of the certification body".
    items: strict(['name', 'authority'], {
      name: text(2_000),
      authority: text(2_000),
      code: text(2_000),
      value: text(2_000),
      link: text(2_000),
      logo: text(2_000),
      validUntil: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' },
    }),
  },
});

const validate = new Ajv().compile<ProductBody>(ATTRIBUTES);

export interface ProductBody {
  readonly targetClientId?: string;
  readonly gtin: string[];
  readonly title: string;
  readonly brand: string;
  readonly description?: string;
  readonly imageLink?: { readonly imageUrl: string };
  readonly intendedCountry?: string[];
  readonly certification?: { readonly name: string; readonly authority: string }[];
}

/** Returns the body if it has the documented form. */
export function checkBody(body: unknown): ProductBody {
  if (validate(body)) return body;
  const [problem] = validate.errors ?? [];
  throw new GoogleError(400, `Invalid JSON payload received: ${problem?.instancePath || 'attributes'} ${problem?.message}`);
}

/** 6124116: up to 50 ASCII characters. 10857344: a data partner's ids are `ClientID:ProductID`. */
const NAME = /^accounts\/\d+\/products\/[A-Z]{2}:[a-z]{2}:[A-Za-z0-9._~:-]{1,50}$/;

export function checkName(name: string): string {
  if (!NAME.test(name)) throw new GoogleError(400, `Invalid resource name: ${name}`);
  return name;
}

/** 10857344: "Required for all products uploaded by data partners"; the client id is the one of a link with a brand owner. */
export function checkClient({ targetClientId }: ProductBody, links: readonly Link[]): void {
  const isPartner = links.some(({ client_id }) => client_id !== '');
  if (isPartner && targetClientId === undefined) {
    throw new GoogleError(400, 'Missing required attribute: target_client_id is required for all products uploaded by data partners.');
  }
  if (!links.some(({ client_id }) => client_id === (targetClientId ?? ''))) {
    throw new GoogleError(403, `The account is not linked with the client ${targetClientId ?? ''}.`);
  }
}

/** GS1 General Specifications, 7.9: the check digit makes the weighted sum a multiple of ten. */
export function isValidGtin(gtin: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(gtin)) return false;
  const sum = [...gtin.padStart(14, '0')].reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return sum % 10 === 0;
}
