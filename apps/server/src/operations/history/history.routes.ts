import * as endpoints from '@brand-portal/contract/history';
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../db/database.ts';
import { languageOf } from '../../http/language.ts';
import type { Route } from '../../http/route.ts';
import { exportHistory, getHistoryFilters, listHistory } from './history.ts';

export function registerHistoryRoutes(route: Route, { db, lists }: { db: Db; lists: Db }): void {
  route(endpoints.listHistory, (call) => listHistory(lists, readerOf(call), call.query));
  route(endpoints.getHistoryFilters, (call) => getHistoryFilters(lists, readerOf(call)));
  route(endpoints.exportHistory, (call) => exportHistory(db, readerOf(call), call.query));
}

interface Asked {
  readonly params: { readonly brandId: number };
  readonly userId: number;
  readonly request: FastifyRequest;
}

function readerOf({ params, userId, request }: Asked) {
  return { brandId: params.brandId, userId, language: languageOf(request) };
}
