import { type BrowserContext, expect, type Page } from '@playwright/test';

export const DEMO_PASSWORD = 'Demo-Portal-2026!';
export const OWNER = 'olivia.owner@demo.example';
export const EDITOR = 'eduardo.editor@demo.example';
export const VIEWER = 'vera.viewer@demo.example';

const SIGN_IN = /^(Sign in|Iniciar sesión)$/;

/** The provider's page, filled in and sent. */
export async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.waitForURL(/\/idp\/login\//);
  await page.getByLabel(/^(Email|Correo)/).fill(email);
  await page.getByRole('textbox', { name: /^(Password|Contraseña)$/ }).fill(password);
  await page.getByRole('button', { name: SIGN_IN }).click();
}

/** From the sign-in page, wherever it is shown, to the page that was asked for. */
export async function signInHere(page: Page, email = OWNER): Promise<void> {
  await page.getByRole('button', { name: SIGN_IN }).click();
  await enterPassword(page, email, DEMO_PASSWORD);
  await expect.poll(() => new URL(page.url()).pathname).not.toMatch(/^\/(idp|callback)/);
}

/** From a fresh browser to the dashboard, by the provider's page. For journeys that end their session. */
export async function signInAnew(page: Page, email = OWNER): Promise<void> {
  await page.goto('/');
  await signInHere(page, email);
  await page.waitForURL('**/brands');
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** What a browser has kept of each person's sign-in; the worker's journeys share one server. */
const keptSessions = new Map<string, StorageState>();

/** As someone who has signed in before: the provider's page is seen once per person and run. Opens no page of the app. */
export async function restoreSession(page: Page, email = OWNER): Promise<void> {
  const kept = keptSessions.get(email);
  if (!kept) {
    await signInAnew(page, email);
    keptSessions.set(email, await page.context().storageState());
    return;
  }
  await page.context().addCookies(kept.cookies);
  // A page of the same origin that runs nothing of the app.
  await page.goto('/favicon.svg');
  await page.evaluate(
    (entries) => {
      for (const { name, value } of entries) localStorage.setItem(name, value);
    },
    // The session alone: language and colours are each journey's own.
    kept.origins.flatMap(({ localStorage }) => localStorage).filter(({ name }) => /^(auth-storage|@@auth0)/.test(name)),
  );
}

/** To the dashboard. */
export async function signIn(page: Page, email = OWNER): Promise<void> {
  await restoreSession(page, email);
  if (new URL(page.url()).pathname !== '/brands') await page.goto('/brands');
}

/** The address of each demo brand's list of variants, once seen. */
const brandAddresses = new Map<string, string>();

/** Straight to a brand's variants, with some query on top when there is one: the way there over the dashboard is a load of its own. */
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

/** As if a quarter of an hour had passed: the server refuses this token. */
export async function spoilAccessToken(page: Page): Promise<void> {
  // The page stores its session again when the user's data arrives, the good token included.
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('auth-storage') ?? '{}');
    stored.state.accessToken = 'expired';
    localStorage.setItem('auth-storage', JSON.stringify(stored));
  });
}
