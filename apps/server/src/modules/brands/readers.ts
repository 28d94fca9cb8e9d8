import { BoundedMap } from '../../bounded-map.ts';
import type { Db } from '../../db/database.ts';
import { requireRole } from './memberships.ts';

/** A page makes several calls at once, and asking for the membership costs a third of a list. */
const REMEMBERED_MS = 2_000;
const REMEMBERED_READERS = 5_000;

/**
 * Lets members read. Someone who is removed may go on reading for two seconds at the most; who writes is looked up each time.
 * Only members are remembered: a new one waits for nothing.
 */
export function createReaders(db: Db): { require(brandId: number, userId: number): Promise<void> } {
  const knownUntil = new BoundedMap<string, number>(REMEMBERED_READERS);
  return {
    require: async (brandId, userId) => {
      const key = `${brandId} ${userId}`;
      const asked = performance.now();
      if (asked < (knownUntil.get(key) ?? 0)) return;
      await requireRole(db, brandId, userId, 'viewer');
      knownUntil.set(key, asked + REMEMBERED_MS);
    },
  };
}
