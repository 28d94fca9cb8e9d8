import { makeDataFolder, removeDataFolder } from '../support/data-folder.ts';
import { holdRequests } from '../support/held-requests.ts';
import { expect, test } from '../support/journey.ts';
import { databaseUrl } from '../support/probe.ts';
import { launchServer } from '../support/server.ts';
import {
  completeSignIn,
  DEMO_PASSWORD,
  enterPassword,
  expireAccessToken,
  OWNER,
  readStoredSession,
  signIn,
  signInFromScratch,
} from '../support/sign-in.ts';

const signInButton = { name: 'Sign in' } as const;

// spec: §1 identity provider, §2 sign-in page
test('a member signs in from a cold start, and the session is stored as promised', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Brand Portal');
  await expect(page.getByText('Manage your brands and grow your business')).toBeVisible();
  await completeSignIn(page);
  await page.waitForURL('**/brands');
  const session = await readStoredSession(page);
  expect(Object.keys(session ?? {})).toEqual(
    expect.arrayContaining(['user', 'accessToken', 'refreshToken', 'isAuthenticated', 'isLoading', 'error']),
  );
  expect(session).toMatchObject({ user: { email: OWNER }, isAuthenticated: true, isLoading: false });
  expect(session?.accessToken).toMatch(/^ey/);
  expect(session?.refreshToken).toMatch(/^[\w-]{43}$/);
  await page.reload();
  await expect(page.getByRole('link', { name: /^Manage / }).first()).toBeVisible();
  expect((await readStoredSession(page))?.refreshToken).toBe(session?.refreshToken);
  await page.goto('/login');
  await page.waitForURL('**/brands');
});

test.describe('an expired access token', () => {
  test.use({ expectedProblems: /status of 401/ });

  test('is refreshed unseen and once, and only it is replaced, also in three tabs at the same time', async ({ page, context }) => {
    await signIn(page);
    const before = await readStoredSession(page);
    const refreshes: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/token/refresh/')) refreshes.push(request.url());
    });
    await expireAccessToken(page);
    await page.reload();
    await expect.poll(async () => (await readStoredSession(page))?.accessToken).toMatch(/^ey/);
    await page.waitForLoadState('networkidle');
    expect(refreshes).toHaveLength(1);
    expect((await readStoredSession(page))?.refreshToken).toBe(before?.refreshToken);

    const tabs = [page, await context.newPage(), await context.newPage()];
    await Promise.all(tabs.slice(1).map((tab) => tab.goto('/brands')));
    await expireAccessToken(page);
    await Promise.all(tabs.map((tab) => tab.reload()));
    for (const tab of tabs) {
      await expect.poll(async () => (await readStoredSession(tab))?.accessToken).toMatch(/^ey/);
      await expect(tab.getByRole('button', signInButton)).toBeHidden();
    }
  });
});

test.describe('a revoked session', () => {
  test.use({ expectedProblems: /status of 401|Failed to/ });

  test('leads to the sign-in page, and a new sign-in back to where one was', async ({ page, request }) => {
    await signInFromScratch(page);
    await page.goto('/brands/1/product-variants');
    // Waits for background calls to the provider before the session ends.
    await page.waitForLoadState('networkidle');
    const refresh = (await readStoredSession(page))?.refreshToken;
    // Before the session ends: the open page may notice its end by itself and store that.
    await expireAccessToken(page);
    expect((await request.post('/api/v1/auth/logout/', { data: { refresh } })).status()).toBe(204);
    await page.reload();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    expect(await readStoredSession(page)).toMatchObject({ user: null, accessToken: null, isAuthenticated: false });
    // The session at the provider was ended too, so it asks for the password again.
    await page.getByRole('button', signInButton).click();
    await enterPassword(page, OWNER, DEMO_PASSWORD);
    await page.waitForURL('**/brands/1/product-variants');
  });

  test('at the provider logs the app out on its next load', { tag: '@release' }, async ({ page, request, server }) => {
    await signInFromScratch(page);
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const returnTo = encodeURIComponent(server.url);
    const leave = `/idp/v2/logout?client_id=brand-portal-web&returnTo=${returnTo}`;
    await request.get(leave, { headers: { cookie: cookies }, maxRedirects: 0 });
    await page.reload();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    expect((await readStoredSession(page))?.isAuthenticated).toBe(false);
  });
});

