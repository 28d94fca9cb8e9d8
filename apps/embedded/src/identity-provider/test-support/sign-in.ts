import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from './browser.ts';
import { ANA, type RunningProvider } from './running-provider.ts';

const CLIENT_ID = 'brand-portal-web';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
}

/** The request that Auth0's SDK makes. */
export function authorizeUrl(
  { publicUrl }: Pick<RunningProvider, 'publicUrl'>,
  verifier: string,
  more: Record<string, string> = {},
): string {
  const parameters = new URLSearchParams({
    client_id: CLIENT_ID,
    scope: 'openid profile email offline_access',
    response_type: 'code',
    response_mode: 'query',
    redirect_uri: `${publicUrl}/callback`,
    state: 'the-state',
    nonce: 'the-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    auth0Client: 'eyJuYW1lIjoiYXV0aDAtcmVhY3QifQ==',
    ...more,
  });
  return `${publicUrl}/idp/authorize?${parameters}`;
}

/** Goes to the login page, or to the callback if the user is already signed in. */
export async function startSignIn(provider: RunningProvider, browser: Browser, more?: Record<string, string>) {
  const verifier = randomBytes(32).toString('base64url');
  const { url, answer } = await browser.open(authorizeUrl(provider, verifier, more), `${provider.publicUrl}/callback`);
  return { url, answer, verifier };
}

export function submitLogin(browser: Browser, loginUrl: string, form: Record<string, string>, headers = {}) {
  return browser.send(loginUrl, { method: 'POST', body: new URLSearchParams(form), headers });
}

/** Signs in through the page and returns the parameters of the callback. */
export async function obtainCode(
  provider: RunningProvider,
  browser: Browser,
  account: { email: string; password: string } = ANA,
  more?: Record<string, string>,
) {
  const start = await startSignIn(provider, browser, more);
  let at = start.url;
  if (at.includes('/idp/login/')) {
    const body = new URLSearchParams({ email: account.email, password: account.password });
    ({ url: at } = await browser.open(at, `${provider.publicUrl}/callback`, { method: 'POST', body }));
  }
  const parameters = new URL(at).searchParams;
  return { code: parameters.get('code') ?? '', state: parameters.get('state'), verifier: start.verifier, url: at };
}

export function requestTokens({ publicUrl }: RunningProvider, form: Record<string, string>): Promise<Response> {
  return fetch(`${publicUrl}/idp/oauth/token`, {
    method: 'POST',
    headers: { origin: publicUrl },
    body: new URLSearchParams({ client_id: CLIENT_ID, ...form }),
  });
}

export function redeem(provider: RunningProvider, { code, verifier }: { code: string; verifier: string }) {
  return requestTokens(provider, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: `${provider.publicUrl}/callback`,
  });
}

export function refresh(provider: RunningProvider, refreshToken: string): Promise<Response> {
  return requestTokens(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
}

/** The whole sign-in, up to the tokens. */
export async function signInFully(
  provider: RunningProvider,
  browser: Browser,
  account?: { email: string; password: string },
): Promise<Tokens> {
  const answer = await redeem(provider, await obtainCode(provider, browser, account));
  if (answer.status !== 200) throw new Error(`The code was refused: ${await answer.text()}`);
  return (await answer.json()) as Tokens;
}

export function userinfo({ publicUrl }: RunningProvider, accessToken: string): Promise<Response> {
  return fetch(`${publicUrl}/idp/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } });
}
