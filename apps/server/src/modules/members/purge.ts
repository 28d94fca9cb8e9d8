import type { Db } from '../../db/database.ts';
import { deleteLongExpiredInvitations } from './invitations.queries.ts';

/** How many rows were past their time. */
export function purgeInvitations(db: Db): Promise<number> {
  return deleteLongExpiredInvitations(db);
}
