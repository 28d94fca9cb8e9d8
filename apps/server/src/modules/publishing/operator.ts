import { type Db, inTransaction } from '../../db/database.ts';
import { audit } from '../audit/audit.ts';
import { type DeliveryFilter, type ListedDelivery, listDeliveryRows, requeueDeliveryRows } from './operator.queries.ts';
import { insertDeliveryJob } from './publishing.queries.ts';

/** For the operator's command line: what became of deliveries, over all brands. */
export function listDeliveries(db: Db, filter: DeliveryFilter, limit: number): Promise<ListedDelivery[]> {
  return listDeliveryRows(db, filter, limit);
}

/** Carries them out anew, and tells how many those are. */
export function retryDeliveries(db: Db, filter: DeliveryFilter): Promise<number> {
  return inTransaction(db, async (db) => {
    const deliveries = await requeueDeliveryRows(db, filter);
    if (deliveries > 0) {
      const { brandId = null, ...details } = filter;
      await audit(db, { brandId, userId: null, action: 'delivery.retried', details: { ...details, deliveries } });
      await insertDeliveryJob(db, 'any');
    }
    return deliveries;
  });
}
