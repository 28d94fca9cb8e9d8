import * as endpoints from '@brand-portal/contract/variants';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { createSamples } from './variant-search.ts';
import { listVariants } from './variants.ts';

export function registerVariantRoutes(route: Route, { lists }: { lists: Db }): void {
  const samples = createSamples();
  route(endpoints.listVariants, ({ params, query }) => listVariants(lists, params.brandId, query, { samples }));
}
