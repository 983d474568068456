import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');

test('a source that was disabled is a change, which is undone as any other', async () => {
  const set = (isEnabled: boolean) =>
    commands.setSourceEnabled(olga.pool, { sourceId: 'carrier-a', isEnabled });
  const target = 'source:carrier-a';
  await set(false);
  await refused('ZD017', stage.deliver());
  const { rows: states } = await olga.pool.query<{ value: unknown; changed_by: string; change_id: string }>(
    'select value, changed_by, change_id from docket.control_states where target = $1',
    [target],
  );
  assert.deepEqual([states[0]!.value, states[0]!.changed_by], [false, olga.name]);
  const { rows: events } = await stage.db.query(
    `select event, detail::json -> 'control' as control, detail::json -> 'from' as was, detail::json -> 'to' as is
     from docket_audit.events where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  assert.deepEqual(events, [{ event: 'controls_changed', control: 'source', was: true, is: false }]);
  await commands.undoChange(olga.pool, { change: states[0]!.change_id, reason: 'as before' });
  await stage.deliver();
  await refused('ZD023', commands.setSourceEnabled(olga.pool, { sourceId: 'nobody', isEnabled: false }));
});
