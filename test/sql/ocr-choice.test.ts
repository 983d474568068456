import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';
import { triedVersion } from './tried-version.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const olga = await createLogin(database, 'docket_operator');
const reason = 'it reads better';

/** A configuration that was tried. */
async function tried(): Promise<number> {
  const [added] = await commands.addOcrVersion(olga.pool, {
    ...{ engine: null, parameters: '{}', pins: '{}', gates: '{}', reason },
  });
  await triedVersion(stage, added!.ocr_version);
  return added!.ocr_version;
}

interface Choice {
  active: number;
  good: number;
  canary: number | null;
  share: number | null;
}

async function choice(): Promise<Choice> {
  const { rows } = await olga.pool.query<Choice>(
    `select active_version as active, known_good_version as good, canary_version as canary, canary_share as share
     from docket.ocr_choice`,
  );
  return rows[0]!;
}

/** When the active configuration, or the canary, was last changed. */
const activatedAt = async () =>
  (await olga.pool.query<{ at: string }>('select activated_at::text as at from docket.ocr_choice')).rows[0]!
    .at;

const activate = async (version: number, more: { share?: number; for?: string } = {}) =>
  (await commands.activateOcrVersion(olga.pool, { version, reason, ...more }))[0]!;
const undo = (change: string) => commands.undoChange(olga.pool, { change, reason: 'as before' });
const control = async (target: string) =>
  (
    await olga.pool.query<{ value: unknown; change_id: string | null }>(
      `select value, change_id from docket.control_states where control = 'ocr' and target = $1`,
      [target],
    )
  ).rows[0]!;

/** Takes back everything, as if nothing was ever activated. */
const reset = () =>
  stage.db.query(
    `update docket.ocr_choice set active_version = 1, known_good_version = 1, canary_version = null, canary_share = null,
       automatic_within = null, rollback_to = null`,
  );

/** By which configurations so many documents that are begun now would be read. */
async function readBy(documents: number): Promise<Record<string, number>> {
  const { rows } = await stage.db.query<{ version: number; n: number }>(
    `select docket.ocr_version_for(gen_random_uuid(), c) as version, count(*)::integer as n
     from generate_series(1, $1::integer) cross join docket.ocr_choice c group by 1`,
    [documents],
  );
  return Object.fromEntries(rows.map((row) => [row.version, row.n]));
}

test('an activation is a change: it answers what was active, is an event, and makes that the known good one', async () => {
  await reset();
  const version = await tried();
  const before = await activatedAt();
  const change = await activate(version);
  assert.deepEqual([change.previous, change.expires_at], [{ version: 1 }, null]);
  assert.deepEqual(await choice(), { active: version, good: 1, canary: null, share: null });
  assert.ok((await activatedAt()) > before);
  assert.deepEqual(await control('active'), { value: { version }, change_id: change.change_id });
  const { rows } = await stage.db.query(
    `select event, detail::json -> 'from' as was, detail::json -> 'to' as is from docket_audit.events
     where job_id = '00000000-0000-0000-0000-000000000000' order by seq desc limit 1`,
  );
  assert.deepEqual(rows, [{ event: 'controls_changed', was: { version: 1 }, is: { version } }]);
  assert.deepEqual(await readBy(50), { [version]: 50 });
});

test('an activation that is undone leaves what it replaced as active and known good, and says nothing for itself', async () => {
  await reset();
  const [one, two] = [await tried(), await tried()];
  const first = await activate(one);
  const second = await activate(two);
  assert.deepEqual(await choice(), { active: two, good: one, canary: null, share: null });
  await undo(second.change_id);
  assert.deepEqual(await choice(), { active: one, good: one, canary: null, share: null });
  await undo(first.change_id);
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: null, share: null });
});

test('who goes back to the known good one does not make what was left the known good one', async () => {
  await reset();
  const version = await tried();
  await activate(version);
  await activate(1);
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: null, share: null });
  await activate(version);
  await activate(version);
  assert.deepEqual(await choice(), { active: version, good: 1, canary: null, share: null });
});

