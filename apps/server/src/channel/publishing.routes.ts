import { getChannelConnection } from '@brand-portal/contract/channel';
import * as endpoints from '@brand-portal/contract/publishing';
import type { Db } from '../db/database.ts';
import type { Route } from '../http/route.ts';
import { getConnection } from './connections.ts';
import { publishVariant } from './publishing.ts';

export function registerPublishingRoutes(route: Route, { db }: { db: Db }): void {
  route(endpoints.publishVariant, ({ params, body, userId }) => publishVariant(db, userId, params.variantId, body.published));

  route(getChannelConnection, ({ params }) => getConnection(db, params.brandId));
}
