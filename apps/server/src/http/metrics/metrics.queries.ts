import type { Quota, QuotaName } from '@brand-portal/contract/quotas';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { countJobs } from '../../db/job-counts.ts';
import { IS_LISTED } from '../../db/listed-imports.ts';
import { askNodes } from '../../db/nodes.ts';

/** The most that any of the brands has of what it may store. */
export type ListQuotas = (brandIds: readonly number[]) => Promise<{ readonly results: readonly Quota[] }>;

interface Counts {
  readonly jobs: readonly { task: string; state: string; count: number }[];
  readonly deliveries: readonly { state: string; count: number }[];
  readonly deliveryDelaySeconds: number;
  /** The largest share of any brand. */
  readonly quotas: ReadonlyMap<QuotaName, number>;
  readonly imports: { readonly count: number; readonly imported: number; readonly rejected: number };
}

/** Pending and completed work of the whole installation. It is read from the database, so every server reports the same. */
export async function readCounts(db: Db, listQuotas: ListQuotas): Promise<Counts> {
  const brands = await db.selectFrom('brands').select(['id', 'status']).execute();
  // Nothing of them is sent, however long they stay so.
  const inactive = new Set(brands.filter(({ status }) => status === 'inactive').map(({ id }) => id));
  const [jobs, deliveryDelaySeconds] = await Promise.all([countJobs(db), readDeliveryDelay(db, inactive)]);
  const deliveries = new Map<string, number>();
  const quotas = new Map<QuotaName, number>();
  const imports = { count: 0, imported: 0, rejected: 0 };
  const ask = async (ids: readonly number[]) => {
    const sending = ids.filter((id) => !inactive.has(id));
    return { states: await countDeliveries(db, sending), quotas: (await listQuotas(ids)).results, imports: await countImports(db, ids) };
  };
  const ids = brands.map(({ id }) => id);
  for (const answer of await askNodes(db, ids, ask)) {
    for (const { state, count } of answer.states) deliveries.set(state, (deliveries.get(state) ?? 0) + count);
    for (const { name, used, limit } of answer.quotas) quotas.set(name, Math.max(quotas.get(name) ?? 0, used / limit));
    imports.count += answer.imports.count;
    imports.imported += answer.imports.imported;
    imports.rejected += answer.imports.rejected;
  }
  return {
    jobs,
    deliveries: [...deliveries].map(([state, count]) => ({ state, count })),
    deliveryDelaySeconds,
    quotas,
    imports,
  };
}

/** Without brands that are inactive, or whose published variants wait for a connection: nobody could send them. */
async function readDeliveryDelay(db: Db, inactive: ReadonlySet<number>): Promise<number> {
  const { rows } = await sql<{ brand_id: number; seconds: number }>`
    select brand_id, extract(epoch from now() - due_at)::float8 as seconds
    from due_work where kind = 'deliver' and due_at <= now() order by due_at
  `.execute(db);
  for (const { brand_id, seconds } of rows) if (!inactive.has(brand_id) && (await canDeliver(db, brand_id))) return seconds;
  return 0;
}

/** To send, or through a former connection to withdraw. */
async function canDeliver(db: Db, brandId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from channel_connections
    where brand_id = ${brandId} and (kind = 'own' or client_id is not null or ended_at is not null) limit 1
  `.execute(db);
  return rows.length > 0;
}

async function countDeliveries(db: Db, brandIds: readonly number[]): Promise<Counts['deliveries']> {
  const { rows } = await sql<Counts['deliveries'][number]>`
    select case when state = 'queued' and connection_id is null and not exists (
        select from channel_connections c
        where c.brand_id = d.brand_id and c.ended_at is null and (c.kind = 'own' or c.client_id is not null)
      ) then 'waiting_for_connection' else state end as state, count(*) as count
    from deliveries d where d.brand_id = any (${brandIds}::bigint[]) group by 1
  `.execute(db);
  return rows;
}

async function countImports(db: Db, brandIds: readonly number[]): Promise<Counts['imports']> {
  const { rows } = await sql<Counts['imports']>`
    select count(*) as count, coalesce(sum(imported), 0)::bigint as imported, coalesce(sum(rejected), 0)::bigint as rejected
    from imports where brand_id = any (${brandIds}::bigint[]) and state = 'done' and ${IS_LISTED}
  `.execute(db);
  return rows[0] ?? { count: 0, imported: 0, rejected: 0 };
}
