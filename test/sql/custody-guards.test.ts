import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { attempt, forge, POWERFUL } from './custody-forger.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';

const database = await createTestDatabase();
const custody = await CustodyStage.open(database);
const { anna, berta } = custody;

const secret = { signer: { name: 'Isolde' }, envelope: randomBytes(8) };
const kept = await custody.published(secret);
const gone = await custody.published(secret);
await commands.amendMetadata(anna.pool, {
  jobs: [kept.job, gone.job],
  documentKind: null,
  note: 'seen',
  reason: 'test',
});
await custody.dispose(gone.job);
const held = await custody.published();
await commands.placeHold(anna.pool, { jobs: [held.job], matter: 'A', reason: 'court' });
const asked = await custody.published();
await custody.request(asked.job);
const tenYears = await custody.published({
  documentKind: 'weighbridge_ticket',
  pages: ['Weighbridge ticket 4711: gross 12 t, tare 4 t'],
});

/** Statements that would destroy evidence past the commands, by the table they are about. */
const DESTROYING = [
  `delete from docket.pages where job_id = $1`,
  `update docket.pages set text = '' where job_id = $1`,
  `delete from docket.job_salts where job_id = $1`,
  `delete from docket.object_keys where job_id = $1`,
  `update docket.object_keys set sha256 = sha256('x') where job_id = $1`,
  `update docket.deliveries set signer = '{}' where job_id = $1`,
  `update docket.deliveries set envelope = null where job_id = $1`,
  `update docket.evidence set signer = '{}', envelope = null where job_id = $1`,
  `update docket.amendments set note = '' where job_id = $1`,
];

/** Statements that even the disposal of a document does not open the way to. */
const NEVER = [
  `delete from docket.deliveries where job_id = $1`,
  `delete from docket.evidence where job_id = $1`,
  `delete from docket.amendments where job_id = $1`,
  `delete from docket.results where job_id = $1`,
  `delete from docket_audit.events where job_id = $1`,
  `update docket.deliveries set signer = '{"name": "Somebody"}' where job_id = $1`,
  `update docket.deliveries set signer = '{}', locator = 'memory:other' where job_id = $1`,
  `update docket.evidence set signer = '{}', captured_at = now() where job_id = $1`,
  `update docket.evidence set envelope = '\\x00' where job_id = $1`,
  `update docket.amendments set note = 'never seen' where job_id = $1`,
  `update docket.amendments set note = '', amended_by = 'somebody' where job_id = $1`,
  `update docket.disposals set reason = 'other' where job_id = $1`,
  `update docket.disposals set decision = 'approved', decided_at = now(), decided_by = 'anna', decision_reason = '' where job_id = $1`,
  `update docket.disposals set outlived_at = now() where job_id = $1`,
  `delete from docket.disposals where job_id = $1`,
  `insert into docket.disposals (job_id, reason, requested_by, decision, decided_at, decided_by, decision_reason)
   values ($1, 'tidy', 'anna', 'withdrawn', now(), 'berta', 'tidy')`,
];

