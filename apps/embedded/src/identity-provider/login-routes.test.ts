// @module-tag empty-installation
import { linkUser } from '@brand-portal/server/people/identity/users.ts';
import { expect, test, vi } from 'vitest';
import { Browser } from './test-support/browser.ts';
import { ANA, type RunningProvider, useRunningProvider } from './test-support/running-provider.ts';
import { signInFully, startSignIn, submitLogin } from './test-support/sign-in.ts';

async function openLogin(provider: RunningProvider, browser = new Browser(), more?: Record<string, string>) {
  const { url, answer } = await startSignIn(provider, browser, more);
  return { browser, url, page: await answer.text(), answer };
}

const wrong = { email: ANA.email, password: 'Wrong-horse-1' };

test('the login page is a form that works without scripts and may load only its own files', async () => {
  const provider = await useRunningProvider();
  const { page, answer } = await openLogin(provider);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';");
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
  expect(page).toMatch(/<label for="email">Email<\/label>/);
  expect(page).toMatch(/<input id="email"[^>]*autocomplete="username"[^>]*autofocus>/);
  expect(page).toMatch(/<input id="password"[^>]*autocomplete="current-password"/);
  expect(page).not.toMatch(/<style|<script>|style=|onclick=|role="alert"/);
  for (const [, path] of page.matchAll(/(?:href|src)="(\/idp\/assets\/[^"]+)"/g)) {
    const asset = await fetch(`${provider.publicUrl}${path}`);
    expect(asset.status).toBe(200);
    expect(asset.headers.get('cache-control')).toContain('immutable');
  }
});

test('a wrong password is announced, the e-mail is kept, and the password field has the focus', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const answer = await submitLogin(browser, url, wrong);
  expect(answer.status).toBe(400);
  const page = await answer.text();
  expect(page).toMatch(/role="alert">.*Wrong email or password\./s);
  expect(page).toContain(`value="${ANA.email}"`);
  expect(page).toMatch(/<input id="password"[^>]*aria-invalid="true" aria-describedby="problem" autofocus>/);
  expect(page).not.toContain(wrong.password);
  const unknown = await submitLogin(browser, url, { ...wrong, email: 'nobody@example.org' });
  expect(await unknown.text()).toContain('Wrong email or password.');
  const right = await submitLogin(browser, url, ANA);
  expect(right.status).toBe(303);
});

test('an empty field is named', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const noEmail = await (await submitLogin(browser, url, { email: ' ', password: 'x' })).text();
  expect(noEmail).toContain('Enter your email.');
  expect(noEmail).toMatch(/<input id="email"[^>]*aria-invalid="true"[^>]*autofocus>/);
  const noPassword = await (await submitLogin(browser, url, { email: ANA.email })).text();
  expect(noPassword).toContain('Enter your password.');
});

test('typed text is escaped on the page', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const answer = await submitLogin(browser, url, { email: `"><script>alert(1)</script>'&`, password: 'x' });
  const page = await answer.text();
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;"');
  expect(page).not.toContain('<script>alert');
});

test('an e-mail that the database cannot store is answered like a wrong one', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const answer = await submitLogin(browser, url, { email: 'a\0b@example.com', password: 'x\0' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('Wrong email or password.');
});

test('a login page that was used, is unknown or belongs to another browser has expired, and links to sign-in', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const other = await submitLogin(new Browser(), url, ANA);
  expect(other.status).toBe(400);
  expect(await other.text()).toContain('This sign-in page has expired');

  await signInFully(provider, browser);
  await provider.database.pool.query(`delete from embedded.idp_records where model = 'Interaction'`);
  for (const answer of [
    await browser.send(url),
    await submitLogin(browser, url, ANA),
    await browser.send(url.replace('/login/', '/authorize/')),
    await browser.send(`${provider.idp.domain}/login/never-existed`),
  ]) {
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('This sign-in page has expired');
    expect(page).toContain('href="/login"');
  }
});

test('a form sent by another site is refused even with the cookie', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const answer = await submitLogin(browser, url, ANA, { origin: 'https://evil.example' });
  expect(answer.status).toBe(400);
  expect((await submitLogin(browser, url, ANA, { origin: provider.publicUrl })).status).toBe(303);
});

test('a body that is not a form, or too large, is refused', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const json = await browser.send(url, {
    method: 'POST',
    body: JSON.stringify(ANA),
    headers: { 'content-type': 'application/json' },
  });
  expect(json.status).toBe(415);
  expect((await browser.send(url, { method: 'POST' })).status).toBe(400);
  expect((await submitLogin(browser, url, { email: 'x'.repeat(20_000), password: 'x' })).status).toBe(413);
});

