import { readFileSync } from 'node:fs';
import type pg from 'pg';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Query Text'?: string;
  Plans?: Plan[];
}

/** Makes PostgreSQL log the plan of every statement of the server. */
export async function logPlans(client: pg.Client): Promise<void> {
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    `auto_explain.log_format = 'json'`,
  ]) {
    await client.query(`alter database postgres set ${setting}`);
  }
  // The settings apply to new connections, so the existing ones are cut.
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'brand-portal'`);
}

/** The plans logged since `from`, with their statements. */
export function readPlans(log: string, from: number): Plan[] {
  const text = readFileSync(log, 'utf8').slice(from);
  return [...text.matchAll(/plan:\n(\t\{[\s\S]*?\n\t\})/g)].map((match) => {
    const { 'Query Text': query, Plan: plan } = JSON.parse((match[1] ?? '').replaceAll('\n\t', '\n')) as {
      'Query Text': string;
      Plan: Plan;
    };
    return { ...plan, 'Query Text': query };
  });
}

const TENANT_TABLES = [
  'variants',
  'variant_search',
  'variant_search_waiting',
  'variant_counts',
  'certificates',
  'variant_certificates',
  'deliveries',
];

/** Scans that could read another brand's rows. Empty if every table is read by the brand's own index entries. */
export function foreignReads(plan: Plan, brandId: number): string[] {
  const own = new RegExp(`brand_id = '?${brandId}\\b|brand_id = \\$1|@@ '''${brandId.toString(16)}:`);
  const children = (plan.Plans ?? []).flatMap((child) => foreignReads(child, brandId));
  if (!TENANT_TABLES.includes(plan['Relation Name'] ?? '')) return children;
  const conditions = conditionsOf(plan);
  const isOwn = conditions.length > 0 && conditions.every((condition) => own.test(condition));
  return isOwn ? children : [...children, `${plan['Node Type']} on ${plan['Relation Name']}: ${conditions.join(', ')}`];
}

function conditionsOf(plan: Plan): string[] {
  return plan['Index Cond'] ? [plan['Index Cond']] : (plan.Plans ?? []).flatMap(conditionsOf);
}
