import type { Endpoint } from '@brand-portal/contract/endpoint';
import { ENDPOINTS } from '@brand-portal/contract/endpoints';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAnswerChecker } from '../../test/fuzz/answer-checker.ts';
import { requestsOf } from '../../test/fuzz/requests.ts';
import { createTwoTenants, MARKER, type TwoTenants } from '../../test/fuzz/two-tenants.ts';
import { type TestApp, useTestApp } from '../../test/test-app.ts';

/** `npm run test:fuzz` sets many more requests, with a new seed each time; FUZZ_SEED repeats a failure. */
const asked = process.env.FUZZ_REQUESTS;
const requests = Number(asked ?? 12);
const seed = Number(process.env.FUZZ_SEED ?? (asked ? Date.now() % 2 ** 31 : 1));
if (asked) console.log(`FUZZ_SEED=${seed}: ${requests} requests to each of ${ENDPOINTS.length} endpoints`);

const byTag = Object.entries(Object.groupBy(ENDPOINTS, ({ tag }) => tag));

test.each(byTag)(
  'random requests to %s get declared answers only, and neither show nor change data of another tenant',
  { timeout: 60_000 + requests * 2_000 },
  async (_tag, endpoints = []) => {
    const testApp = await useTestApp();
    let tenants = await createTwoTenants(testApp);
    for (const endpoint of endpoints) {
      await fuzz(endpoint, testApp, tenants);
      // Restores the data, so that the next endpoint finds something.
      if (endpoint.method === 'DELETE' || /logout|sessions/.test(endpoint.path)) tenants = await createTwoTenants(testApp);
    }
  },
);

test('the data that other tenants must not see exists: its owner gets it in every list', async () => {
  const testApp = await useTestApp();
  const { other } = await createTwoTenants(testApp);
  const { headers, brandId } = other;
  for (const list of ['', 'members/', 'variants/', 'certifications/', 'imports/']) {
    const { body } = await testApp.app.inject({ url: `/api/v1/brands/${brandId}/${list}`, headers });
    expect(body, list).toContain(MARKER);
  }
});

async function fuzz(endpoint: Endpoint, testApp: TestApp, tenants: TwoTenants): Promise<void> {
  const checker = createAnswerChecker(endpoint);
  const before = await tenants.readOtherTenant();
  const property = fc.asyncProperty(requestsOf(endpoint, tenants), async (request) => {
    const problem = checker.findProblem(await testApp.app.inject(request));
    if (problem) throw new Error(`${request.method} ${request.url}: ${problem}`);
  });
  await fc.assert(property, { seed, numRuns: requests });
  // Platform staff may change any brand. permissions.test.ts checks that nobody else can.
  if (endpoint.access === 'staff') return;
  expect(await tenants.readOtherTenant(), `after ${endpoint.method} ${endpoint.path}`).toBe(before);
}
