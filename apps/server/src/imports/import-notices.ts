import type { BodyOf } from '@brand-portal/contract/endpoint';
import type { dismissImports as dismissImportsEndpoint } from '@brand-portal/contract/import';
import { audit } from '../audit/audit.ts';
import { type Db, inTransaction } from '../db/database.ts';
import { countNotices, dismissNotices, type NoticedImports } from './import-notices.queries.ts';

/** Imports of the brand that need attention. */
export function countNoticedImports(db: Db, brandId: number): Promise<NoticedImports> {
  return countNotices(db, brandId);
}

export function dismissImports(
  db: Db,
  { brandId, userId }: { readonly brandId: number; readonly userId: number },
  { notice, ids }: BodyOf<typeof dismissImportsEndpoint>,
): Promise<{ dismissed: number }> {
  return inTransaction(db, async (db) => {
    const dismissed = await dismissNotices(db, brandId, notice, ids);
    if (dismissed > 0) {
      await audit(db, {
        brandId,
        userId,
        action: 'variants.imports_dismissed',
        details: { notice, imports: dismissed },
      });
    }
    return { dismissed };
  });
}
