import * as endpoints from '@brand-portal/contract/reviews';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import { listReviews, reviewMany } from './reviews.ts';

export function registerReviewRoutes(route: Route, { db }: { db: Db }): void {
  route(endpoints.listReviews, () => listReviews(db, { limit: endpoints.LARGEST_REVIEW }));

  route(endpoints.reviewMany, ({ body, userId }) => reviewMany(db, userId, body));
}
