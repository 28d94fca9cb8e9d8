import { type Static, Type } from 'typebox';
import type { Endpoint } from './endpoint.ts';

export const BRAND_STATUSES = ['active', 'inactive', 'pending'] as const;
export const BrandStatus = Type.Enum(BRAND_STATUSES, {
  description:
    'Set by platform staff only. `inactive`: members read and export, nothing is changed or sent. `pending`: everything but publishing.',
});
export type BrandStatus = Static<typeof BrandStatus>;

export type StatusRefusal = 'brand_inactive' | 'brand_pending';

/** Why the brand's status does not allow a call, whoever makes it. Undefined: it does. */
export function refusalOfStatus(
  { method, inInactive = method === 'GET', publishes }: Pick<Endpoint, 'method' | 'inInactive' | 'publishes'>,
  status: BrandStatus,
  body: unknown,
): StatusRefusal | undefined {
  if (status === 'inactive' && !inInactive) return 'brand_inactive';
  if (status !== 'pending' || !publishes) return undefined;
  const given: object = typeof body === 'object' && body !== null ? body : {};
  const isMeant = Object.entries(publishes).every(([field, value]) => Reflect.get(given, field) === value);
  return isMeant ? 'brand_pending' : undefined;
}
