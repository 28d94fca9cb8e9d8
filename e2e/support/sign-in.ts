import { type BrowserContext, expect, type Page } from '@playwright/test';

export const DEMO_PASSWORD = 'Demo-Portal-2026!';
export const OWNER = 'olivia.owner@demo.example';
export const EDITOR = 'eduardo.editor@demo.example';
export const VIEWER = 'vera.viewer@demo.example';

const SIGN_IN = /^(Sign in|Iniciar sesión)$/;

/** Fills in and submits the provider's login page. */
export async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.waitForURL(/\/idp\/login\//);
  await page.getByLabel(/^(Email|Correo)/).fill(email);
  await page.getByRole('textbox', { name: /^(Password|Contraseña)$/ }).fill(password);
  await page.getByRole('button', { name: SIGN_IN }).click();
}

/** Signs in from the sign-in page, and waits until the provider has redirected back to the app. */
export async function completeSignIn(page: Page, email = OWNER): Promise<void> {
  await page.getByRole('button', { name: SIGN_IN }).click();
  await enterPassword(page, email, DEMO_PASSWORD);
  await expect.poll(() => new URL(page.url()).pathname).not.toMatch(/^\/(idp|callback)/);
}

/** Signs in through the provider's page, up to the dashboard. For journeys that end their session. */
export async function signInFromScratch(page: Page, email = OWNER): Promise<void> {
  await page.goto('/');
  await completeSignIn(page, email);
  await page.waitForURL('**/brands');
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The browser's storage after the sign-in, by email. Shared by the journeys of a worker, which have one server. */
const savedSessions = new Map<string, { state: StorageState; savedAt: number }>();

/** Access tokens are valid for 15 minutes. A journey that had to refresh one would use up the saved refresh token. */
const MAX_SESSION_AGE_MS = 8 * 60_000;

/** Restores a saved session, to sign in only once per user and worker. Then no page of the app is open. */
export async function restoreSession(page: Page, email = OWNER): Promise<void> {
  const saved = savedSessions.get(email);
  if (!saved || Date.now() - saved.savedAt > MAX_SESSION_AGE_MS) {
    const savedAt = Date.now();
    await signInFromScratch(page, email);
    savedSessions.set(email, { state: await page.context().storageState(), savedAt });
    return;
  }
  const { cookies, origins } = saved.state;
  await page.context().addCookies(cookies);
  // Any URL of the origin that does not load the app.
  await page.goto('/favicon.svg');
  await page.evaluate(
    (entries) => {
      for (const { name, value } of entries) localStorage.setItem(name, value);
    },
    // Only the session, without language and colour mode.
    origins.flatMap(({ localStorage }) => localStorage).filter(({ name }) => /^(auth-storage|@@auth0)/.test(name)),
  );
}

/** Signs in and opens the dashboard. */
export async function signIn(page: Page, email = OWNER): Promise<void> {
  await restoreSession(page, email);
  if (new URL(page.url()).pathname !== '/brands') await page.goto('/brands');
}

/** The URL of each brand's variants, by brand name, once known. */
const brandAddresses = new Map<string, string>();

/** Opens a brand's variants, with `query` appended. If the URL is known, it does not load the dashboard first. */
export async function openVariants(page: Page, brand = 'Fjord & Forest', query = '', email = EDITOR): Promise<void> {
  let address = brandAddresses.get(brand);
  if (address) await restoreSession(page, email);
  else {
    await signIn(page, email);
    const link = page.getByRole('link', { name: `Manage ${brand}`, exact: true });
    address = (await link.getAttribute('href')) ?? '';
    brandAddresses.set(brand, address);
  }
  await page.goto(address + query);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Product Variants & Publishing');
}

interface StoredSession {
  user: { email: string } | null;
  accessToken: string | null;
  refreshToken: string | null;
  isAuthenticated: boolean;
  isLoading: boolean;
  error: string | null;
}

export function readStoredSession(page: Page): Promise<StoredSession | undefined> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? 'null')?.state);
}

/** Replaces the stored access token with one that the server refuses, as if it had expired. Reload the page afterwards. */
export async function expireAccessToken(page: Page): Promise<void> {
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('auth-storage') ?? '{}');
    stored.state.accessToken = 'expired';
    localStorage.setItem('auth-storage', JSON.stringify(stored));
    // Until the reload: the page would store its valid token again when the user's data arrives.
    Storage.prototype.setItem = () => undefined;
  });
}
