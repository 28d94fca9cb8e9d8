import type { ChannelConnection, ChannelFeed } from '@brand-portal/contract/channel';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

export const CONNECTED: ChannelConnection = {
  state: 'connected',
  kind: 'partner',
  account: null,
  client_id: '4711',
  countries: ['DE', 'AT'],
  language: 'de',
  registered_name: 'Fjord & Forest',
  refusal: '',
};
export const NO_FEED: ChannelFeed = {
  state: 'none',
  created_at: null,
  creator_id: null,
  maker_left: false,
  revoked_at: null,
  last_fetched_at: null,
};
const NO_STATES = {
  live: 0,
  on_its_way: 0,
  queued: 0,
  sent: 0,
  refused: 0,
  blocked: 0,
  unpublished: 0,
  certificate_problems: 0,
};
const READY = { ready: 1, ready_with_remarks: 0, blocked: 0, published: 0, reasons: [] };

/** In place of `fetch`: no answer, until the call is aborted. */
export const neverAnswer = (_url: unknown, { signal }: RequestInit = {}) =>
  new Promise<Response>((_answer, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));

/**
 * Starts the mock server for one test file; a call without a handler fails the test. By default there are no
 * invitations, brands are connected and nothing needs attention.
 */
export function startMockServer() {
  const server = setupServer(
    http.get('*/api/v1/users/me/invitations/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/users/me/deleted-brands/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/users/me/attention/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/brands/:id/api-keys/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/brands/:id/quotas/', () => HttpResponse.json({ results: [] })),
    http.get('*/api/v1/brands/:id/channel/feed/', () => HttpResponse.json(NO_FEED)),
    http.get('*/api/v1/brands/:id/channel/', () => HttpResponse.json(CONNECTED)),
    http.get('*/api/v1/brands/:id/variants/states/', () => HttpResponse.json(NO_STATES)),
    http.get('*/api/v1/brands/:id/readiness/', () => HttpResponse.json(READY)),
  );
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => server.resetHandlers());
  afterAll(() => server.close());
  return server;
}
