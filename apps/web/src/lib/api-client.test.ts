import { deleteBrand, getBrand, listBrands } from '@brand-portal/contract/brands';
import { logIn } from '@brand-portal/contract/identity';
import { verifyEmail } from '@brand-portal/contract/onboarding';
import { listVariants } from '@brand-portal/contract/variants';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { neverAnswer, startMockServer } from '../test/mock-server.ts';
import { callApi, configureApiClient, openDownload } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { changeLanguage } from './i18n.ts';

const server = startMockServer();
const brandsUrl = '*/api/v1/brands/';
const noBrands = { results: [], member_count: 0 };

beforeEach(() => configureApiClient({ getAccessToken: () => null }));

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

it('a download sends its body and its headers', async () => {
  let received: { body: unknown; header: string | null } | undefined;
  server.use(
    http.post('*/api/v1/*', async ({ request }) => {
      received = { body: await request.json(), header: request.headers.get('x-part') };
      return new HttpResponse('x');
    }),
  );
  await openDownload(verifyEmail, { body: { token: 't' }, headers: { 'x-part': '2' } });
  expect(received).toEqual({ body: { token: 't' }, header: '2' });
});

describe('a call', () => {
  // spec: §7 relative base
  it('goes to the path of its endpoint on this site, with params and query filled in', async () => {
    let url: URL | undefined;
    server.use(
      http.get('*/api/v1/brands/:brandId/variants/', ({ request }) => {
        url = new URL(request.url);
        return HttpResponse.json({ results: [], count: 0 });
      }),
    );
    const answer = await callApi(listVariants, {
      params: { brandId: 7 },
      query: { page: 2, search: 'a&b', published: false, has_certs: undefined },
    });
    expect(answer).toEqual({ results: [], count: 0 });
    expect(url?.origin).toBe(window.location.origin);
    expect(url?.pathname).toBe('/api/v1/brands/7/variants/');
    expect(url?.search).toBe('?page=2&search=a%26b&published=false');
  });

  it('sends its body as JSON', async () => {
    const seen: { type: string | null; body: unknown }[] = [];
    server.use(
      http.post('*/api/v1/auth0/login/', async ({ request }) => {
        seen.push({ type: request.headers.get('content-type'), body: await request.json() });
        return HttpResponse.json({ access: 'a', refresh: 'r', user: {} });
      }),
    );
    await callApi(logIn, { body: { token: 'provider' } });
    expect(seen).toEqual([{ type: 'application/json', body: { token: 'provider' } }]);
  });

  // spec: §7 json
  it('has the JSON content type also without a body', async () => {
    const seen: (string | null)[] = [];
    const note = ({ request }: { request: Request }) => {
      seen.push(request.headers.get('content-type'));
      return HttpResponse.json({ results: [], member_count: 0 });
    };
    server.use(http.get('*/api/v1/brands/', note), http.delete('*/api/v1/brands/:brandId/', note));
    await callApi(listBrands);
    await callApi(deleteBrand, { params: { brandId: 1 } });
    expect(seen).toEqual(['application/json', 'application/json']);
  });

  it('resolves with nothing when the answer has no body', async () => {
    server.use(http.delete('*/api/v1/brands/:brandId/', () => new HttpResponse(null, { status: 204 })));
    await expect(callApi(deleteBrand, { params: { brandId: 1 } })).resolves.toBeUndefined();
  });

  it.each([
    ['an empty 200', () => new HttpResponse('', { status: 200 })],
    ['a 204', () => new HttpResponse(null, { status: 204 })],
  ])('that changes something succeeds with %s, although the contract has an answer', async (_, answer) => {
    server.use(http.post('*/api/v1/verify-email/', answer));
    await expect(callApi(verifyEmail, { body: { token: 't' } })).resolves.toBeUndefined();
  });

  it('that reads something fails with an empty answer', async () => {
    server.use(http.get(brandsUrl, () => new HttpResponse('', { status: 200 })));
    await expect(failure(callApi(listBrands))).resolves.toMatchObject({ code: 'internal_error' });
  });

  it('sends the language of the page', async () => {
    let language: string | null = null;
    server.use(
      http.get(brandsUrl, ({ request }) => {
        language = request.headers.get('accept-language');
        return HttpResponse.json(noBrands);
      }),
    );
    await changeLanguage('es');
    await callApi(listBrands);
    await changeLanguage('en');
    expect(language).toBe('es');
  });

  // spec: §6 bearer token, §7 bearer token
  it('carries the access token when there is one, and no header when there is none', async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.get(brandsUrl, ({ request }) => {
        seen.push(request.headers.get('authorization'));
        return HttpResponse.json(noBrands);
      }),
    );
    await callApi(listBrands);
    configureApiClient({ getAccessToken: () => 'secret' });
    await callApi(listBrands);
    expect(seen).toEqual([null, 'Bearer secret']);
  });
});

