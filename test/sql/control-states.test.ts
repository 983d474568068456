import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const { db } = await Stage.open(database);
const operator = (await createLogin(database, 'docket_operator')).pool;

/** Pages of the database that a query reads. */
async function pagesRead(query: string): Promise<number> {
  const { rows } = await db.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) ${query}`,
  );
  const { Plan: plan } = rows[0]!['QUERY PLAN'][0];
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

test('what is set now is looked up by the newest changes, and not by reading all of them', async () => {
  await db.query(
    `insert into docket.changes (control, target, new_value, reason, changed_by)
     select 'limit', 'source:gone-' || n % 20, to_json(n), repeat('a test ', 100), 'olga' from generate_series(1, 20000) as n`,
  );
  const [set] = await commands.setPoolLimit(operator, {
    ...{ pool: 'ocr', perProcess: 3, fleet: null, reason: 'a test' },
  });
  for (const analyze of ['select', 'analyze docket.changes']) {
    await db.query(analyze);
    const pages = await pagesRead('select * from docket.control_states');
    assert.ok(pages < 400, `${pages} pages`);
  }
  const { rows } = await db.query<{
    control: string;
    target: string;
    value: unknown;
    change_id: string | null;
  }>(
    `select control, target, value, change_id from docket.control_states where (value is not null or control = 'limit') and control <> 'slo'`,
  );
  assert.deepEqual(
    rows.filter((row) => row.control !== 'limit'),
    [
      { control: 'pool', target: 'ocr', value: { per_process: 3, fleet: null }, change_id: set!.change_id },
      // as they are from the start
      { control: 'source', target: 'source:carrier-a', value: true, change_id: null },
      { control: 'ocr', target: 'active', value: { version: 1 }, change_id: null },
    ],
  );
  // each of them once, and none in force, as nothing is limited
  assert.deepEqual(
    rows
      .filter((row) => row.control === 'limit')
      .map((row) => [row.target, row.value, row.change_id])
      .sort(),
    Array.from({ length: 20 }, (_, n) => [`source:gone-${n}`, null, null]).sort(),
  );
});
