import { listBrands } from '@brand-portal/contract/brands';
import { refreshAccessToken, syncUser } from '@brand-portal/contract/identity';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { startMockServer } from '../test/mock-server.ts';
import { callApi, configureApiClient } from './api-client.ts';

const server = startMockServer();
const refusal = { detail: 'expired', code: 'unauthenticated', request_id: 'r' };
let seen: string[] = [];
let token = 'old';

beforeEach(() => {
  seen = [];
  token = 'old';
  server.use(
    http.get('*/api/v1/brands/', ({ request }) => {
      const header = request.headers.get('authorization') ?? '';
      seen.push(header);
      if (header !== 'Bearer new') return HttpResponse.json(refusal, { status: 401 });
      return HttpResponse.json({ results: [], member_count: 0 });
    }),
  );
});

describe('a call refused with 401', () => {
  // spec: §7 retry after 401
  it('is sent again once with the renewed token', async () => {
    const renewAccessToken = vi.fn(async () => 'new');
    configureApiClient({ getAccessToken: () => token, renewAccessToken });
    await expect(callApi(listBrands)).resolves.toEqual({ results: [], member_count: 0 });
    expect(seen).toEqual(['Bearer old', 'Bearer new']);
  });

  it('shares one renewal with the calls that were refused beside it', async () => {
    const renewAccessToken = vi.fn(async () => {
      token = 'new';
      return token;
    });
    configureApiClient({ getAccessToken: () => token, renewAccessToken });
    await Promise.all([callApi(listBrands), callApi(listBrands), callApi(listBrands)]);
    expect(renewAccessToken).toHaveBeenCalledOnce();
  });

  // spec: §7 retry after 401, §9 retry after 401
  it('fails when the renewed token is refused too, without a third attempt', async () => {
    configureApiClient({ getAccessToken: () => token, renewAccessToken: async () => 'also old' });
    await expect(callApi(listBrands)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(seen).toEqual(['Bearer old', 'Bearer also old']);
  });

  it('reports that the renewed token is refused too', async () => {
    const onTokenRefused = vi.fn();
    configureApiClient({ getAccessToken: () => token, renewAccessToken: async () => 'also old', onTokenRefused });
    await expect(callApi(listBrands)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(onTokenRefused).toHaveBeenCalledExactlyOnceWith('also old');
  });

  it('does not report the renewed token if another token is refused', async () => {
    const onTokenRefused = vi.fn();
    configureApiClient({ getAccessToken: () => token, renewAccessToken: async () => 'new', onTokenRefused });
    const body = { ...refusal, code: 'provider_token_rejected' };
    server.use(http.post('*/api/v1/auth0/sync/', () => HttpResponse.json(body, { status: 401 })));
    await expect(callApi(syncUser, { body: { token: 'provider' } })).rejects.toMatchObject({ status: 401 });
    expect(onTokenRefused).not.toHaveBeenCalled();
  });

  it('fails with the first error when there is no new token', async () => {
    configureApiClient({ getAccessToken: () => token, renewAccessToken: async () => null });
    await expect(callApi(listBrands)).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
    expect(seen).toEqual(['Bearer old']);
  });

  it('does not renew the token for a public call, such as the renewal itself', async () => {
    const renewAccessToken = vi.fn(async () => 'new');
    configureApiClient({ getAccessToken: () => token, renewAccessToken });
    server.use(http.post('*/api/v1/auth/token/refresh/', () => HttpResponse.json(refusal, { status: 401 })));
    await expect(callApi(refreshAccessToken, { body: { refresh: 'r' } })).rejects.toMatchObject({ status: 401 });
    expect(renewAccessToken).not.toHaveBeenCalled();
  });
});
