import { createHash } from 'node:crypto';
import type { Db } from '@brand-portal/server/db/database.ts';
import { findRefusal, type Issue, type StoredResource, type Switches } from './channel-emulator.queries.ts';
import { gtinsOf, isValidGtin } from './resource-rules.ts';

const INVALID_GTIN: Issue = {
  type: 'INVALID_GTIN',
  severity: 'ERROR',
  title: 'Invalid GTIN',
  description: 'The check digit is wrong. Provide the GTIN that GS1 assigned to the product.',
  attribute: 'gtin',
};
const BY_CHANCE: Issue = {
  type: 'POLICY_VIOLATION',
  severity: 'ERROR',
  title: 'Product disapproved',
  description: 'The product violates the policies of the destination.',
};

/** Google's output-only fields: still pending while it ponders, then the verdict. */
export async function judge(db: Db, resource: StoredResource, switches: Switches) {
  if (resource.age_ms < switches.processing_ms) return destination('PENDING', []);
  const issue = await findIssue(db, resource, switches);
  return issue ? destination('DISAPPROVED', [issue]) : destination('ACTIVE', []);
}

function destination(status: 'ACTIVE' | 'PENDING' | 'DISAPPROVED', issues: Issue[]) {
  return { destinationStatuses: [{ destination: 'Shopping', status }], issues };
}

async function findIssue(
  db: Db,
  { name, body }: StoredResource,
  { refuse_share }: Switches,
): Promise<Issue | undefined> {
  for (const gtin of gtinsOf(body)) {
    if (!isValidGtin(gtin)) return INVALID_GTIN;
    const refusal = await findRefusal(db, gtin);
    if (refusal) return refusal;
  }
  // By its name, so that the same product gets the same verdict each time.
  const chance = createHash('sha256').update(name).digest().readUInt32BE() / 2 ** 32;
  return chance < refuse_share ? BY_CHANCE : undefined;
}