test('a canary reads its share, told by the document; raised it reads more, and activated for all it is no canary', async () => {
  await reset();
  const version = await tried();
  const small = await activate(version, { share: 0.1 });
  assert.equal(small.previous, null);
  const since = await activatedAt();
  const large = await activate(version, { share: 0.5 });
  assert.deepEqual(large.previous, { version, share: 0.1 });
  assert.equal(await activatedAt(), since, 'it is the same configuration');
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: version, share: 0.5 });
  const read = await readBy(4000);
  // Of 4,000 at one half more than 1,700 and fewer than 2,300, but for one draw in 10^21.
  assert.ok(
    Math.abs((read[version] ?? 0) - 2000) < 300 && read[1] === 4000 - (read[version] ?? 0),
    JSON.stringify(read),
  );
  const { rows } = await olga.pool.query(
    'select role, share from docket.ocr_version_states where share is not null order by ocr_version',
  );
  assert.deepEqual(rows, [
    { role: 'active', share: 0.5 },
    { role: 'canary', share: 0.5 },
  ]);
  await activate(version);
  assert.deepEqual(await choice(), { active: version, good: 1, canary: null, share: null });
  assert.deepEqual((await control('canary')).value, null);
});

test('a canary of the active configuration is none, and neither is a share of nothing or of more than all', async () => {
  await reset();
  const version = await tried();
  const error = await refused('ZD074', activate(1, { share: 0.5 }));
  assert.match(error.message, /^version: OCR configuration 1 is the active one/);
  for (const share of [0, -0.1, 1.1, Number.NaN]) await refused('ZD074', activate(version, { share }));
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: null, share: null });
});

test('a share is recorded to the digit, whatever the session does with digits', async () => {
  await reset();
  const version = await tried();
  const session = await olga.pool.connect();
  await session.query('set extra_float_digits = -15');
  await commands.activateOcrVersion(session, { version, reason, share: 0.123456 });
  session.release(true);
  assert.deepEqual((await control('canary')).value, { version, share: 0.123456 });
  assert.equal((await choice()).share, 0.123456);
});

test('an activation for a time ends by itself, and what it replaced is the known good one', async () => {
  await reset();
  const version = await tried();
  await activate(version, { for: '200 milliseconds' });
  assert.equal((await choice()).active, version);
  await eventually('its time is over', async () => {
    await commands.endExpiredChanges(stage.worker);
    return (await choice()).active === 1;
  });
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: null, share: null });
});

test('what is undone is not restored where it was rolled back meanwhile, and holds up the end of nothing else', async () => {
  await reset();
  const [one, two, three] = [await tried(), await tried(), await tried()];
  await activate(one);
  const change = await activate(two, { for: '200 milliseconds' });
  await activate(one, { share: 0.2 });
  await activate(three, { share: 0.3, for: '200 milliseconds' });
  await commands.setLaneWindow(olga.pool, { lane: 'standard', window: 7, reason, for: '200 milliseconds' });
  await stage.db.query(
    `insert into docket.ocr_withdrawals (ocr_version, reason, withdrawn_by) values ($1, 'it read rubbish', 'olga')`,
    [one],
  );
  await eventually('the others end', async () => {
    await commands.endExpiredChanges(stage.worker);
    const { rows } = await stage.db.query<{ size: number | null }>(
      `select window_size as size from docket.lanes where lane = 'standard'`,
    );
    return rows[0]!.size === null;
  });
  // There is no canary where the one that was replaced cannot read any more, and the active one stays.
  assert.deepEqual(await choice(), { active: two, good: one, canary: null, share: null });
  const error = await refused('ZD084', undo(change.change_id));
  assert.match(error.message, /was rolled back at \d{4}-\S+Z: it read rubbish$/);
  await refused('ZD084', activate(one));
  const { rows } = await olga.pool.query(
    'select role, withdrawn_by, withdrawn_because from docket.ocr_version_states where ocr_version = $1',
    [one],
  );
  assert.deepEqual(rows, [{ role: 'withdrawn', withdrawn_by: 'olga', withdrawn_because: 'it read rubbish' }]);
});

