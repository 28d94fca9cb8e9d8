import { expect, test } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

test('beyond its limit, what was told first is forgotten; told again is told last', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});
