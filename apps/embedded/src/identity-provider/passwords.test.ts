import { stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const passwords = createPasswords({ memoryCost: 1024, timeCost: 1 });

test('a password matches its own hash only', async () => {
  const hash = await passwords.hash('Correct-horse-1');
  expect(hash).toMatch(/^\$argon2id\$/);
  expect(await passwords.matches(hash, 'Correct-horse-1')).toBe(true);
  expect(await passwords.matches(hash, 'correct-horse-1')).toBe(false);
  expect(await passwords.matches(undefined, 'Correct-horse-1')).toBe(false);
});

test('the same password typed as other code points matches', async () => {
  const hash = await passwords.hash('contrase\u00f1a');
  expect(await passwords.matches(hash, 'contrasen\u0303a')).toBe(true);
});

test('what was hashed at one cost is verified at another', async () => {
  const hash = await createPasswords({ memoryCost: 2048, timeCost: 2 }).hash('Correct-horse-1');
  expect(await passwords.matches(hash, 'Correct-horse-1')).toBe(true);
});

test('many passwords at once leave threads for files, compression and signatures', async () => {
  const ended: string[] = [];
  const { hash } = createPasswords({ memoryCost: 64 * 1024, timeCost: 1 });
  const hashes = Array.from({ length: 12 }, () => hash('Correct-horse-1').then(() => ended.push('password')));
  await stat('.').then(() => ended.push('file'));
  await Promise.all(hashes);
  expect(ended).toEqual(['file', ...Array.from({ length: 12 }, () => 'password')]);
});
