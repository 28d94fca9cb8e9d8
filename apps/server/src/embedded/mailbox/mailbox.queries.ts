import { type Selectable, sql } from 'kysely';
import { type Db, inTransaction } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export type StoredMessage = Selectable<Schema['mailbox_messages']>;

const KEPT = 200;

type NewMessage = Pick<StoredMessage, 'sender' | 'recipients' | 'subject' | 'text_body' | 'html_body'>;

/** Only the newest are kept. */
export function insertMessage(db: Db, message: NewMessage): Promise<number> {
  return inTransaction(db, async (db) => {
    const { id } = await db.insertInto('mailbox_messages').values(message).returning('id').executeTakeFirstOrThrow();
    await sql`
      delete from mailbox_messages
      where id <= (select id from mailbox_messages order by id desc offset ${KEPT} limit 1)
    `.execute(db);
    return id;
  });
}

/** Newest first. */
export function listMessages(db: Db): Promise<StoredMessage[]> {
  return db.selectFrom('mailbox_messages').selectAll().orderBy('id', 'desc').limit(KEPT).execute();
}

export function findMessage(db: Db, id: number): Promise<StoredMessage | undefined> {
  return db.selectFrom('mailbox_messages').selectAll().where('id', '=', id).executeTakeFirst();
}
