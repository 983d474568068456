import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { eventHash } from '../../src/domain/event-hash.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { Stage } from './stage.ts';

const STATES = ['accepted', 'running', 'validated', 'published', 'quarantined'] as const;

/** The machine by hand: for each event the state it leads to, and the task it makes due, from each state that allows it. */
const MACHINE: Record<string, Record<string, [to: string, task: string | null]>> = {
  accepted: { none: ['accepted', null] },
  admitted: { accepted: ['accepted', 'hash'] },
  verified: { accepted: ['accepted', 'ocr'] },
  started: { accepted: ['running', null] },
  extracted: { running: ['validated', 'publish'] },
  published: { validated: ['published', null] },
  hash_retry: { accepted: ['accepted', 'hash'] },
  ocr_retry: { running: ['accepted', 'ocr'] },
  publish_retry: { validated: ['validated', 'publish'] },
  hash_lost: { accepted: ['accepted', 'hash'] },
  ocr_recalled: { running: ['accepted', 'ocr'] },
  ocr_lost: { running: ['accepted', 'ocr'] },
  publish_lost: { validated: ['validated', 'publish'] },
  quarantined: {
    accepted: ['quarantined', null],
    running: ['quarantined', null],
    validated: ['quarantined', null],
  },
  released: { quarantined: ['accepted', null] },
  redriven: { quarantined: ['accepted', null] },
  prioritised: { accepted: ['accepted', null] },
  redelivered: { quarantined: ['accepted', null] },
  delivered_again: everywhere(),
  delivery_verified: everywhere(),
  delivery_refused: everywhere(),
  envelope_checked: everywhere(),
  unmask_requested: { published: ['published', null] },
  hold_placed: everywhere(),
  hold_lifted: everywhere(),
  retention_extended: everywhere(),
  metadata_amended: everywhere(),
  replay_passed: { published: ['published', null] },
  replay_failed: { published: ['published', null] },
  reread_ordered: { published: ['published', null] },
  superseded: { published: ['published', null] },
  reread_ended: { published: ['published', null] },
  recovery_declared: { none: ['none', null] },
  controls_changed: { none: ['none', null] },
  controls_restored: { none: ['none', null] },
  ocr_version_added: { none: ['none', null] },
  admission_closed: { none: ['none', null] },
  rollback_ordered: { none: ['none', null] },
  rollback_triggered: { none: ['none', null] },
  rollback_advanced: { none: ['none', null] },
  rollback_failed: { none: ['none', null] },
  rollback_pushed: { none: ['none', null] },
  outage_began: { none: ['none', null] },
  outage_ended: { none: ['none', null] },
  retention_ended: { published: ['published', null] },
  disposal_requested: atTheEnd(),
  disposal_withdrawn: atTheEnd(),
  disposed: atTheEnd(),
  object_removed: atTheEnd(),
  object_kept: atTheEnd(),
  text_read: everywhere(),
  original_read: everywhere(),
  reference_refused: everywhere(),
  result_duplicate: everywhere(),
};

/** What the law of custody asks of a legal step beside: another person, a hold, a request, the end of retention. */
const CUSTODY: Record<string, string> = {
  hold_lifted: 'ZD036',
  retention_ended: 'ZD031',
  disposal_requested: 'ZD031',
  disposal_withdrawn: 'ZD034',
  disposed: 'ZD034',
};

/** In both states in which no task is under way or to come. */
function atTheEnd(): Record<string, [string, null]> {
  return { published: ['published', null], quarantined: ['quarantined', null] };
}

function everywhere(): Record<string, [string, null]> {
  return Object.fromEntries(STATES.map((state) => [state, [state, null]]));
}

const database = await createTestDatabase();
const stage = await Stage.open(database);
const db = database.pool();
/** Events of custody bear the name of whoever records them. */
const self = (await db.query<{ actor: string }>('select docket.actor() as actor')).rows[0]!.actor;