test('a canary that becomes the active one by an undoing is none any more, and none is restored to it', async () => {
  await reset();
  const [one, two] = [await tried(), await tried()];
  const change = await activate(one);
  await activate(1, { share: 0.25 });
  await undo(change.change_id);
  assert.deepEqual(await choice(), { active: 1, good: 1, canary: null, share: null });
  await activate(one, { share: 0.25 });
  const over = await activate(two, { share: 0.25 });
  await activate(one);
  await undo(over.change_id);
  assert.deepEqual(await choice(), { active: one, good: 1, canary: null, share: null });
});

test('while a rollback is under way nothing is activated and nothing restored, and afterwards it is', async () => {
  await reset();
  const version = await tried();
  const change = await activate(version, { for: '200 milliseconds' });
  await stage.db.query(
    `insert into docket.rollbacks (from_version, to_version, reason, ordered_by, drain_until)
     values ($1, 1, 'a test', 'olga', clock_timestamp())`,
    [version],
  );
  for (const act of [() => activate(1), () => undo(change.change_id), () => activate(1, { share: 0.5 })])
    await refused('ZD091', act());
  await refused('ZD091', commands.clearOcrCanary(olga.pool, { reason }));
  await eventually('its time is over', async () => {
    const { rows } = await stage.db.query<{ over: boolean }>(
      'select expires_at <= clock_timestamp() as over from docket.changes where change_id = $1',
      [change.change_id],
    );
    return rows[0]!.over;
  });
  assert.deepEqual(await commands.endExpiredChanges(stage.worker), []);
  assert.equal((await choice()).active, version);
  await stage.db.query(`update docket.rollbacks set step = 'done', ended_at = clock_timestamp()`);
  assert.equal((await commands.endExpiredChanges(stage.worker)).length, 1);
  assert.equal((await choice()).active, 1);
});

test('a rollback may begin by itself within a time that an operator states, which is undone like any change', async () => {
  await reset();
  const allow = (within: string | null) => commands.allowAutomaticRollback(olga.pool, { within, reason });
  const session = await olga.pool.connect();
  await session.query(`set intervalstyle = 'iso_8601'`);
  const [first] = await commands.allowAutomaticRollback(session, { within: '7 days', reason });
  session.release(true);
  assert.deepEqual([first!.previous, (await control('automatic')).value], [null, { within: '168:00:00' }]);
  const [second] = await allow('90 minutes');
  assert.deepEqual(second!.previous, { within: '168:00:00' });
  await allow(null);
  assert.equal((await control('automatic')).value, null);
  for (const within of ['0', '-1 hours', '7 days 1 second', '0.5 seconds']) {
    const error = await refused('ZD074', allow(within));
    assert.match(error.message, /^within: .* is not a span from 1 second to 7 days$/);
  }
  await undo(second!.change_id).catch(() => undefined);
  const { rows } = await olga.pool.query<{ within: string | null }>(
    'select automatic_within::text as within from docket.ocr_choice',
  );
  assert.equal(rows[0]!.within, null, 'what was set since is not undone');
});

test('two who activate at once are taken one after the other, and the second sees what the first set', async () => {
  await reset();
  const versions = [await tried(), await tried(), await tried()];
  const changes = await Promise.all(versions.map((version) => activate(version)));
  const previous = changes.map((change) => (change.previous as { version: number }).version);
  const { active, good } = await choice();
  assert.deepEqual([...new Set([...previous, active])].sort(), [1, ...versions].sort());
  assert.ok(previous.includes(good) && good !== active);
});
