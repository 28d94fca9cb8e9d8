import { getVerificationStatus, setupPassword as setupPasswordEndpoint, verifyEmail } from '@brand-portal/contract/onboarding';
import type { Db } from '../../db/database.ts';
import type { Route } from '../../http/route.ts';
import type { IdentityDirectory } from './identity-directory.ts';
import { setupPassword } from './setup-password.ts';
import { getStatus, verify } from './verification.ts';

interface Dependencies {
  readonly db: Db;
  readonly directory: IdentityDirectory;
}

export function registerOnboardingRoutes(route: Route, { db, directory }: Dependencies): void {
  route(getVerificationStatus, ({ query }) => getStatus(db, query.token));

  route(verifyEmail, ({ body }) => verify(db, body.token));

  route(setupPasswordEndpoint, ({ body }) => setupPassword(db, directory, body));
}
