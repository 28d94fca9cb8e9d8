// @module-tag empty-installation
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';
import { createAccounts } from './accounts.ts';
import { createPasswords } from './passwords.ts';
import { signIn } from './sign-in.ts';
import { ANA, ANA_INVITED } from './test-support/running-provider.ts';

const DAY = 86_400;
/** Excludes the rows of queues, which expire as soon as they are empty. */
const OF_A_PAUSE = 'blocked_until < forget_at';

async function useSignIn() {
  const { db, pool } = await useTestDatabase();
  const passwords = createPasswords({ memoryCost: 1024, timeCost: 1 });
  const accounts = createAccounts(db, passwords);
  await accounts.createAccount({ ...ANA, email_verified: true });
  const attempt = (fields: { email?: string; password?: string; address?: string; knownBrowser?: string } = {}) =>
    signIn(db, passwords, { email: ANA.email, password: ANA.password, address: '192.0.2.1', ...fields });
  const guess = (fields: Parameters<typeof attempt>[0] = {}) => attempt({ password: 'Wrong-horse-1', ...fields });
  /** The current pause, read from the database, so that it does not depend on the speed of this test. */
  const pauseWith = async (memorySeconds: number) => {
    const { rows } = await pool.query(
      `select extract(epoch from blocked_until - forget_at)::int + $1 as seconds from embedded.idp_attempts where ${OF_A_PAUSE}`,
      [memorySeconds],
    );
    return rows[0]?.seconds;
  };
  const holdPauses = () => pool.query(`update embedded.idp_attempts set blocked_until = now() + interval '50 seconds' where ${OF_A_PAUSE}`);
  /** Simulates that time has passed. */
  const wait = (seconds: number) =>
    pool.query(
      'update embedded.idp_attempts set blocked_until = blocked_until - make_interval(secs => $1), forget_at = forget_at - make_interval(secs => $1)',
      [seconds],
    );
  const knownBrowser = async () => {
    const outcome = await attempt();
    if (outcome.kind !== 'signed_in') throw new Error(outcome.kind);
    return outcome.knownBrowser;
  };
  return { attempt, guess, wait, pauseWith, holdPauses, accounts, knownBrowser };
}

test('of 60 guesses at one account from 12 addresses only about ten are checked', async () => {
  const { guess } = await useSignIn();
  const outcomes: string[] = [];
  for (let round = 0; round < 5; round++) {
    for (let host = 1; host <= 12; host++) outcomes.push((await guess({ address: `198.51.100.${host}` })).kind);
  }
  // One more for each ten seconds that a slow machine takes.
  expect(outcomes.filter((kind) => kind === 'wrong').length).toBeLessThanOrEqual(12);
});

test('12 addresses that guess for an hour get five attempts each, then together one per minute', async () => {
  const { guess, wait } = await useSignIn();
  let looked = 0;
  for (let minute = 0; minute < 60; minute++) {
    for (let host = 1; host <= 12; host++) {
      if ((await guess({ address: `198.51.100.${host}` })).kind === 'wrong') looked++;
    }
    await wait(60);
  }
  expect(looked).toBeGreaterThan(12 * 5);
  expect(looked).toBeLessThanOrEqual(12 * 5 + 10 + 60);
});

test('hundreds of networks together get at most one attempt every ten seconds at one account', async () => {
  const { guess, wait } = await useSignIn();
  let looked = 0;
  for (let network = 0; network < 300; network++) {
    if ((await guess({ address: `10.0.${network >> 8}.${network & 255}` })).kind === 'wrong') looked++;
    if (network % 30 === 29) await wait(10);
  }
  // Ten at once, one for each of the ten pauses, and some tolerance for a slow machine.
  expect(looked).toBeLessThanOrEqual(10 + 10 + 5);
});

