import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { expect, expectCleanStop, test } from '../support/fault.ts';
import { FAULT_ROUNDS } from '../support/fault-rounds.ts';
import { databaseUrl, readProbe, withConnection } from '../support/probe.ts';

test.describe.configure({ timeout: 120_000 });

/**
 * Migrations take only milliseconds on an empty database. An event trigger delays each of their statements, so that a kill can hit
 * between two of them. It counts statements with a sequence, because a rollback does not reset it.
 */
const SLOW_DOWN = `
  create schema fault_probe;
  create table fault_probe.rows (id int primary key);
  insert into fault_probe.rows values (1);
  create table fault_probe.pace (seconds float8 not null);
  insert into fault_probe.pace values (0.15);
  create sequence fault_probe.statements;
  create function fault_probe.delay() returns event_trigger language plpgsql as $$
  begin
    perform nextval('fault_probe.statements');
    perform pg_sleep((select seconds from fault_probe.pace));
  end $$;
  create event trigger fault_probe_delay on ddl_command_start execute function fault_probe.delay();
`;

async function statementsSeen(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ seen: number }>(
    'select case when is_called then last_value::int else 0 end as seen from fault_probe.statements',
  );
  return rows[0]?.seen ?? 0;
}

for (const { label, between } of FAULT_ROUNDS) {
  test(`a kill between two statements of the migrations leaves no tables, and the next start works (${label})`, async ({
    launch,
    dataDir,
  }) => {
    // Prepares an empty product database in a running cluster without a server.
    const first = await (await launch()).ready();
    await first.kill();
    const url = databaseUrl(dataDir);
    const { pathname } = new URL(url);
    const name = `"${pathname.slice(1)}"`;
    await withConnection(Object.assign(new URL(url), { pathname: '/template1' }).href, async (client) => {
      await client.query(`drop database ${name} with (force)`);
      await client.query(`create database ${name}`);
    });

    await withConnection(url, async (client) => {
      await client.query(SLOW_DOWN);
      const killed = await launch();
      const goal = between(1, 30);
      while (killed.isRunning && (await statementsSeen(client)) < goal) await wait(10);
      expect(killed.isRunning, `the server should be in its migrations:\n${killed.log}`).toBe(true);
      expect(killed.log).not.toContain('is ready');
      await killed.kill();
      const { rows } = await client.query(`select to_regclass('public.brands') as brands`);
      expect(rows, 'the schema is there as a whole or not at all').toEqual([{ brands: null }]);
      await client.query('update fault_probe.pace set seconds = 0');
    });

    const restarted = await (await launch()).ready();
    expect(await readProbe(dataDir)).toEqual([1]);
    await expectCleanStop(restarted);
  });
}