/** Runs in a transaction that is rolled back, as the owner of the tables. */
async function asOwner<T>(act: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query('set local role docket_owner');
    return await act(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Inserts the next event of a job by hand, with a right hash. */
async function insertEvent(
  client: pg.PoolClient,
  job: Record<string, unknown>,
  step: { from: string; event: string; to: string },
): Promise<void> {
  const event = {
    jobId: job['job_id'] as string,
    seq: (job['seq'] as number) + 1,
    fromState: step.from,
    event: step.event,
    toState: step.to,
    atMicros: 0n,
    actor: self,
    reason: 'by hand',
    code: null,
    attempt: null,
    detail: '{}',
    prev: job['head'] as Buffer,
  };
  await client.query(
    `insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, prev, hash)
     values ($1, $2, $3, $4, $5, '2000-01-01 00:00+00', $8, 'by hand', $6, $7)`,
    [event.jobId, event.seq, step.from, step.event, step.to, event.prev, eventHash(event), self],
  );
}

test('the machine is exactly the table of the design', async () => {
  const { rows } = await db.query<[string, string, string, string | null]>({
    text: 'select from_state, event, to_state, next_task from docket.job_transitions',
    rowMode: 'array',
  });
  const seen = rows.map((row) => row.join(' ')).sort();
  const wanted = Object.entries(MACHINE).flatMap(([event, steps]) =>
    Object.entries(steps).map(([from, [to, task]]) => [from, event, to, task].join(' ')),
  );
  assert.deepEqual(seen, wanted.sort());
});

for (const state of STATES) {
  test(`record_events allows in ${state} exactly what the machine allows`, async () => {
    const job = await stage.inState(state);
    for (const [event, steps] of Object.entries(MACHINE)) {
      const step = steps[state];
      const record = asOwner(async (client) => {
        // Every command that leaves a state ends the attempt that is open in it first.
        await client.query('update docket.jobs set token = null where job_id = $1', [job]);
        await client.query(
          'select docket.record_events(array[$1]::uuid[], array[$2], $3, null, null, null, null)',
          [job, event, self],
        );
        const { rows } = await client.query<{ state: string; next_task: string | null }>(
          'select state, next_task from docket.jobs where job_id = $1',
          [job],
        );
        return rows[0]!;
      });
      if (step && CUSTODY[event] !== undefined) {
        await refused(CUSTODY[event], record);
      } else if (step) {
        const after = await record;
        assert.equal(after.state, step[0], event);
        if (step[1] !== null) assert.equal(after.next_task, step[1], event);
      } else {
        const error = await refused('ZD002', record);
        assert.match(error.message, new RegExp(`event "${event}" .* state "${state}" of job ${job}`));
      }
    }
  });

  test(`the owner can insert in ${state} exactly the events that the machine allows`, async () => {
    const job = await stage.job(await stage.inState(state));
    for (const [event, steps] of Object.entries(MACHINE)) {
      for (const to of STATES) {
        const insert = asOwner((client) => insertEvent(client, job, { from: state, event, to }));
        if (steps[state]?.[0] !== to) await refused('ZD002', insert);
        else if (CUSTODY[event] !== undefined) await refused(CUSTODY[event], insert);
        else await insert;
      }
    }
  });
}

test('an event that starts from another state than that of the job is refused', async () => {
  const job = await stage.job(await stage.running().then((open) => open.job_id));
  await refused(
    'ZD002',
    asOwner((client) => insertEvent(client, job, { from: 'accepted', event: 'started', to: 'running' })),
  );
});

test('an event of an unknown name, and one of no job, are refused', async () => {
  const job = await stage.deliver();
  for (const [id, event] of [
    [job, 'invented'],
    ['00000000-0000-8000-8000-000000000000', 'admitted'],
  ]) {
    await refused(
      'ZD002',
      asOwner((client) =>
        client.query(
          'select docket.record_events(array[$1]::uuid[], array[$2], $3, null, null, null, null)',
          [id, event, 'test'],
        ),
      ),
    );
  }
});

test('an event of a group one is not in is refused, and the job stays as it was', async () => {
  const job = await stage.quarantined();
  const before = await stage.job(job);
  const operator = await createLogin(database, 'docket_operator');
  // As if the command had been granted to the wrong group by mistake.
  await db.query('grant execute on function docket.release_quarantined(uuid[], text) to docket_operator');
  await refused(
    'ZD005',
    operator.pool.query('select docket.release_quarantined(array[$1]::uuid[], $2)', [job, 'please']),
  );
  await db.query('revoke execute on function docket.release_quarantined(uuid[], text) from docket_operator');
  assert.deepEqual(await stage.job(job), before);
});

test('one illegal step among many refuses them all', async () => {
  const [waiting, published] = [await stage.deliver(), await stage.published()];
  const error = await refused(
    'ZD002',
    asOwner((client) =>
      client.query(
        `select docket.record_events(array[$1, $2]::uuid[], array['admitted', 'admitted'], 'x', null, null, null, null)`,
        [waiting, published],
      ),
    ),
  );
  assert.match(error.message, new RegExp(`"admitted" .* "published" of job ${published}`));
});
