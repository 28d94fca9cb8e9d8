import { sql } from 'kysely';
import type { Condition } from './fragments.ts';

/** On rows of `imports`: members see it among their imports. The others are actions on variants. Written as in the index `imports_listed_idx`. */
export const IS_LISTED: Condition = sql`kind in ('file', 'corrections', 'undo')`;
