import * as endpoints from '@brand-portal/contract/api-keys';
import type { Quotas } from '@brand-portal/contract/quotas';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts';

export function registerApiKeyRoutes(route: Route, { db, quotas }: { db: Db; quotas: Quotas }): void {
  route(endpoints.listApiKeys, ({ params }) => listApiKeys(db, params.brandId));
  route(endpoints.createApiKey, ({ params, body, userId }) => createApiKey(db, userId, params.brandId, body, quotas));
  route(endpoints.revokeApiKey, ({ params, userId }) => revokeApiKey(db, userId, params.brandId, params.keyId));
}
