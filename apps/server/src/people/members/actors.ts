import type { Language } from '@brand-portal/contract/constants';
import type { Db } from '../../db/database.ts';
import { isDeletedAccount } from '../identity/users.ts';
import { listPeopleById, type Person } from './actors.queries.ts';

/**
 * The author of a change as members of the brand see it, in history, timelines and lists. A deleted account has only a number. Platform
 * staff are not named.
 */

export type People = ReadonlyMap<number, Person>;

/** By name. */
export async function listPeople(db: Db, brandId: number, ids: readonly (number | null | undefined)[]): Promise<People> {
  const known = new Set(ids.filter((id) => typeof id === 'number'));
  const people = await listPeopleById(db, brandId, [...known]);
  return new Map(people.map((person) => [person.id, person]));
}

const NAMES = {
  staff: { en: 'Platform staff', es: 'Personal de la plataforma' },
  operator: { en: 'Operator', es: 'Operador' },
  system: { en: 'Brand Portal', es: 'Brand Portal' },
  former: { en: 'Former member', es: 'Antiguo miembro' },
  api_key: { en: 'API key', es: 'Clave de API' },
} as const;

export const nameOfOther = (who: 'operator' | 'system', language: Language): string => NAMES[who][language];

/** The number of a deleted account, to tell former members apart. */
export function nameOf(person: Person, language: Language): string {
  return isDeletedAccount(person) ? `${NAMES.former[language]} ${person.id}` : person.name;
}

/** An API key is a user whose e-mail is the key's prefix. */
const isKey = ({ email }: Person) => !email.includes('@') && !isDeletedAccount({ email });

interface Actor {
  readonly kind: 'person' | 'api_key' | 'staff';
  readonly id: number | null;
  readonly name: string;
}

export function toActor(people: People, id: number, language: Language): Actor {
  const person = people.get(id);
  if (!person) return { kind: 'person', id, name: NAMES.former[language] };
  if (isKey(person)) return { kind: 'api_key', id, name: `${NAMES.api_key[language]} ${person.name}` };
  if (person.is_staff) return { kind: 'staff', id: null, name: NAMES.staff[language] };
  return { kind: 'person', id, name: nameOf(person, language) };
}

/** Null: no user, or an unknown one. */
export function nameOfActor(people: People, id: number | null, language: Language): string | null {
  return id === null ? null : toActor(people, id, language).name;
}

interface NamedPerson {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

/** The same for responses with first name, last name and e-mail. */
export function toNamedPerson(people: People, id: number | null, language: Language): NamedPerson | null {
  const person = id === null ? undefined : people.get(id);
  if (!person) return null;
  const { first_name, last_name, email } = person;
  if (person.is_staff || isDeletedAccount(person)) {
    return { first_name: toActor(people, person.id, language).name, last_name: '', email: '' };
  }
  return { first_name, last_name, email };
}
