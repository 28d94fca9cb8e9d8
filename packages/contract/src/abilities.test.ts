import { expect, test } from 'vitest';
import { ABILITIES } from './abilities.ts';
import { ENDPOINTS } from './endpoints.ts';
import { ROLES } from './roles.ts';

test('the abilities are those that the endpoints require', () => {
  const asked = ENDPOINTS.flatMap(({ tag, access }) => (ROLES.some((role) => role === access) ? `${tag}_${access}` : []));
  expect([...ABILITIES].sort()).toEqual([...new Set(asked)].sort());
});

test('the abilities are ordered from the least to the most powerful role', () => {
  const ranks = ABILITIES.map((ability) => ROLES.findIndex((role) => ability.endsWith(role)));
  expect(ranks).toEqual([...ranks].sort());
});
