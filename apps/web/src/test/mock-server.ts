import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** Plays the server for one test file; a call that no handler expects fails the test. Nobody is invited unless a test says so. */
export function startMockServer() {
  const server = setupServer(http.get('*/api/v1/users/me/invitations/', () => HttpResponse.json({ results: [] })));
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return server;
}
