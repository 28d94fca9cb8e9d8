import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

const READY = { ready: 1, ready_with_remarks: 0, blocked: 0, reasons: [] };

/** Plays the server for one test file; a call that no handler expects fails the test. Nobody is invited and nothing is wrong unless a test says so. */
export function startMockServer() {
  const server = setupServer(
    http.get('*/api/v1/users/me/invitations/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/users/me/attention/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/brands/:id/readiness/', () => HttpResponse.json(READY)),
  );
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return server;
}
