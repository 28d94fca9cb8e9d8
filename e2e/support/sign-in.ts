import { expect, type Page } from '@playwright/test';

export const DEMO_PASSWORD = 'Demo-Portal-2026!';
export const OWNER = 'olivia.owner@demo.example';
export const EDITOR = 'eduardo.editor@demo.example';
export const VIEWER = 'vera.viewer@demo.example';

const SIGN_IN = /^(Sign in|Iniciar sesión)$/;

/** The provider's page, filled in and sent. */
export async function enterPassword(page: Page, email: string, password: string): Promise<void> {
  await page.waitForURL(/\/idp\/login\//);
  await page.getByLabel(/^(E-mail|Correo)/).fill(email);
  await page.getByRole('textbox', { name: /^(Password|Contraseña)$/ }).fill(password);
  await page.getByRole('button', { name: SIGN_IN }).click();
}

/** From the sign-in page, wherever it is shown, to the page that was asked for. */
export async function signInHere(page: Page, email = OWNER): Promise<void> {
  await page.getByRole('button', { name: SIGN_IN }).click();
  await enterPassword(page, email, DEMO_PASSWORD);
  await expect.poll(() => new URL(page.url()).pathname).not.toMatch(/^\/(idp|callback)/);
}

/** From a fresh browser to the dashboard. */
export async function signIn(page: Page, email = OWNER): Promise<void> {
  await page.goto('/');
  await signInHere(page, email);
  await page.waitForURL('**/brands');
}

interface StoredSession {
  user: { email: string } | null;
  accessToken: string | null;
  refreshToken: string | null;
  isAuthenticated: boolean;
}

export function readStoredSession(page: Page): Promise<StoredSession | undefined> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? 'null')?.state);
}

/** As if a quarter of an hour had passed: the server refuses this token. */
export async function spoilAccessToken(page: Page): Promise<void> {
  await page.evaluate(() => {
    const stored = JSON.parse(localStorage.getItem('auth-storage') ?? '{}');
    stored.state.accessToken = 'expired';
    localStorage.setItem('auth-storage', JSON.stringify(stored));
  });
}
