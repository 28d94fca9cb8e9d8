import * as endpoints from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { createListMemory, listVariants } from './variants.ts';

export function registerVariantRoutes(route: Route, { db }: { db: Db }): void {
  const memory = createListMemory();
  route(endpoints.listVariants, ({ params, query }) => listVariants(db, params.brandId, query, { memory }));
}