test('the page speaks the language that the application, the browser or the person asks for', async () => {
  const provider = await useRunningProvider();
  const english = await openLogin(provider, new Browser({ 'accept-language': 'fr-FR,es;q=0.9' }));
  expect(english.page).toMatch(/<html lang="en">.*<h1>Sign in<\/h1>/s);
  const spanish = await openLogin(provider, new Browser({ 'accept-language': 'es-MX,en;q=0.9' }));
  expect(spanish.page).toMatch(/<html lang="es">.*<h1>Iniciar sesión<\/h1>/s);
  const asked = await openLogin(provider, new Browser({ 'accept-language': 'en' }), { ui_locales: 'de es' });
  expect(asked.page).toContain('<html lang="es">');
  const mistake = await (await submitLogin(asked.browser, asked.url, wrong)).text();
  expect(mistake).toContain('Correo electrónico o contraseña incorrectos.');

  const switched = await (await asked.browser.send(`${asked.url}?language=en`)).text();
  expect(switched).toContain('<html lang="en">');
  expect(switched).toContain('action="?language=en"');
  const stale = await asked.browser.send(`${provider.idp.domain}/login/gone`, { headers: { 'accept-language': 'es' } });
  expect(await stale.text()).toContain('<html lang="es">');
});

test('a login hint fills in the e-mail', async () => {
  const provider = await useRunningProvider();
  const { page } = await openLogin(provider, new Browser(), { login_hint: 'ana@example.org' });
  expect(page).toContain('value="ana@example.org"');
  expect(page).toMatch(/<input id="password"[^>]*autofocus>/);
});

test('after five wrong passwords the form says how long to wait, and does not look at the password', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const { pool } = provider.database;
  const pause = (seconds: number) =>
    pool.query('update embedded.idp_attempts set blocked_until = now() + make_interval(secs => $1) where blocked_until is not null', [
      seconds,
    ]);
  for (let attempt = 1; attempt <= 5; attempt++) expect((await submitLogin(browser, url, wrong)).status).toBe(400);
  await pause(30);
  const blocked = await submitLogin(browser, url, { ...ANA, email: ANA.email.toUpperCase() });
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(20);
  expect(await blocked.text()).toMatch(/Too many wrong attempts\. Wait \d\d seconds, then try again\./);
  expect(await (await submitLogin(browser, `${url}?language=es`, ANA)).text()).toMatch(/Espera \d\d segundos/);

  const other = await submitLogin(browser, url, { email: 'someone@example.org', password: 'x' });
  expect(other.status).toBe(400);

  await pause(0);
  expect((await submitLogin(browser, url, ANA)).status).toBe(303);
});

test('concurrent wrong passwords do not exceed the limit', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const answers = await Promise.all(Array.from({ length: 12 }, () => submitLogin(browser, url, wrong)));
  // Five, plus one for each pause that ends during the test on a slow machine.
  expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(7);
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
});

test('a correct password resets the count of wrong ones', async () => {
  const provider = await useRunningProvider();
  for (let round = 0; round < 3; round++) {
    const { browser, url } = await openLogin(provider);
    for (let attempt = 1; attempt <= 4; attempt++) expect((await submitLogin(browser, url, wrong)).status).toBe(400);
    expect((await submitLogin(browser, url, ANA)).status).toBe(303);
  }
});

test('a refused sign-in to an existing account is in the audit log, without what was typed; one to an unknown account is not', async () => {
  const provider = await useRunningProvider();
  const { db, pool } = provider.database;
  const { subject } = await provider.idp.createAccount({ ...ANA, email_verified: true });
  const { id } = await linkUser(db, { subject, email: ANA.email, firstName: 'Ana', lastName: 'Ruiz' });
  const { browser, url } = await openLogin(provider);
  await submitLogin(browser, url, { ...wrong, email: 'my-password-in-the-wrong-field' });
  for (let count = 1; count <= 12; count++) await submitLogin(browser, url, wrong);
  const kept = async () => (await pool.query('select user_id, action, details from audit_log')).rows;
  await vi.waitFor(async () => expect((await kept()).length).toBeGreaterThanOrEqual(5), 10_000);
  const rows = await kept();
  const details = { reason: 'wrong_password', address: '127.0.0.1' };
  expect(rows[0]).toEqual({ user_id: id, action: 'user.sign_in_refused', details });
  // Only checked passwords are logged, so the log grows no faster than passwords can be tried.
  expect(rows.length).toBeLessThanOrEqual(8);
  expect(JSON.stringify(rows)).not.toMatch(/wrong-field|Wrong-horse/i);
});

test('a database failure shows an error page, and sign-in works again when the database is back', async () => {
  const provider = await useRunningProvider();
  const { browser, url } = await openLogin(provider);
  const signedIn = new Browser();
  await signInFully(provider, signedIn);
  await provider.database.pool.query('alter table embedded.idp_records rename to idp_records_away');
  for (const answer of [
    await browser.send(url),
    await submitLogin(browser, url, ANA),
    await signedIn.send(`${provider.idp.domain}/v2/logout`),
    (await startSignIn(provider, browser)).answer,
  ]) {
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('Something went wrong on our side.');
  }
  await provider.database.pool.query('alter table embedded.idp_records_away rename to idp_records');
  expect((await submitLogin(browser, url, ANA)).status).toBe(303);
});
