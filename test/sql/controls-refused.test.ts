import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const reason = 'a burst of scans';

const pool = (perProcess: number | null, fleet: number | null) =>
  commands.setPoolLimit(olga.pool, { pool: 'ocr', perProcess, fleet, reason });
const limit = (target: string, given: unknown) =>
  commands.setFlowLimit(olga.pool, { target, limit: JSON.stringify(given), reason });

test('a refusal says in words what there is not, which bound holds, and which command helps', async () => {
  const said = async (sqlstate: string, act: Promise<unknown>) => {
    const { message, hint } = await refused(sqlstate, act);
    assert.doesNotMatch(`${message} ${hint}`, /__|constraint|relation|docs\/|docket\.[a-z]/);
    assert.match(String(hint), /docket [a-z]+ list/);
    return message;
  };
  const rule = { source: 'carrier-a', kind: null, lane: 'nolane', reason };
  const window = { lane: 'standard', window: 0, reason };
  assert.equal(
    await said('ZD073', limit('source:nosuch', { max_waiting: 1 })),
    'target: there is no source "nosuch"',
  );
  assert.equal(
    await said('ZD073', commands.setLaneRule(olga.pool, rule)),
    'target: there is no lane "nolane"',
  );
  assert.equal(
    await said('ZD074', pool(null, 99_999_999)),
    'pool of ocr: slots are 0 to 1000 a process and 0 to 100000 in all',
  );
  assert.equal(
    await said('ZD074', commands.setLaneWindow(olga.pool, window)),
    'window of standard: a window is 1 document or more',
  );
  assert.match(
    await said('ZD074', limit('all', { documents_per_minute: 0 })),
    /^limit of all: rates are 0\.001 to 1000000 a minute/,
  );
  assert.match(
    await said('ZD074', limit('all', { max_waiting: 1, on_excess: 'explode' })),
    /defer or reject$/,
  );
});

test('a limit that states nothing is refused, and no change is recorded of it', async () => {
  const { rows: before } = await olga.pool.query('select change_id from docket.changes');
  const error = await refused('ZD074', limit('all', {}));
  assert.equal(error.message, 'limit: no limit of all is stated');
  assert.match(error.hint!, /docket limit clear/);
  const { rows: after } = await olga.pool.query('select change_id from docket.changes');
  assert.deepEqual(after, before);
});
