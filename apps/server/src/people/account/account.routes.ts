import * as endpoints from '@brand-portal/contract/account';
import type { Route } from '../../http/route.ts';
import { listNotices } from '../members/own-memberships.ts';
import * as account from './account.ts';

export function registerAccountRoutes(route: Route, deps: account.AccountDependencies): void {
  const { db } = deps;
  route(endpoints.getAccount, ({ userId }) => account.getAccount(deps, userId));
  route(endpoints.updateAccount, ({ userId, body }) => account.updateAccount(deps, userId, body));
  route(endpoints.listSessions, ({ userId, sessionId }) => account.listSessions(db, userId, sessionId));
  route(endpoints.endSession, ({ userId, params }) => account.endSessions(deps, userId, { only: params.sessionId }));
  route(endpoints.endOtherSessions, ({ userId, sessionId }) => account.endSessions(deps, userId, { allBut: sessionId }));
  route(endpoints.listNotices, ({ userId }) => listNotices(db, userId));
  route(endpoints.mailPasswordLink, ({ userId }) => account.mailPasswordLink(deps, userId));
  route(endpoints.deleteAccount, ({ userId, body, request }) => account.deleteAccount(deps, userId, body.email, request.log));
}
