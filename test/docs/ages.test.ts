import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { measureAll } from '../sql/ages-stage.ts';
import { Stage } from '../sql/stage.ts';

const TEXT = await readFile(new URL('../../docs/ages.md', import.meta.url), 'utf8');
const database = await createTestDatabase();
const stage = await Stage.open(database);

/** The names in the first column of the table that follows a heading. */
function namesUnder(heading: string): string[] {
  const section = TEXT.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!);
}

test('every statement that the page gives is answered to an operator, and it names the measures that there are', async () => {
  const statements = [...TEXT.matchAll(/```sql\n([^]*?)```/g)].flatMap(([, block]) =>
    block!.trim().split('\n'),
  );
  assert.equal(statements.length, 5);
  await stage.published();
  await measureAll(stage.worker);
  await stage.quarantined();
  await measureAll(stage.worker);
  await stage.validated();
  await stage.running();
  await stage.deliver();
  await stage.db.query('update docket.receipt_orders set due_at = clock_timestamp()');
  const { pool } = await createLogin(database, 'docket_operator');
  const answers = [];
  for (const statement of statements) answers.push((await pool.query<{ measure: string }>(statement)).rows);
  const measures = (rows: readonly { measure: string }[]) =>
    [...new Set(rows.map((row) => row.measure))].sort();
  assert.deepEqual(measures(answers[0]!), namesUnder('What waits').sort());
  assert.deepEqual(measures(answers[2]!), namesUnder('How long documents took').sort());
  assert.deepEqual(
    answers.map((rows) => rows.length > 0),
    [true, true, true, true, true],
  );
});
