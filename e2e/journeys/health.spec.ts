import { expect, test } from '../support/journey.ts';

test('a running server says that it is alive and ready', async ({ request }) => {
  const health = await request.get('/healthz');
  expect(health.status()).toBe(200);
  expect(health.headers()['content-type']).toContain('application/json');

  const ready = await request.get('/readyz');
  expect(ready.status()).toBe(200);
  expect(await ready.json()).toEqual({ status: 'ready' });
});

test('an unknown path of the API is an error in JSON, even when a browser asks', async ({ request }) => {
  for (const accept of ['application/json', 'text/html,*/*']) {
    const answer = await request.get('/api/v1/no-such-thing/', { headers: { accept } });
    expect(answer.status()).toBe(404);
    expect(answer.headers()['content-type']).toContain('application/json');
    expect(await answer.json()).toEqual({
      detail: expect.stringMatching(/\S/),
      code: 'not_found',
      request_id: answer.headers()['x-request-id'],
    });
  }
});

test('the API describes itself as OpenAPI 3.1', async ({ request }) => {
  const answer = await request.get('/api/v1/openapi.json');
  expect(answer.status()).toBe(200);
  const document = await answer.json();
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(document.components.schemas).toHaveProperty('Error');
});

test('the documentation page shows the API and breaks no content security policy', async ({ page }) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { name: /Brand Portal/ })).toBeVisible();
});
