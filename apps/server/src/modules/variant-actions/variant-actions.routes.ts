import * as endpoints from '@brand-portal/contract/variant-actions';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { listDeletions, restoreDeletion } from './deletions.ts';
import { actOnVariants } from './variant-actions.ts';

export function registerVariantActionRoutes(route: Route, { db }: { db: Db }): void {
  route(endpoints.actOnVariants, ({ params, body, userId }) => actOnVariants(db, userId, params.brandId, body));
  route(endpoints.listDeletions, ({ params, request }) => listDeletions(db, params.brandId, languageOf(request)));
  route(endpoints.restoreDeletion, ({ params, userId }) => restoreDeletion(db, userId, params));
}
