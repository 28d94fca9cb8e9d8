import { expect, onTestFinished, test, vi } from 'vitest';
import { useFakeProvider } from '../../../test/fake-provider.ts';
import { createProvider } from './provider.ts';

test('a call to a provider that does not answer fails at the deadline', async () => {
  const { domain } = await useFakeProvider(() => {});
  const provider = createProvider({ domain, deadlineMs: 100 });
  await expect(provider.verify('opaque')).rejects.toMatchObject({
    code: 'provider_unavailable',
    message: expect.stringContaining('no answer within 0.1 s'),
  });
});

test('a call to a provider whose answer never ends fails at the deadline', async () => {
  const { domain } = await useFakeProvider((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"sub":');
  });
  const provider = createProvider({ domain, deadlineMs: 100 });
  await expect(provider.verify('opaque')).rejects.toMatchObject({ code: 'provider_unavailable' });
});

test('an unreachable provider is an outage, also if its signing keys are needed', async () => {
  const unreachable = 'http://127.0.0.1:1';
  await expect(createProvider({ domain: unreachable }).verify('opaque')).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
  const signed = `${btoa('{"alg":"RS256","kid":"a"}')}.${btoa('{}')}.c2ln`.replaceAll('=', '');
  await expect(createProvider({ domain: unreachable, audience: 'api' }).verify(signed)).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
});

test.each([undefined, 'https://api.example'])('without a domain no provider is called and every sign-in is refused', async (audience) => {
  const calls = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => calls.mockRestore());
  const signed = `${btoa('{"alg":"RS256","kid":"a"}')}.${btoa('{}')}.c2ln`.replaceAll('=', '');
  await expect(createProvider({ domain: '', audience }).verify(signed)).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
  expect(calls).not.toHaveBeenCalled();
});
