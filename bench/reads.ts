import { signInMember } from '../scripts/sign-in-member.ts';
import { closeConnections, postgresCpuSeconds, request, time } from './support/measure.ts';
import { option } from './support/options.ts';
import { connect, startPortal } from './support/portal.ts';
import { readCases } from './support/read-cases.ts';
import { loadReads } from './support/reads-data.ts';
import { printVerdicts, verdict } from './support/verdict.ts';

/**
 * Every list and count of a brand of `--rows=1000000` variants, with imports of `--imported=300000` rows. On a machine with other work, the
 * CPU time of the database tells more than the time of the answer.
 */
const rows = Number(option('rows') ?? 1_000_000);
const imported = Number(option('imported') ?? 300_000);
const runs = Number(option('runs') ?? 10);
const BAR_MS = 100;

const portal = await startPortal();
try {
  const client = await connect(portal.databaseUrl);
  const brand = await loadReads(client, rows, imported);
  const headers = { ...(await signInMember(client, brand.brandId)), 'accept-language': 'en' };
  await client.query('update users set is_staff = true where id in (select user_id from brand_members where brand_id = $1)', [
    brand.brandId,
  ]);
  console.log(`${rows} variants of one brand, imports of ${imported} rows\n`);
  console.log('| read | p50 ms | p99 ms | CPU ms of the database | bar |\n|---|---|---|---|---|');
  for (const { label, path } of readCases(brand)) {
    const url = portal.url + encodeURI(path);
    const refusal = await request(url, headers).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (refusal) {
      console.log(`| ${label} | ${refusal.slice(url.length + 1)} | | | ${verdict(false)} |`);
      continue;
    }
    const before = postgresCpuSeconds(portal.postgresPid);
    const { p50, p99 } = await time(runs, () => request(url, headers), { warmUp: 0 });
    const cpuMs = ((postgresCpuSeconds(portal.postgresPid) - before) * 1000) / runs;
    const bar = `≤ ${BAR_MS} ms: ${verdict(p50 <= BAR_MS)}`;
    console.log(`| ${label} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | ${cpuMs.toFixed(0)} | ${bar} |`);
  }
  await client.end();
} finally {
  closeConnections();
  await portal.stop();
}
printVerdicts();