test.describe('a sign-in that cannot be completed', () => {
  test.use({ expectedProblems: /Failed to|ERR_FAILED|status of \d\d\d/ });

  // spec: §8 callback failure logged
  test('since the exchange fails leaves the provider too', async ({ page }) => {
    const logouts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v2/logout')) logouts.push(request.url());
    });
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.goto('/login');
    await page.route('**/api/v1/auth0/login/', (route) =>
      route.fulfill({ status: 503, json: { code: 'provider_unavailable', detail: 'down', request_id: 'x' } }),
    );
    await page.getByRole('button', signInButton).click();
    await enterPassword(page, OWNER, DEMO_PASSWORD);
    await expect(page.getByRole('alert')).toHaveText('The sign-in service does not answer. Please try again later.');
    await expect(page).toHaveURL(/:\d+\/$/);
    expect(await readStoredSession(page)).toMatchObject({ user: null, accessToken: null, isAuthenticated: false });
    const returnTo = new URL(page.url()).origin;
    expect(logouts.map((url) => new URL(url).searchParams.get('returnTo'))).toEqual([returnTo]);
    expect(logged.join()).toContain('Failed to complete the sign-in:');
    // The reason is shown until the next load.
    await page.reload();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
    // The provider asks for the password again.
    await page.getByRole('button', signInButton).click();
    await page.waitForURL(/\/idp\/login\//);
  });
});

test('a click on the button before its code is there is carried out when it is', async ({ page }) => {
  const letCodeCome = await holdRequests(page, '**/assets/*.js');
  await page.goto('/brands/1/certifications?from=mail', { waitUntil: 'commit' });
  await page.getByRole('button', signInButton).click();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  await letCodeCome();
  await enterPassword(page, OWNER, DEMO_PASSWORD);
  await page.waitForURL('**/brands/1/certifications?from=mail');
});

test('a click that begins before the code is there and ends after it counts as well', { tag: '@release' }, async ({ page }) => {
  const letCodeCome = await holdRequests(page, '**/assets/*.js');
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', signInButton).hover();
  await page.mouse.down();
  await letCodeCome();
  await expect(page.locator('[data-first-paint]')).toHaveCount(0);
  await expect(page.getByRole('button', signInButton)).toBeFocused();
  await page.mouse.up();
  await page.waitForURL(/\/idp\/login\//);
});

// spec: §5 provider missing
test('without a provider’s domain every page says that sign-in is not configured, and logs it', {
  tag: '@release',
}, async ({ browser, server }) => {
  const dataDir = await makeDataFolder();
  try {
    // Shares the database: creating one would take longer than the rest of the test.
    const env = { AUTH0_CLIENT_ID: 'only-half-of-it', DATABASE_URL: databaseUrl(server.dataDir) };
    const unconfigured = await launchServer({ dataDir, env });
    expect(await unconfigured.logged('Brand Portal is ready')).toBe(true);
    // A load balancer sends nobody to it.
    expect((await fetch(`${unconfigured.url}/readyz`)).status).toBe(503);
    const context = await browser.newContext();
    const page = await context.newPage();
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.goto(`${unconfigured.url}/brands`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuration error');
    await expect.poll(() => logged.join()).toContain('Missing Auth0 configuration');
    expect(unconfigured.log).toContain('Missing Auth0 configuration');
    await context.close();
    await unconfigured.stop();
  } finally {
    await removeDataFolder(dataDir);
  }
});

test.describe('a session that has ended elsewhere', { tag: '@release' }, () => {
  // The session is also checked in the background after the page has loaded.
  test.use({ expectedProblems: /status of 401|Failed to refresh|Failed to load the current user/ });

  test('keeps what is typed until the member has signed in again in a new tab', async ({ page, context }) => {
    // Where the links of the sidebar have tooltips.
    await page.setViewportSize({ width: 900, height: 800 });
    await signInFromScratch(page);
    await page.goto('/account');
    const firstName = page.getByRole('textbox', { name: 'First name' });
    await firstName.fill('Typed, not saved');
    await page.getByRole('navigation').getByRole('link').first().hover();
    const tooltip = page.locator('[data-radix-popper-content-wrapper]');
    await expect(tooltip).toBeVisible();
    const refresh = (await readStoredSession(page))?.refreshToken;
    await page.request.post('/api/v1/auth/logout/', { data: { refresh } });
    await firstName.press('Enter');
    const prompt = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect(prompt).toBeVisible();
    const layerOf = (element: Element) => Number(getComputedStyle(element).zIndex);
    expect(await tooltip.evaluate(layerOf)).toBeLessThan(await prompt.evaluate(layerOf));
    const [tab] = await Promise.all([context.waitForEvent('page'), prompt.getByRole('link', { name: 'Sign in again' }).click()]);
    await completeSignIn(tab);
    await tab.waitForURL('**/brands');
    await expect(prompt).toBeHidden();
    await expect(firstName).toHaveValue('Typed, not saved');
  });
});

test('signing out in one tab signs out of the others and of the provider', async ({ page, context }) => {
  await signInFromScratch(page);
  const other = await context.newPage();
  await other.goto('/brands');
  // A list that is still loading would be refused.
  for (const tab of [page, other]) await expect(tab.getByRole('link', { name: /^Manage / }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', signInButton)).toBeVisible();
  await expect(other.getByRole('button', signInButton)).toBeVisible();
  expect(await readStoredSession(page)).toMatchObject({ user: null, refreshToken: null, isAuthenticated: false });
  // The provider asks for the password again.
  await page.getByRole('button', signInButton).click();
  await page.waitForURL(/\/idp\/login\//);
});
