import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { eventHash, type AuditEvent } from '../../src/domain/event-hash.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { refused } from './refused.ts';
import { result, Stage } from './stage.ts';

const database = await createTestDatabase();
const stage = await Stage.open(database);
const job = await stage.published();
const auditor = await createLogin(database, 'docket_auditor');

/** Tables whose rows are never changed, each with a column to try it on. */
const APPEND_ONLY: Record<string, string> = {
  'docket.deliveries': 'locator',
  'docket.evidence': 'locator',
  'docket.job_salts': 'salt',
  'docket.ocr_configs': 'engine',
  'docket.ocr_versions': 'gates',
  'docket.results': 'characters',
  'docket.pages': 'text',
  'docket_audit.events': 'reason',
};

/** Those who hold every privilege on the tables: what stops them is not a missing grant. */
const POWERFUL: Record<string, string> = {
  'the owner': 'set local role docket_owner',
  'a superuser': 'select',
  'a superuser who switches triggers off': 'set local session_replication_role = replica',
};

/** Runs statements in a transaction that is rolled back. */
async function attempt(...statements: string[]): Promise<void> {
  const client: pg.PoolClient = await stage.db.connect();
  try {
    await client.query('begin');
    for (const statement of statements) await client.query(statement);
    // Deferred constraints speak at the end.
    await client.query('set constraints all immediate');
  } finally {
    await client.query('rollback');
    client.release();
  }
}

for (const [who, become] of Object.entries(POWERFUL)) {
  test(`${who} cannot change, remove or truncate what is append-only`, async () => {
    for (const [table, column] of Object.entries(APPEND_ONLY)) {
      const { rows } = await stage.db.query<{ n: string }>(`select count(*) as n from ${table}`);
      assert.notEqual(rows[0]!.n, '0', `${table} must hold a row for this to mean anything`);
      for (const statement of [
        `update ${table} set ${column} = ${column}`,
        `delete from ${table}`,
        `truncate ${table} cascade`,
      ]) {
        const error = await refused('ZD001', attempt(become, statement));
        assert.match(error.message, /refused/, statement);
        assert.ok(error.hint, statement);
      }
    }
  });

  test(`${who} cannot change what a job is about, nor remove jobs or sources`, async () => {
    for (const statement of [
      `update docket.jobs set job_id = gen_random_uuid()`,
      `update docket.jobs set sha256 = sha256('other')`,
      `update docket.jobs set delivery_id = delivery_id + 1`,
      `update docket.jobs set source_id = 'carrier-b'`,
      `update docket.jobs set accepted_at = accepted_at - interval '1 day'`,
      'update docket.jobs set seq = seq - 1',
      'delete from docket.jobs',
      'truncate docket.jobs cascade',
      'delete from docket.sources',
      `update docket.sources set source_id = 'renamed'`,
      'truncate docket.sources cascade',
    ]) {
      await refused('ZD001', attempt(become, statement));
    }
  });

  test(`${who} cannot set a state, head or number without the event`, async () => {
    for (const change of [
      `state = 'quarantined'`,
      `head = sha256('x')`,
      'seq = seq + 1',
      `state = 'quarantined', seq = seq + 1, head = sha256('x')`,
    ]) {
      await refused('ZD003', attempt(become, `update docket.jobs set ${change}`));
    }
    await refused(
      'ZD003',
      attempt(
        become,
        `insert into docket.jobs (job_id, sha256, delivery_id, source_id, document_kind, state, seq, head, state_at, accepted_at)
         select gen_random_uuid(), sha256('x'), delivery_id, source_id, document_kind, 'published', 1, head, now(), now()
         from docket.jobs limit 1`,
      ),
    );
  });

  test(`${who} cannot store the same result twice`, async () => {
    await refused('ZD004', attempt(become, 'insert into docket.results select * from docket.results'));
  });

  test(`${who} cannot insert an event whose hash, predecessor or origin is not right`, async () => {
    const event = await nextEvent();
    const good = (changes: Partial<AuditEvent> = {}, hash?: Buffer) => {
      const changed = { ...event, ...changes };
      return attempt(become, insertOf(changed, hash ?? eventHash(changed)));
    };
    await good();
    await refused('ZD002', good({}, Buffer.alloc(32)));
    await refused('ZD002', good({ prev: Buffer.alloc(32, 1) }));
    await refused('ZD002', good({ seq: event.seq + 1 }));
    await refused('ZD002', good({ fromState: 'accepted', toState: 'accepted' }));
    await refused('ZD002', good({ toState: 'quarantined' }));
    // The right hash of other bytes than those that are stored.
    await refused('ZD002', attempt(become, insertOf({ ...event, reason: 'other' }, eventHash(event))));
    // A second first event, of a job that has one, and a first event that does not start from none.
    await refused('23514', good({ seq: 1 }));
    await refused('ZD002', good({ jobId: '00000000-0000-8000-8000-000000000001', seq: 1, prev: null }));
  });
}

async function nextEvent(): Promise<AuditEvent> {
  const { seq, head } = await stage.job(job);
  return {
    jobId: job,
    seq: (seq as number) + 1,
    fromState: 'published',
    event: 'delivered_again',
    toState: 'published',
    atMicros: 0n,
    actor: 'somebody',
    reason: 'because',
    code: null,
    attempt: null,
    detail: '{}',
    prev: head as Buffer,
  };
}

function insertOf(event: AuditEvent, hash: Buffer): string {
  const bytes = (value: Uint8Array | null) => (value ? `'\\x${Buffer.from(value).toString('hex')}'` : 'null');
  return `insert into docket_audit.events
      (job_id, seq, from_state, event, to_state, at, actor, reason, detail, prev, hash)
    values ('${event.jobId}', ${event.seq}, '${event.fromState}', '${event.event}', '${event.toState}', '2000-01-01 00:00+00',
      '${event.actor}', '${event.reason}', '${event.detail}', ${bytes(event.prev)}, ${bytes(hash)})`;
}

test('those who hold no privilege are refused before any trigger', async () => {
  for (const pool of [stage.sender.pool, stage.worker, auditor.pool, database.pool('docket_queue')]) {
    for (const [table, column] of Object.entries(APPEND_ONLY)) {
      await refused('42501', pool.query(`update ${table} set ${column} = ${column}`));
      await refused('42501', pool.query(`delete from ${table}`));
      await refused('42501', pool.query(`truncate ${table}`));
    }
  }
});

test('every guard is set to fire always, whatever a session says of replication', async () => {
  const { rows } = await stage.db.query(
    `select t.tgrelid::regclass::text || ' ' || t.tgname as name
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace in ('docket'::regnamespace, 'docket_audit'::regnamespace)
       and not t.tgisinternal and t.tgenabled <> 'A'`,
  );
  assert.deepEqual(rows, []);
});

test('the same result brought again by the holder of the attempt is noted, not stored twice', async () => {
  const open = await stage.running();
  await stage.record(open, result({ warnings: ['smudge'] }));
  const owner = await createLogin(database, 'docket_evidence_owner');
  await owner.pool.query('select docket.release_quarantined(array[$1]::uuid[], $2)', [open.job_id, 'looked']);
  await stage.admit();
  await stage.verify(await stage.begin(open.job_id, 'hash'));
  await stage.record(await stage.begin(open.job_id, 'ocr'), result({ warnings: ['smudge'] }));
  const { rows } = await stage.db.query('select from docket.results where job_id = $1', [open.job_id]);
  assert.equal(rows.length, 1);
  assert.deepEqual((await stage.events(open.job_id)).slice(-2), ['result_duplicate', 'quarantined']);
});