test('each further guess must wait longer, up to a minute', async () => {
  const { guess, attempt, wait, pauseWith } = await useSignIn();
  for (let free = 1; free <= 4; free++) await guess();
  expect(await pauseWith(DAY)).toBeUndefined();
  const pauses: number[] = [];
  for (let more = 1; more <= 9; more++) {
    expect((await guess()).kind).toBe('wrong');
    const pause = await pauseWith(DAY);
    pauses.push(pause);
    await wait(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect((await attempt()).kind).toBe('signed_in');
});

test('a member with a new browser can sign in at once while a stranger on another network keeps guessing', async () => {
  const { guess, attempt, wait } = await useSignIn();
  for (let hour = 0; hour < 30; hour++) {
    for (let minute = 0; minute < 6; minute++) {
      for (let count = 1; count <= 3; count++) await guess({ address: '198.51.100.1' });
      await wait(minute === 5 ? 3_300 : 60);
    }
    if (hour % 10 === 9) {
      await guess({ address: '198.51.100.1' });
      expect((await attempt({ address: `203.0.113.${hour}` })).kind).toBe('signed_in');
    }
  }
});

test('all addresses of one IPv6 network count as one stranger', async () => {
  const { guess, attempt } = await useSignIn();
  for (let host = 1; host <= 60; host++) await guess({ address: `2001:db8:7:${host.toString(16)}::1` });
  expect((await attempt({ address: '203.0.113.1' })).kind).toBe('signed_in');
});

test('while many networks keep guessing, a member who waits as long as told can sign in', async () => {
  const { guess, attempt, wait } = await useSignIn();
  const networks = Array.from({ length: 60 }, (_, index) => `198.51.100.${index + 1}`);
  const storm = async () => {
    for (const address of networks) await guess({ address });
  };
  await storm();
  await storm();
  const member = { address: '203.0.113.1' };
  const told = await attempt(member);
  if (told.kind !== 'wait') throw new Error(told.kind);
  // Queued behind one attempt of each network.
  expect(told.seconds).toBeLessThanOrEqual((networks.length + 1) * 10);
  expect(told.seconds).toBeGreaterThan(networks.length * 10 - 120);
  await storm();
  await wait(told.seconds - 60);
  await storm();
  expect((await attempt(member)).kind).toBe('wait');
  await wait(60);
  await storm();
  expect((await attempt(member)).kind).toBe('signed_in');
});

test('a new network does not queue behind networks that have used up their attempts', async () => {
  const { guess, attempt, wait } = await useSignIn();
  for (let round = 0; round < 60; round++) {
    for (let host = 1; host <= 20; host++) await guess({ address: `198.51.100.${host}` });
    await wait(60);
  }
  for (let host = 1; host <= 20; host++) await guess({ address: `198.51.100.${host}` });
  const member = { address: '203.0.113.1' };
  for (let typo = 1; typo <= 3; typo++) expect((await guess(member)).kind).toBe('wrong');
  expect((await attempt(member)).kind).toBe('signed_in');
});

test('a wait is at most an hour, and soon after that hour nobody has to wait', async () => {
  const { guess, attempt, wait } = await useSignIn();
  let longest = 0;
  for (let network = 0; network < 400; network++) {
    const outcome = await guess({ address: `10.0.${network >> 8}.${network & 255}` });
    if (outcome.kind === 'wait') longest = Math.max(longest, outcome.seconds);
  }
  expect(longest).toBeGreaterThan(3_500);
  expect(longest).toBeLessThanOrEqual(3_600);
  await wait(3_700);
  expect((await attempt({ address: '203.0.113.1' })).kind).toBe('signed_in');
});

test('concurrent guesses do not exceed the limit, from one network or from many', async () => {
  const { guess, attempt } = await useSignIn();
  const wrong = (outcomes: { kind: string }[]) => outcomes.filter(({ kind }) => kind === 'wrong').length;
  const fromOne = await Promise.all(Array.from({ length: 40 }, () => guess({ address: '198.51.100.200' })));
  // Five, plus one for each pause that ends during the test on a slow machine.
  expect(wrong(fromOne)).toBeLessThanOrEqual(7);
  // The refused attempts have used up nothing that others need.
  expect((await attempt({ address: '203.0.113.1' })).kind).toBe('signed_in');
  const fromMany = await Promise.all(Array.from({ length: 40 }, (_, index) => guess({ address: `198.51.100.${index + 1}` })));
  expect(wrong(fromOne) + wrong(fromMany)).toBeLessThanOrEqual(13);
});

test('a member who signs in with many new browsers is not throttled', async () => {
  const { attempt } = await useSignIn();
  for (let count = 1; count <= 30; count++) expect((await attempt()).kind).toBe('signed_in');
});

test('a browser in which the member has signed in before is not throttled by guesses of strangers', async () => {
  const { guess, attempt, knownBrowser, holdPauses } = await useSignIn();
  const known = await knownBrowser();
  for (let count = 1; count <= 5; count++) await guess();
  for (let host = 1; host <= 20; host++) await guess({ address: `198.51.100.${host}` });
  await holdPauses();
  expect((await attempt()).kind).toBe('wait');
  expect((await attempt({ knownBrowser: known })).kind).toBe('signed_in');
  // Its own guesses are counted too.
  for (let count = 1; count <= 5; count++) expect((await guess({ knownBrowser: known })).kind).toBe('wrong');
  await holdPauses();
  expect((await guess({ knownBrowser: known })).kind).toBe('wait');
});

test('the cookie of a known browser cannot be forged, and is valid for one account and one password', async () => {
  const { guess, attempt, knownBrowser, holdPauses, accounts } = await useSignIn();
  const bea = { ...ANA, email: 'bea@example.org', password: 'Other-horse-1' };
  await accounts.createAccount({ ...bea, email_verified: true });
  const known = await knownBrowser();
  const [id] = known.split('.');
  for (let count = 1; count <= 5; count++) await guess({ email: bea.email });
  await holdPauses();
  for (const cookie of [known, `${id}.${'x'.repeat(43)}`, 'nonsense', '', '.', `${id}.`]) {
    expect((await attempt({ ...bea, knownBrowser: cookie })).kind, cookie).toBe('wait');
  }
  await accounts.createOrUpdateUser({ ...ANA_INVITED, password: bea.password });
  for (let count = 1; count <= 5; count++) await guess();
  await holdPauses();
  expect((await attempt({ password: bea.password, knownBrowser: known })).kind).toBe('wait');
});

test('50 wrong passwords from one address do not lock out other people at that address', async () => {
  const { guess, attempt } = await useSignIn();
  for (let count = 1; count <= 50; count++) {
    expect((await guess({ email: `guess-${count}@example.org` })).kind).toBe('wrong');
  }
  expect((await attempt()).kind).toBe('signed_in');
});

test('an address that tries many accounts is throttled, but never for long', async () => {
  const { guess, wait, pauseWith, holdPauses } = await useSignIn();
  for (let count = 1; count <= 99; count++) await guess({ email: `guess-${count}@example.org` });
  const pauses: number[] = [];
  for (let count = 100; count <= 106; count++) {
    expect((await guess({ email: `guess-${count}@example.org` })).kind).toBe('wrong');
    const pause = await pauseWith(900);
    pauses.push(pause);
    await wait(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 15]);
  await holdPauses();
  expect((await guess({ email: 'x@example.org' })).kind).toBe('wait');
  expect((await guess({ email: 'x@example.org', address: '203.0.113.9' })).kind).toBe('wrong');
});

test('of 150 concurrent passwords for different accounts from one address, about 100 are checked', async () => {
  const { attempt } = await useSignIn();
  const outcomes = await Promise.all(Array.from({ length: 150 }, (_, n) => attempt({ email: `u${n}@example.com` })));
  // A few more on a slow machine, where the first pauses end meanwhile.
  expect(outcomes.filter(({ kind }) => kind === 'wrong').length).toBeLessThan(105);
});

test('right passwords do not count for their address, however many people share it', async () => {
  const { attempt, guess } = await useSignIn();
  for (let person = 0; person < 99; person++) await guess({ email: `u${person}@example.com` });
  for (let times = 0; times < 5; times++) expect((await attempt()).kind).toBe('signed_in');
});

test('wrong passwords of an address are forgotten after a quarter of an hour, even if people sign in there all the time', async () => {
  const { attempt, guess, wait, pauseWith } = await useSignIn();
  for (let person = 0; person < 99; person++) await guess({ email: `u${person}@example.com` });
  for (let times = 0; times < 2; times++) {
    await wait(600);
    expect((await attempt()).kind).toBe('signed_in');
  }
  await guess({ email: 'late@example.com' });
  expect(await pauseWith(900)).toBeUndefined();
});

test('after a day without a wrong password, earlier ones no longer count', async () => {
  const { guess, wait } = await useSignIn();
  for (let count = 1; count <= 5; count++) await guess();
  await wait(DAY + 1);
  for (let count = 1; count <= 5; count++) expect((await guess()).kind).toBe('wrong');
});
