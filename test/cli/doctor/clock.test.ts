import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockFindings, compareClocks } from '../../../src/cli/doctor/clock.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import { createTestDatabase } from '../../support/database.ts';

const db = await createTestDatabase();
const reader = typedQueries(db.pool());
const seconds = (shift: number) => () => Date.now() + shift * 1000;

test('clocks of one machine agree, within what the way to the database takes', async () => {
  assert.deepEqual(clockFindings(await compareClocks(reader)), []);
});

test('a host whose clock is off is told by how much and in which direction', async () => {
  const slow = clockFindings(await compareClocks(reader, seconds(-7_200)));
  assert.equal(slow.length, 1);
  assert.equal(slow[0]!.severity, 'problem');
  assert.match(slow[0]!.what, /^the clock of the database is 7[12]\d\d\.\d s ahead of that of this host$/);
  const fast = clockFindings(await compareClocks(reader, seconds(7_200)));
  assert.match(fast[0]!.what, /^the clock of the database is 7[12]\d\d\.\d s behind that of this host$/);
});

test('a difference counts as far as it is more than the way may have taken', () => {
  const judged = (ahead: number, uncertain: number) =>
    clockFindings({ ahead, uncertain, notedAhead: -1 }).map((one) => one.severity);
  assert.deepEqual(
    [judged(900, 0), judged(1_500, 600), judged(1_500, 100), judged(-61_000, 10)],
    [[], [], ['warning'], ['problem']],
  );
});

test('a database whose clock was set back knows times of its own future', async () => {
  await db.pool().query(
    `insert into docket.leases (lock_key, backend_pid, host, pid, pools, renewed_at, deadline)
     values (1, 1, 'h', 1, '{io}', clock_timestamp() + interval '1 hour', clock_timestamp() + interval '1 hour')`,
  );
  const findings = clockFindings(await compareClocks(reader));
  assert.deepEqual(
    findings.map(({ severity }) => severity),
    ['problem'],
  );
  assert.match(
    findings[0]!.what,
    /noted times that lie 3[56]\d\d\.\d s in its future: its clock was set back/,
  );
});
