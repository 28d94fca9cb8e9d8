import { expect, test } from 'vitest';
import { useTestDatabase } from '../../test/test-database.ts';
import { StartupError } from '../errors.ts';
import { migrate } from './migrate.ts';

test('people who are there twice, apart from case, are named before the migration changes anything', async () => {
  const { db, pool } = await useTestDatabase();
  await pool.query(`
    alter table users drop column email_key;
    alter table idp_accounts drop column email_key;
    create unique index users_email_key on users (email);
    create unique index idp_accounts_email_key on idp_accounts (email);
    delete from kysely_migration where name >= '0020';
    insert into users (email) values ('info@example.com'), ('INFO@example.com'), ('other@example.com');
  `);
  const failure = await migrate(db).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StartupError);
  expect((failure as Error).message).toMatch(/user \d+ info@example\.com and user \d+ INFO@example\.com/);
  const { rows } = await pool.query("select 1 from kysely_migration where name >= '0020'");
  expect(rows).toEqual([]);
});
