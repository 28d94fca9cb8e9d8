import type { Page, Route } from '@playwright/test';
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
});

test('the button says that it is signing in, and cannot be pressed twice', async ({ page }) => {
  await page.route('**/.well-known/openid-configuration', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto('/login');
  await page.getByRole('button', signInButton).click();
  const busy = page.getByRole('button', { name: 'Signing in...' });
  await expect(busy).toBeDisabled();
  await page.waitForURL(/\/idp\/login\//);
});

test.describe('a wrong password', () => {
  test.use({ expectedProblems: /status of 4\d\d/ });

  test('is told on the spot, keeps the e-mail, and can be corrected', async ({ page }) => {
    await page.goto('/login');
    await page.getByRole('button', signInButton).click();
    await enterPassword(page, OWNER, 'not the password');
    await expect(page.getByRole('alert')).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue(OWNER);
    await enterPassword(page, OWNER, DEMO_PASSWORD);
    await page.waitForURL('**/brands');
  });
});

test('a reload keeps the session, without asking for anything again', async ({ page }) => {
  await signIn(page);
  const before = await readStoredSession(page);
  await page.reload();
  await expect(page).toHaveURL(/\/brands$/);
  await expect(page.getByRole('button', signInButton)).toBeHidden();
  expect((await readStoredSession(page))?.refreshToken).toBe(before?.refreshToken);
});

test('a deep link survives the sign-in, its query included', async ({ page }) => {
  await page.goto('/brands/1/certifications?from=mail');
  await completeSignIn(page);
  await page.waitForURL('**/brands/1/certifications?from=mail');
});

test('someone who is signed in does not see the sign-in page again', async ({ page }) => {
  await signIn(page);
  await page.goto('/login');
  await page.waitForURL('**/brands');
});

test.describe('an expired access token', () => {
  test.use({ expectedProblems: /status of 401/ });

  test('is refreshed unseen, and only it is replaced', async ({ page }) => {
    await signIn(page);
    const before = await readStoredSession(page);
    await expireAccessToken(page);
    await page.reload();
    await expect.poll(async () => (await readStoredSession(page))?.accessToken).toMatch(/^ey/);
    expect((await readStoredSession(page))?.refreshToken).toBe(before?.refreshToken);
    await expect(page.getByRole('button', signInButton)).toBeHidden();
  });

  test('is refreshed once, however many calls found it expired', async ({ page }) => {
    await signIn(page);
    const refreshes: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/token/refresh/')) refreshes.push(request.url());
    });
    await expireAccessToken(page);
    await page.reload();
    await expect.poll(async () => (await readStoredSession(page))?.accessToken).toMatch(/^ey/);
    await page.waitForLoadState('networkidle');
    expect(refreshes).toHaveLength(1);
  });

  test('in three tabs at once leaves all of them signed in', async ({ page, context }) => {
    await signIn(page);
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

test.describe('a refresh that fails', () => {
  test.use({ expectedProblems: /status of (401|503)|Failed to|ERR_FAILED/ });

  for (const [how, fail, tries] of [
    ['is refused', (route: Route) => route.fulfill({ status: 400, json: { detail: 'no' } }), 1],
    ['meets an outage', (route: Route) => route.fulfill({ status: 503, json: {} }), 3],
    ['is lost', (route: Route) => route.abort(), 3],
  ] as const) {
    test(`since it ${how} logs out, and the sign-in page says why until the next load`, async ({ page }) => {
      await signInFromScratch(page);
      await page.waitForLoadState('networkidle');
      let asked = 0;
      await page.route('**/auth/token/refresh/', (route) => {
        asked += 1;
        return fail(route);
      });
      await expireAccessToken(page);
      await page.reload();
      await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please sign in again.');
      await expect(page.getByRole('button', signInButton)).toBeEnabled();
      expect(await readStoredSession(page)).toMatchObject({ user: null, refreshToken: null, isAuthenticated: false });
      expect(asked).toBe(tries);
      await page.reload();
      await expect(page.getByRole('button', signInButton)).toBeVisible();
      await expect(page.getByRole('alert')).toBeHidden();
    });
  }
});

test.describe('a list of brands that is refused', () => {
  test.use({ expectedProblems: /status of (401|403)|Failed to/ });

  const LIST = '**/api/v1/brands/';

  /**
   * Opens the dashboard while every call of the list fails. The sidebar shows the list before the page does. Counts the calls of the
   * list and the refreshes.
   */
  async function openDashboard(page: Page, status: 401 | 403): Promise<{ lists: number; refreshes: number }> {
    await signInFromScratch(page);
    await expect(page.getByRole('link', { name: /^Manage / }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const asked = { lists: 0, refreshes: 0 };
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/brands/')) asked.lists += 1;
      if (request.url().endsWith('/auth/token/refresh/')) asked.refreshes += 1;
    });
    await page.route(LIST, (route) => route.fulfill({ status, json: { detail: 'no' } }));
    const letPageCome = await holdRequests(page, '**/assets/brands-page-*.js');
    const refused = page.waitForResponse(LIST);
    await page.reload();
    await refused;
    // With 401 the session ends before the page comes.
    if (status === 403) await letPageCome();
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    if (status === 401) await letPageCome();
    await page.waitForLoadState('networkidle');
    return asked;
  }

  test('is requested once', async ({ page }) => {
    expect(await openDashboard(page, 403)).toEqual({ lists: 1, refreshes: 0 });
  });

  test('with 401 is requested again once, after one refresh, and then the session has ended', async ({ page }) => {
    expect(await openDashboard(page, 401)).toEqual({ lists: 2, refreshes: 1 });
    await expect(page.getByRole('alert')).toHaveText('Your session has ended. Please sign in again.');
    await expect(page.getByRole('button', { name: 'Try again' })).toBeHidden();
    await page.unroute(LIST);
    await page.getByRole('button', signInButton).click();
    await page.waitForURL('**/brands');
    await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();
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
    expect((await request.post('/api/v1/auth/logout/', { data: { refresh } })).status()).toBe(204);
    await expireAccessToken(page);
    await page.reload();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    expect(await readStoredSession(page)).toMatchObject({ user: null, accessToken: null, isAuthenticated: false });
    // The session at the provider was ended too, so it asks for the password again.
    await page.getByRole('button', signInButton).click();
    await enterPassword(page, OWNER, DEMO_PASSWORD);
    await page.waitForURL('**/brands/1/product-variants');
  });

  test('at the provider logs the app out on its next load', async ({ page, request, server }) => {
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

test.describe('with the provider out of reach', () => {
  test.use({ expectedProblems: /Failed to|ERR_FAILED|status of 503/ });

  test('pressing the button tells so, and the button works again', async ({ page }) => {
    await page.goto('/login');
    await page.route('**/idp/**', (route) => route.abort());
    await page.getByRole('button', signInButton).click();
    await expect(page.getByRole('alert')).toHaveText('The sign-in service does not answer. Please try again later.');
    await page.unroute('**/idp/**');
    await completeSignIn(page);
    await page.waitForURL('**/brands');
  });

  test('signing out ends on the sign-in page, and the next sign-in asks for the password', async ({ page }) => {
    await signInFromScratch(page);
    await page.waitForLoadState('networkidle');
    await page.route('**/idp/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    await page.unroute('**/idp/**');
    await page.getByRole('button', signInButton).click();
    await page.waitForURL(/\/idp\/login\//);
  });
});

test.describe('a sign-in that cannot be completed', () => {
  test.use({ expectedProblems: /Failed to|ERR_FAILED|status of \d\d\d/ });

  /** Signed out of the portal and the provider, on the start page. The reason is shown until the next load. */
  async function expectSignedOut(page: Page, logouts: string[], reason: string): Promise<void> {
    await expect(page.getByRole('alert')).toHaveText(reason);
    await expect(page).toHaveURL(/:\d+\/$/);
    expect(await readStoredSession(page)).toMatchObject({ user: null, accessToken: null, isAuthenticated: false });
    const returnTo = new URL(page.url()).origin;
    expect(logouts.map((url) => new URL(url).searchParams.get('returnTo'))).toEqual([returnTo]);
    await page.reload();
    await expect(page.getByRole('button', signInButton)).toBeVisible();
    await expect(page.getByRole('alert')).toBeHidden();
    // The provider asks for the password again.
    await page.getByRole('button', signInButton).click();
    await page.waitForURL(/\/idp\/login\//);
  }

  function recordLogouts(page: Page): string[] {
    const logouts: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v2/logout')) logouts.push(request.url());
    });
    return logouts;
  }

  const incomplete = 'The sign-in could not be completed. Please sign in again.';
  for (const path of ['/callback', '/callback?error=access_denied&error_description=no&state=x']) {
    test(`since the way back was ${path} leaves nobody signed in, not even who was before`, async ({ page }) => {
      await signInFromScratch(page);
      const logouts = recordLogouts(page);
      await page.goto(path);
      await expectSignedOut(page, logouts, incomplete);
    });
  }

  for (const [how, fail, reason] of [
    ['is lost', (route: Route) => route.abort(), 'Network error. Please check your connection.'],
    [
      'fails',
      (route: Route) =>
        route.fulfill({ status: 503, json: { code: 'provider_unavailable', detail: 'down', request_id: 'x' } }),
      'The sign-in service does not answer. Please try again later.',
    ],
  ] as const) {
    // spec: §8 callback failure logged
    test(`since the exchange ${how} leaves the provider too`, async ({ page }) => {
      const logouts = recordLogouts(page);
      const logged: string[] = [];
      page.on('console', (message) => logged.push(message.text()));
      await page.goto('/login');
      await page.route('**/api/v1/auth0/login/', fail);
      await page.getByRole('button', signInButton).click();
      await enterPassword(page, OWNER, DEMO_PASSWORD);
      await expectSignedOut(page, logouts, reason);
      expect(logged.join()).toContain('Failed to complete the sign-in:');
    });
  }

  test('of someone whom only the provider knows leaves the provider too', async ({ page }) => {
    await signInFromScratch(page);
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => localStorage.removeItem('auth-storage'));
    const logouts = recordLogouts(page);
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await page.route('**/api/v1/auth0/login/', (route) => route.abort());
    await page.goto('/brands');
    await expectSignedOut(page, logouts, 'Network error. Please check your connection.');
    expect(logged.join()).toContain('Failed to sync Auth0 authentication:');
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

test('a click that begins before the code is there and ends after it counts as well', async ({ page }) => {
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

test.describe('code that does not come', () => {
  test.use({ expectedProblems: /ERR_FAILED/ });

  test('leaves a button that loads the page again', async ({ page }) => {
    const loseCode = await holdRequests(page, '**/assets/app-*.js', (route) => route.abort());
    await page.goto('/', { waitUntil: 'commit' });
    await page.getByRole('button', signInButton).press('Enter');
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    await loseCode();
    await page.getByRole('button', signInButton).click();
    await expect(page.locator('[data-first-paint]')).toHaveCount(0);
    await completeSignIn(page);
    await page.waitForURL('**/brands');
  });
});

test('the account-created message is a toast, and leaves the address', async ({ page }) => {
  await page.goto('/login?message=account-created');
  const toast = page.getByRole('status').filter({ hasText: 'Account Created Successfully!' });
  await expect(toast).toContainText('Your account has been created. You can now sign in.');
  await expect(page).toHaveURL(/\/login$/);
});

// spec: §5 provider missing
test('without a provider’s domain every page says that sign-in is not configured, and logs it', async ({
  browser,
  server,
}) => {
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

test.describe('a session that has ended elsewhere', () => {
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
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      prompt.getByRole('link', { name: 'Sign in again' }).click(),
    ]);
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
