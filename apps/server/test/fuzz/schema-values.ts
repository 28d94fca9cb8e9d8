import fc from 'fast-check';
import { hostileText, hostileValue } from './hostile-values.ts';

/** The part of JSON Schema that the contract uses. The fuzzer fails on an unknown type. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

type Values = Record<string, unknown>;

/** A value that the schema accepts. */
function validValue(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValue));
  switch (schema.type) {
    case 'object':
      return validObject(schema);
    case 'array':
      return fc.array(validValue(schema.items ?? {}), { maxLength: 5 });
    case 'string':
      return validText(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 1_000_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`The fuzzer does not know how to make a value of ${JSON.stringify(schema)}`);
  }
}

function validObject({ properties = {}, required = [] }: Schema): fc.Arbitrary<Values> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, validValue(field)]));
  return fc.record(fields, { requiredKeys: [...required] });
}

function validText({ pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.min(maxLength, 60) };
  const plain = fc.oneof(fc.string({ ...length, unit: 'grapheme' }), fc.string(length));
  if (!pattern) return plain;
  const accepted = new RegExp(pattern, 'u');
  const likely = fc.oneof(plain, fc.emailAddress(), fc.webUrl(), fc.constantFrom('', '/logo.png', 'a@b'));
  return likely.filter((text) => accepted.test(text) && text.length >= minLength && text.length <= maxLength);
}

/** Valid objects, objects with a broken, missing or extra field, and values that are not objects. */
export function nearlyValid(schema: Schema): fc.Arbitrary<unknown> {
  const names = Object.keys(schema.properties ?? {});
  const valid = validObject(schema);
  const oneOf = fc.constantFrom(...(names.length > 0 ? names : ['anything']));
  return fc.oneof(
    { arbitrary: valid, weight: 3 },
    {
      arbitrary: fc.tuple(valid, oneOf, hostileValue).map(([object, name, value]) => ({ ...object, [name]: value })),
      weight: 5,
    },
    { arbitrary: fc.tuple(valid, oneOf).map(([object, name]) => without(object, name)), weight: 1 },
    {
      arbitrary: fc.tuple(valid, hostileText, hostileValue).map(([object, name, value]) => ({ ...object, [name]: value })),
      weight: 1,
    },
    { arbitrary: hostileValue, weight: 1 },
  );
}

function without(object: Values, name: string): Values {
  const { [name]: _gone, ...rest } = object;
  return rest;
}
