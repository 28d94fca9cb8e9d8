import { type Db, inTransaction } from '@brand-portal/server/db/database.ts';
import { type Selectable, sql } from 'kysely';
import type { EmbeddedSchema } from '../db/schema.ts';
import { tables } from '../db/tables.ts';

export type StoredMessage = Selectable<EmbeddedSchema['mailbox_messages']>;

const MAX_MESSAGES = 200;

type NewMessage = Pick<StoredMessage, 'sender' | 'recipients' | 'subject' | 'text_body' | 'html_body'>;

/** Keeps only the newest messages. */
export function insertMessage(db: Db, message: NewMessage): Promise<number> {
  return inTransaction(db, async (db) => {
    const { id } = await tables(db).insertInto('mailbox_messages').values(message).returning('id').executeTakeFirstOrThrow();
    await sql`
      delete from embedded.mailbox_messages
      where id <= (select id from embedded.mailbox_messages order by id desc offset ${MAX_MESSAGES} limit 1)
    `.execute(db);
    return id;
  });
}

/** Newest first. */
export function listMessages(db: Db): Promise<StoredMessage[]> {
  return tables(db).selectFrom('mailbox_messages').selectAll().orderBy('id', 'desc').limit(MAX_MESSAGES).execute();
}

export function findMessage(db: Db, id: number): Promise<StoredMessage | undefined> {
  return tables(db).selectFrom('mailbox_messages').selectAll().where('id', '=', id).executeTakeFirst();
}
