import { QUOTAS, type Quota, type QuotaName, type Quotas } from '@brand-portal/contract/quotas';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../lib/errors.ts';
import { countUsed } from './quotas.queries.ts';

/** What one brand has, or the most that any of several has. */
export async function listQuotas(db: Db, brandIds: readonly number[], quotas: Quotas): Promise<{ results: Quota[] }> {
  const results: Quota[] = [];
  for (const name of QUOTAS) results.push({ name, used: await countUsed(db, brandIds, name), limit: quotas[name] });
  return { results };
}

/** What the brand has, if it has no room for so many more. Concurrent calls may exceed a quota by a little, except under the brand's lock. */
export async function findExceeded(db: Db, brandId: number, quotas: Quotas, name: QuotaName, added: number): Promise<Quota | undefined> {
  const limit = quotas[name];
  const used = await countUsed(db, [brandId], name);
  return used + added > limit ? { name, used, limit } : undefined;
}

const WHAT: Readonly<Record<QuotaName, string>> = {
  variants: 'product variants, including deleted ones that can still be restored',
  api_keys: 'live API keys',
  imports: 'imports',
  staged_bytes: 'bytes in files that are being imported or wait to be confirmed',
};

export async function requireRoom(db: Db, brandId: number, quotas: Quotas, name: QuotaName, added: number): Promise<void> {
  const exceeded = await findExceeded(db, brandId, quotas, name, added);
  if (!exceeded) return;
  const { used, limit } = exceeded;
  throw new AppError('quota_exceeded', `This brand has ${used} of at most ${limit} ${WHAT[name]}; ${added} more do not fit.`, undefined, {
    quota: name,
    used: String(used),
    limit: String(limit),
  });
}
