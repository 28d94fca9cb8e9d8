// @module-tag empty-installation
import { useTestDatabase } from '@brand-portal/server/test/test-database.ts';
import { expect, test } from 'vitest';
import { createAccounts } from './accounts.ts';
import { createPasswords } from './passwords.ts';
import { checkPassword } from './sign-in.ts';
import { ANA } from './test-support/running-provider.ts';

const DAY = 86_400;

async function useSignIn() {
  const { db, pool } = await useTestDatabase();
  const passwords = createPasswords({ memoryCost: 1024, timeCost: 1 });
  await createAccounts(db, passwords).createAccount({ ...ANA, email_verified: true });
  const attempt = async (fields: { email?: string; password?: string; address?: string } = {}) =>
    (await checkPassword({ db, passwords }, { email: ANA.email, password: ANA.password, address: '192.0.2.1', ...fields })).kind;
  const guess = (fields: Parameters<typeof attempt>[0] = {}) => attempt({ password: 'Wrong-horse-1', ...fields });
  /** The longest current pause. Since it began no second has passed. */
  const pause = async () => {
    const { rows } = await pool.query(
      'select ceil(extract(epoch from max(blocked_until) - now()))::int as seconds from embedded.idp_attempts where blocked_until > now()',
    );
    return rows[0].seconds;
  };
  const holdPauses = () =>
    pool.query("update embedded.idp_attempts set blocked_until = now() + interval '50 seconds' where blocked_until is not null");
  /** Simulates that time has passed. */
  const wait = (seconds: number) =>
    pool.query(
      'update embedded.idp_attempts set blocked_until = blocked_until - make_interval(secs => $1), forget_at = forget_at - make_interval(secs => $1)',
      [seconds],
    );
  return { attempt, guess, wait, pause, holdPauses };
}

const network = (index: number) => `10.0.${index >> 8}.${index & 255}`;

test('each further guess must wait longer, up to a minute', async () => {
  const { guess, attempt, wait, pause } = await useSignIn();
  for (let free = 1; free <= 4; free++) await guess();
  expect(await pause()).toBeNull();
  const pauses: number[] = [];
  for (let more = 1; more <= 9; more++) {
    expect(await guess()).toBe('wrong');
    pauses.push(await pause());
    await wait(60);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(await attempt()).toBe('right');
});

test('a stranger who guesses on and on slows down a member on another network by seconds only', async () => {
  const { guess, attempt, wait, pause } = await useSignIn();
  for (let minute = 0; minute < 90; minute++) {
    await guess({ address: '198.51.100.1' });
    if (minute < 40) expect(await attempt({ address: '203.0.113.1' })).toBe('right');
    await wait(60);
  }
  await guess({ address: '198.51.100.1' });
  await wait(15);
  expect(await pause()).toBeGreaterThan(40);
  expect(await attempt({ address: '203.0.113.1' })).toBe('right');
});

test('hundreds of networks together get 50 guesses at one account, then one every 15 seconds', async () => {
  const { guess, wait } = await useSignIn();
  const outcomes: string[] = [];
  for (let index = 0; index < 300; index++) {
    outcomes.push(await guess({ address: network(index) }));
    if (index % 10 === 9) await wait(15);
  }
  const checked = outcomes.filter((kind) => kind === 'wrong').length;
  expect(checked).toBeGreaterThan(50);
  // One for each wait, and a few for a slow machine, while the first pauses are short.
  expect(checked).toBeLessThanOrEqual(50 + 30 + 5);
});

test('all addresses of one IPv6 network count as one stranger', async () => {
  const { guess, attempt } = await useSignIn();
  const outcomes: string[] = [];
  for (let host = 1; host <= 60; host++) outcomes.push(await guess({ address: `2001:db8:7:${host.toString(16)}::1` }));
  expect(outcomes.filter((kind) => kind === 'wrong').length).toBeLessThanOrEqual(9);
  expect(await attempt({ address: '203.0.113.1' })).toBe('right');
});

test('concurrent guesses do not exceed the limit, from one network or from many', async () => {
  const { guess, attempt } = await useSignIn();
  const wrong = (outcomes: string[]) => outcomes.filter((kind) => kind === 'wrong').length;
  // A few more on a slow machine, where the first pauses are over before the last try.
  const fromOne = await Promise.all(Array.from({ length: 40 }, () => guess({ address: '198.51.100.200' })));
  expect(wrong(fromOne)).toBeLessThanOrEqual(8);
  expect(await attempt({ address: '203.0.113.1' })).toBe('right');
  const fromMany = await Promise.all(Array.from({ length: 100 }, (_, index) => guess({ address: network(index) })));
  expect(wrong(fromOne) + wrong(fromMany)).toBeLessThanOrEqual(54);
});

test('a right password does not count, and forgets the wrong ones before it', async () => {
  const { attempt, guess } = await useSignIn();
  for (let times = 1; times <= 12; times++) {
    for (let typo = 1; typo <= 4; typo++) expect(await guess({ address: network(times) })).toBe('wrong');
    expect(await attempt({ address: network(times) })).toBe('right');
  }
  // Not those of other networks: 48 of the account's 50.
  for (let times = 1; times <= 60; times++) expect(await attempt()).toBe('right');
});

test('an address that tries many accounts is throttled, but never for long, and its neighbours are not locked out', async () => {
  const { attempt, guess, wait, pause, holdPauses } = await useSignIn();
  for (let count = 1; count <= 99; count++) await guess({ email: `guess-${count}@example.org` });
  for (let times = 0; times < 5; times++) expect(await attempt()).toBe('right');
  const pauses: number[] = [];
  for (let count = 100; count <= 106; count++) {
    expect(await guess({ email: `guess-${count}@example.org` })).toBe('wrong');
    pauses.push(await pause());
    await wait(15);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 15, 15, 15]);
  await holdPauses();
  expect(await guess({ email: 'x@example.org' })).toBe('wait');
  expect(await guess({ email: 'x@example.org', address: '203.0.113.9' })).toBe('wrong');
});

test('of 150 concurrent passwords for different accounts from one address, about 100 are checked', async () => {
  const { attempt } = await useSignIn();
  const outcomes = await Promise.all(Array.from({ length: 150 }, (_, n) => attempt({ email: `u${n}@example.com` })));
  // A few more on a slow machine, where the first pauses are over before the last try.
  expect(outcomes.filter((kind) => kind === 'wrong').length).toBeLessThan(105);
});

test('a day after the first wrong password all are forgotten', async () => {
  const { guess, wait } = await useSignIn();
  for (let count = 1; count <= 5; count++) await guess();
  await wait(DAY + 1);
  for (let count = 1; count <= 5; count++) expect(await guess()).toBe('wrong');
});
