import * as endpoints from '@brand-portal/contract/attention';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { getAttention, getReadiness, listAttention } from './attention.ts';

export function registerAttentionRoutes(route: Route, { lists }: { lists: Db }): void {
  route(endpoints.getReadiness, ({ params, query }) => getReadiness(lists, params.brandId, query.variant_id));
  route(endpoints.getAttention, ({ params }) => getAttention(lists, params.brandId));
  route(endpoints.listAttention, ({ userId }) => listAttention(lists, userId));
}
