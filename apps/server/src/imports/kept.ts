import type { Language } from '@brand-portal/contract/constants';
import type { KeptVariant as KeptAnswer } from '@brand-portal/contract/import';
import type { Db } from '../db/database.ts';
import { listPeople, nameOfActor } from '../people/members/actors.ts';
import type { KeptVariant } from './imports.queries.ts';

/** What an undo keeps, with the names of the people who changed it. */
export async function describeKept(db: Db, brandId: number, kept: readonly KeptVariant[], language: Language): Promise<KeptAnswer[]> {
  const ids = kept.flatMap(({ fields = [] }) => fields.map(({ user_id }) => user_id));
  const people = await listPeople(db, brandId, ids);
  return kept.map(({ fields = [], ...variant }) => ({
    ...variant,
    fields: fields.map(({ field, user_id, at }) => ({ field, by: nameOfActor(people, user_id, language) ?? '', at })),
  }));
}
