import * as account from './account.ts';
import * as apiKeys from './api-keys.ts';
import * as attention from './attention.ts';
import * as brands from './brands.ts';
import * as certificateDetail from './certificate-detail.ts';
import * as certificates from './certificates.ts';
import * as channel from './channel.ts';
import * as coverage from './coverage.ts';
import type { Endpoint } from './endpoint.ts';
import * as history from './history.ts';
import * as identity from './identity.ts';
import * as csvImport from './import.ts';
import * as importCorrections from './import-corrections.ts';
import * as members from './members.ts';
import * as onboarding from './onboarding.ts';
import * as platform from './platform.ts';
import * as publishing from './publishing.ts';
import * as quotas from './quotas.ts';
import * as reviews from './reviews.ts';
import * as team from './team.ts';
import * as variantActions from './variant-actions.ts';
import * as variantDetail from './variant-detail.ts';
import * as variants from './variants.ts';

/** All endpoints, for OpenAPI and for checks of all of them, such as permissions. */
export const ENDPOINTS: readonly Endpoint[] = [
  identity,
  onboarding,
  members,
  team,
  brands,
  quotas,
  variants,
  variantDetail,
  variantActions,
  csvImport,
  importCorrections,
  certificates,
  certificateDetail,
  coverage,
  reviews,
  publishing,
  channel,
  attention,
  apiKeys,
  account,
  history,
  platform,
].flatMap((resource) => Object.values(resource).filter(isEndpoint));

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}
