import { Type } from 'typebox';
import { LONGEST_PERSON_NAME } from './constants.ts';

export const EmailAddress = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
export const PersonName = Type.String({ maxLength: LONGEST_PERSON_NAME });
