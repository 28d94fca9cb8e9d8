import { expect, test } from 'vitest';
import { useTestDatabase } from '../../../test/test-database.ts';
import { createAccounts } from './accounts.ts';
import { createPasswords } from './passwords.ts';
import { signIn } from './sign-in.ts';
import { ANA } from './test-support/running-provider.ts';

async function useSignIn() {
  const { db, pool } = await useTestDatabase();
  const passwords = createPasswords({ memoryCost: 1024, timeCost: 1 });
  const accounts = createAccounts(db, passwords);
  const { subject } = await accounts.createAccount({ ...ANA, email_verified: true });
  const attempt = (fields: { email?: string; password?: string; address?: string; knownBrowser?: string } = {}) =>
    signIn(db, passwords, { email: ANA.email, password: ANA.password, address: '192.0.2.1', ...fields });
  const guess = (fields: Parameters<typeof attempt>[0] = {}) => attempt({ password: 'Wrong-horse-1', ...fields });
  /** Of whatever is paused, measured by the database's own entries and not by how fast this test is. */
  const pauseWith = async (memorySeconds: number) => {
    const { rows } = await pool.query(
      'select extract(epoch from blocked_until - forget_at)::int + $1 as seconds from idp_attempts where blocked_until is not null',
      [memorySeconds],
    );
    return rows[0]?.seconds;
  };
  const holdPauses = () =>
    pool.query("update idp_attempts set blocked_until = now() + interval '50 seconds' where blocked_until is not null");
  /** As if so much time had passed. */
  const wait = (seconds: number) =>
    pool.query(
      'update idp_attempts set blocked_until = blocked_until - make_interval(secs => $1), forget_at = forget_at - make_interval(secs => $1)',
      [seconds],
    );
  const knownBrowser = async () => {
    const outcome = await attempt();
    if (outcome.kind !== 'signed_in') throw new Error(outcome.kind);
    return outcome.knownBrowser;
  };
  return { attempt, guess, wait, pauseWith, holdPauses, accounts, subject, knownBrowser };
}

test('of 60 guesses at one account from 12 addresses hardly more than five are looked at', async () => {
  const { guess } = await useSignIn();
  const outcomes: string[] = [];
  for (let round = 0; round < 5; round++) {
    for (let host = 1; host <= 12; host++) outcomes.push((await guess({ address: `198.51.100.${host}` })).kind);
  }
  // One more for the first second that they take, and for each doubling of the time after it.
  expect(outcomes.filter((kind) => kind === 'wrong').length).toBeLessThanOrEqual(11);
});

test('each further guess waits longer, and nobody longer than a minute', async () => {
  const { guess, attempt, wait, pauseWith } = await useSignIn();
  for (let free = 1; free <= 4; free++) await guess();
  expect(await pauseWith(3_600)).toBeUndefined();
  const pauses: number[] = [];
  for (let more = 1; more <= 9; more++) {
    expect((await guess()).kind).toBe('wrong');
    const pause = await pauseWith(3_600);
    pauses.push(pause);
    await wait(pause);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect((await attempt()).kind).toBe('signed_in');
});

test('a browser in which the member signed in before gets in at once, however hard strangers try', async () => {
  const { guess, attempt, knownBrowser, holdPauses } = await useSignIn();
  const known = await knownBrowser();
  for (let host = 1; host <= 20; host++) await guess({ address: `198.51.100.${host}` });
  await holdPauses();
  expect((await attempt()).kind).toBe('wait');
  expect((await attempt({ knownBrowser: known })).kind).toBe('signed_in');
  // Its own guesses are counted, too.
  for (let count = 1; count <= 5; count++) expect((await guess({ knownBrowser: known })).kind).toBe('wrong');
  await holdPauses();
  expect((await guess({ knownBrowser: known })).kind).toBe('wait');
});

test('what makes a browser known cannot be made up, and is good for one account and one password', async () => {
  const { guess, attempt, knownBrowser, holdPauses, accounts, subject } = await useSignIn();
  const bea = { ...ANA, email: 'bea@example.org', password: 'Other-horse-1' };
  await accounts.createAccount({ ...bea, email_verified: true });
  const known = await knownBrowser();
  const [id] = known.split('.');
  for (let count = 1; count <= 5; count++) await guess({ email: bea.email });
  await holdPauses();
  for (const cookie of [known, `${id}.${'x'.repeat(43)}`, 'nonsense', '', '.', `${id}.`]) {
    expect((await attempt({ ...bea, knownBrowser: cookie })).kind, cookie).toBe('wait');
  }
  await accounts.setPassword(subject, bea.password);
  for (let count = 1; count <= 5; count++) await guess();
  await holdPauses();
  expect((await attempt({ password: bea.password, knownBrowser: known })).kind).toBe('wait');
});

test('50 wrong passwords from one address do not lock its other people out', async () => {
  const { guess, attempt } = await useSignIn();
  for (let count = 1; count <= 50; count++) {
    expect((await guess({ email: `guess-${count}@example.org` })).kind).toBe('wrong');
  }
  expect((await attempt()).kind).toBe('signed_in');
});

test('an address that goes on trying accounts is slowed down, and never kept waiting for long', async () => {
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

test('an hour without a wrong password forgets those of before', async () => {
  const { guess, wait } = await useSignIn();
  for (let count = 1; count <= 5; count++) await guess();
  await wait(3_601);
  for (let count = 1; count <= 5; count++) expect((await guess()).kind).toBe('wrong');
});
