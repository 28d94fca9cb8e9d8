import { Type } from 'typebox';

export const EmailAddress = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+$' });
export const PersonName = Type.String({ maxLength: 150 });
