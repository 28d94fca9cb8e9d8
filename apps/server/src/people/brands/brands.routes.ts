import * as endpoints from '@brand-portal/contract/brands';
import { listQuotas as listQuotasEndpoint, type Quotas } from '@brand-portal/contract/quotas';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { getBrandContents, listDeletedBrands, markBrandDeleted, restoreBrand } from './brand-deletion.ts';
import { findOwnMembership } from './brands.queries.ts';
import { getBrand, listBrands, optInForTrial, updateBrand } from './brands.ts';
import { listQuotas } from './quotas.ts';

interface Dependencies {
  readonly db: Db;
  readonly quotas: Quotas;
  readonly supportEmail: string;
}

export function registerBrandRoutes(route: Route, { db, quotas, supportEmail }: Dependencies): void {
  route(endpoints.listBrands, ({ userId }) => listBrands(db, userId));

  route(endpoints.getBrand, async ({ params, userId }) => ({
    ...(await getBrand(db, params.brandId)),
    ...(await findOwnMembership(db, params.brandId, userId)),
  }));

  route(endpoints.updateBrand, ({ params, body, userId }) => updateBrand(db, { userId, supportEmail }, params.brandId, body));

  route(endpoints.deleteBrand, ({ params, userId }) => markBrandDeleted(db, userId, params.brandId));

  route(endpoints.getBrandContents, ({ params }) => getBrandContents(db, params.brandId));

  route(endpoints.listDeletedBrands, ({ userId }) => listDeletedBrands(db, userId));

  route(endpoints.restoreBrand, ({ params, userId }) => restoreBrand(db, userId, params.brandId));

  route(listQuotasEndpoint, ({ params }) => listQuotas(db, [params.brandId], quotas));

  route(endpoints.optInForTrial, ({ params, userId }) => optInForTrial(db, userId, params.brandId));
}