// spec: §7 two not called
it('no code calls an endpoint that is only declared', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const code = Object.values(sources).join();
  expect(code).toContain('getCurrentUser');
  for (const declared of ['getProviderUser', 'auth0/user', 'getRuntimeConfig', 'auth0/config']) {
    expect(code).not.toContain(declared);
  }
});

describe('a failed call', () => {
  it('has the error of the server', async () => {
    const body = { detail: 'No such brand', code: 'brand_not_found', fields: { id: 'unknown' }, request_id: 'req-1' };
    server.use(http.get('*/api/v1/brands/:brandId/', () => HttpResponse.json(body, { status: 404 })));
    const error = await failure(callApi(getBrand, { params: { brandId: 1 } }));
    expect(error).toMatchObject({
      code: 'brand_not_found',
      status: 404,
      detail: 'No such brand',
      fields: { id: 'unknown' },
      requestId: 'req-1',
    });
  });

  it.each([
    [403, 'permission_denied'],
    [413, 'payload_too_large'],
    [502, 'internal_error'],
  ])('with status %i and an unknown body has the code %s', async (status, code) => {
    server.use(http.get(brandsUrl, () => HttpResponse.html('<h1>proxy</h1>', { status })));
    await expect(failure(callApi(listBrands))).resolves.toMatchObject({ code, status });
  });

  it('is not retried', async () => {
    let calls = 0;
    server.use(
      http.get(brandsUrl, () => {
        calls += 1;
        return HttpResponse.json({}, { status: 503 });
      }),
    );
    await failure(callApi(listBrands));
    expect(calls).toBe(1);
  });

  it('is a network error when no answer arrives', async () => {
    server.use(http.get(brandsUrl, () => HttpResponse.error()));
    await expect(failure(callApi(listBrands))).resolves.toMatchObject({ code: 'network_error', status: 0 });
  });

  it('is a server error when the answer is not what the contract says', async () => {
    server.use(http.get(brandsUrl, () => HttpResponse.text('hello')));
    await expect(failure(callApi(listBrands))).resolves.toMatchObject({ code: 'internal_error' });
  });

  it('rejects as its signal says when it was aborted', async () => {
    server.use(http.get(brandsUrl, () => HttpResponse.json(noBrands)));
    const controller = new AbortController();
    const call = callApi(listBrands, { signal: controller.signal });
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a call without an answer', () => {
  afterEach(() => vi.useRealTimers());

  // spec: §7 timeout, §9 http timeout
  it('is aborted after exactly 10 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    vi.stubGlobal('fetch', neverAnswer);
    let code: string | undefined;
    const call = failure(callApi(listBrands)).then((error) => {
      code = error.code;
    });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(code).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    await call;
    expect(code).toBe('timeout');
  });

  it('is aborted, too, when its body stops half-way, whatever the browser throws then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const text = (signal: AbortSignal) =>
      new Promise<string>((_text, fail) => signal.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError'))));
    vi.stubGlobal('fetch', async (_url: URL, { signal }: { signal: AbortSignal }) => ({
      ok: true,
      text: () => text(signal),
    }));
    const call = failure(callApi(listBrands));
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await call).code).toBe('timeout');
  });

  it('keeps the status of a refusal whose body is cut off', async () => {
    const text = () => Promise.reject(new TypeError('network error'));
    vi.stubGlobal('fetch', async () => ({ ok: false, status: 403, text }));
    expect(await failure(callApi(listBrands))).toMatchObject({ code: 'permission_denied', status: 403 });
  });
});
