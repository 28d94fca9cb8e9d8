import * as endpoints from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { createSamples } from './variant-search.ts';
import { listVariants } from './variants.ts';

export function registerVariantRoutes(route: Route, { db }: { db: Db }): void {
  const samples = createSamples();
  route(endpoints.listVariants, ({ params, query }) => listVariants(db, params.brandId, query, { samples }));
}
