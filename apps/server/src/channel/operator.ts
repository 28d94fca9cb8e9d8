import { audit } from '../audit/audit.ts';
import type { Db } from '../db/database.ts';
import { askNodes } from '../db/nodes.ts';
import { brandNotFound } from '../lib/errors.ts';
import { listBrandIds } from '../people/brands/brands.ts';
import { inAnyBrand, MEMBER_WAIT, OPERATOR_WAIT } from '../writes/brand-lock.ts';
import { retryDeliveries as retryDeliveriesOf } from '../writes/deliveries.ts';
import { listBrandsWithAnyWork } from '../writes/due-work.ts';
import {
  type DeliveryFilter as BrandFilter,
  type FailedDelivery,
  type ListedDelivery,
  listDeliveryRows,
  listFailedRows,
} from './deliveries.queries.ts';

interface DeliveryFilter extends BrandFilter {
  readonly brandId?: number | undefined;
}

/** For the operator's command line: the state of deliveries, by brand. */
export async function listDeliveries(db: Db, { brandId, ...filter }: DeliveryFilter, limit: number): Promise<ListedDelivery[]> {
  const found: ListedDelivery[] = [];
  for (const id of await chosenBrands(db, brandId)) {
    if (found.length >= limit) break;
    found.push(...(await listDeliveryRows(db, id, filter, limit - found.length)));
  }
  return found;
}

/** Queues them again and returns how many. Without a user the caller is the command line, which waits without a limit. */
export async function retryDeliveries(db: Db, { brandId, ...filter }: DeliveryFilter, userId: number | null = null): Promise<number> {
  let total = 0;
  for (const id of await chosenBrands(db, brandId)) {
    const retry = async (db: Db) => {
      const deliveries = await retryDeliveriesOf(db, id, filter);
      if (deliveries > 0) {
        const details = { ...filter, deliveries };
        await audit(db, { brandId: id, userId, action: 'delivery.retried', details });
      }
      return deliveries;
    };
    total += await inAnyBrand(db, id, retry, userId === null ? OPERATOR_WAIT : MEMBER_WAIT);
  }
  return total;
}

/** Refused and failed deliveries: for each node the oldest first, and how many there are. */
export async function listFailedDeliveriesOf(db: Db, limit: number): Promise<{ results: FailedDelivery[]; count: number }[]> {
  return askNodes(db, await chosenBrands(db, undefined), (ids) => listFailedRows(db, ids, limit));
}

/** Includes deleted brands that still have products to withdraw, also if the next attempt is later. */
async function chosenBrands(db: Db, brandId: number | undefined): Promise<number[]> {
  const ids = new Set([...(await listBrandIds(db)), ...(await listBrandsWithAnyWork(db, 'deliver'))]);
  if (brandId === undefined) return [...ids].sort((a, b) => a - b);
  if (!ids.has(brandId)) throw brandNotFound();
  return [brandId];
}
