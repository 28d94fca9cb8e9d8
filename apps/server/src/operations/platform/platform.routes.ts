import * as endpoints from '@brand-portal/contract/platform';
import { listRegistries } from '../../catalog/certificates/registry.ts';
import { retryDeliveries } from '../../channel/operator.ts';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import * as platform from './platform.ts';

export function registerPlatformRoutes(route: Route, { db, lists }: { db: Db; lists: Db }): void {
  route(endpoints.listPlatformBrands, ({ query }) => platform.listPlatformBrands(lists, query));

  route(endpoints.updatePlatformBrand, ({ params, body, userId }) => platform.changeBrandStatus(db, userId, params.brandId, body.status));

  route(endpoints.addBrandOwner, ({ params, body, userId }) => platform.addBrandOwner(db, userId, params.brandId, body.email));

  route(endpoints.listFailedDeliveries, () => platform.listFailedDeliveries(lists));

  route(endpoints.retryFailedDelivery, async ({ body, userId }) => ({
    deliveries: await retryDeliveries(db, { brandId: body.brand_id, variantId: body.variant_id }, userId),
  }));

  route(endpoints.listFailedImports, ({ request }) => platform.listFailedImports(lists, languageOf(request)));

  route(endpoints.listPlatformRegistries, async () => ({
    results: (await listRegistries(lists)).map(({ loaded_at, ...registry }) => ({
      ...registry,
      loaded_at: loaded_at.toISOString(),
    })),
  }));

  route(endpoints.rollBackPlatformRegistry, ({ body, userId }) => platform.rollBack(db, userId, body));

  route(endpoints.listJobs, () => platform.listJobs(lists));
  route(endpoints.retryJob, ({ params, userId }) => platform.changeJob(db, userId, params.jobId, 'retried'));
  route(endpoints.deleteJob, ({ params, userId }) => platform.changeJob(db, userId, params.jobId, 'deleted'));
}