for (const [who, become] of Object.entries(POWERFUL)) {
  test(`${who} destroys nothing of a document without the events of a disposal`, async () => {
    for (const statement of DESTROYING) {
      const error = await refused(
        'ZD001',
        attempt(custody.db, become, (client) => client.query(statement, [kept.job])),
      );
      assert.match(error.message, /refused/, statement);
    }
    await refused(
      'ZD001',
      attempt(custody.db, become, (client) => client.query('delete from docket.pages')),
    );
    for (const table of [
      'pages',
      'job_salts',
      'object_keys',
      'disposals',
      'legal_holds',
      'amendments',
      'retention_rules',
    ])
      await refused(
        'ZD001',
        attempt(custody.db, become, (client) => client.query(`truncate docket.${table} cascade`)),
      );
  });

  test(`${who} changes nothing of a disposed document but what a disposal erases`, async () => {
    for (const statement of NEVER) {
      const act = attempt(custody.db, become, (client) => client.query(statement, [gone.job]));
      await assert.rejects(act, { code: 'ZD001' }, statement);
    }
  });

  test(`${who} lifts no hold, ends no retention and approves nothing by the tables alone`, async () => {
    for (const statement of [
      `update docket.legal_holds set lifted_at = now(), lifted_by = '${berta.name}', lift_reason = 'settled'`,
      `update docket.legal_holds set matter = 'B'`,
      `delete from docket.legal_holds`,
      `insert into docket.legal_holds (job_id, matter, reason, placed_by, lifted_at, lifted_by, lift_reason)
       select job_id, matter, reason, placed_by, now(), 'berta', 'settled' from docket.legal_holds`,
      `update docket.disposals set decision = 'approved', decided_at = now(), decided_by = '${berta.name}', decision_reason = 'agreed'
       where decision is null`,
      `delete from docket.retention_rules`,
      `update docket.retention_rules set retention = '1 second'`,
      `delete from docket.retention_extensions`,
    ]) {
      if (statement.includes('retention_extensions')) {
        await commands.extendRetention(anna.pool, {
          jobs: [tenYears.job],
          until: new Date(Date.now() + 20 * 366 * 86_400_000 + performance.now()).toISOString(),
          reason: 'claim',
        });
      }
      await assert.rejects(
        attempt(custody.db, become, (client) => client.query(statement)),
        { code: 'ZD001' },
        statement,
      );
    }
    for (const since of [`'-infinity'`, `'2026-01-01'`, `now() - interval '1 hour'`]) {
      await refused(
        'ZD037',
        attempt(custody.db, become, (client) =>
          client.query(
            `insert into docket.retention_rules (document_kind, since, retention, reason, set_by)
             values ('weighbridge_ticket', ${since}, '1 second', 'quick', 'x')`,
          ),
        ),
      );
    }
  });
}

test('what a disposal of one document opens is closed for all others in the same transaction', async () => {
  const client = await berta.pool.connect();
  const owner = await custody.db.connect();
  try {
    await owner.query('begin');
    await forge(owner, { job: asked.job, event: 'disposed' });
    await owner.query('delete from docket.pages where job_id = $1', [asked.job]);
    await refused('ZD001', owner.query('delete from docket.pages where job_id = $1', [kept.job]));
  } finally {
    await owner.query('rollback');
    owner.release();
    client.release();
  }
});

test('verification names a disposed document of which something was left, or that one person disposed of', async () => {
  assert.deepEqual(await custody.wrong(), []);
  const look = async (...statements: string[]) => {
    const client = await custody.db.connect();
    try {
      await client.query('begin');
      for (const statement of statements) await client.query(statement);
      const { rows } = await client.query<{ first_offender: string }>(
        `select first_offender from docket.verify_results() where checked = 'disposed documents' and failed_count > 0`,
      );
      return rows.map((row) => row.first_offender);
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const off = (table: string) => `alter table ${table} disable trigger user`;
  assert.deepEqual(await look(`insert into docket.job_salts values ('${gone.job}', sha256('x'))`), [
    `${gone.job}: salt`,
  ]);
  assert.deepEqual(
    await look(
      off('docket.evidence'),
      `update docket.evidence set signer = '{"name": "Isolde"}' where job_id = '${gone.job}'`,
    ),
    [`${gone.job}: evidence`],
  );
  assert.deepEqual(
    await look(
      off('docket_audit.events'),
      `update docket_audit.events set actor = upper('${berta.name}') where job_id = '${gone.job}' and event = 'disposal_requested'`,
    ),
    [`${gone.job}: no request by another person`],
  );
  // 'disposed' past the guards, with nothing destroyed
  const forged = `insert into docket_audit.events (job_id, seq, from_state, event, to_state, at, actor, reason, detail, prev, hash)
    select job_id, seq + 1, state, 'disposed', state, clock_timestamp(), 'x', 'x', '{}', head, sha256('x')
    from docket.jobs where job_id = '${kept.job}'`;
  assert.deepEqual(await look(off('docket_audit.events'), forged), [
    `${kept.job}: deliveries, evidence, keys, no approved request, no request by another person, notes, pages, redacted pages, salt, search`,
  ]);
});
