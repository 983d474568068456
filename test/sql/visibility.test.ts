import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin, type Login, type LoginGroup } from '../support/logins.ts';
import { asToken } from './as-token.ts';
import { FurtherStage } from './further-stage.ts';
import { refused } from './refused.ts';
import { randomHash } from './stage.ts';

const database = await createTestDatabase();
const further = await FurtherStage.open(database);
const { stage, other, third } = further;

const ofA = await analystOf('carrier-a');
const ofB = await analystOf('carrier-b');
const ofBoth = await analystOf('carrier-a', 'carrier-b');
const [operator, owner, auditor] = await Promise.all(
  (['docket_operator', 'docket_evidence_owner', 'docket_auditor'] as LoginGroup[]).map((group) =>
    createLogin(database, group),
  ),
);

async function analystOf(...sources: string[]): Promise<Login> {
  const login = await createLogin(database, 'docket_analyst');
  for (const sourceId of sources)
    await commands.addSourceReader(database.pool(), { sourceId, login: login.name });
  return login;
}

async function rows(login: { pool: pg.Pool } | undefined, text: string, values: unknown[] = []) {
  const result = await login!.pool.query<Record<string, unknown>>(text, values);
  return result.rows;
}

/** A published document of carrier-a that carrier-b delivered too, and was seen to have. */
async function shared(): Promise<string> {
  const sha256 = randomHash();
  const job = await stage.published({
    sha256,
    documentKind: 'unknown',
    capturedAt: '2026-01-02 03:04:05+00',
  });
  const delivery = await further.deliver(
    { sha256, locator: 'memory:b', documentKind: 'terms', capturedAt: '2026-05-06 07:08:09+00' },
    other,
  );
  await stage.admit();
  await further.claim();
  assert.deepEqual(await further.record({ [delivery]: null }), { [delivery]: 'verified' });
  return job;
}

test('a document of two sources is shown once to each, with what its own source states', async () => {
  const job = await shared();
  const query =
    'select source_id, document_kind, captured_at, state from docket_api.documents where document_id = $1';
  const a = { source_id: 'carrier-a', document_kind: 'unknown', captured_at: '2026-01-02 03:04:05+00' };
  const b = { source_id: 'carrier-b', document_kind: 'terms', captured_at: '2026-05-06 07:08:09+00' };
  assert.deepEqual(await rows(ofA, query, [job]), [{ ...a, state: 'published' }]);
  assert.deepEqual(await rows(ofB, query, [job]), [{ ...b, state: 'published' }]);
  assert.deepEqual(await rows(ofBoth, query, [job]), [{ ...a, state: 'published' }]);
  assert.deepEqual(await rows(auditor, query, [job]), [{ ...a, state: 'published' }]);
});

test('of a shared document each source sees its own delivery and not that of the other', async () => {
  const job = await shared();
  const query = `select source_id, is_verified, state from docket_api.submissions where document_id = $1 order by 1`;
  const [a, b] = ['carrier-a', 'carrier-b'].map((source) => ({
    source_id: source,
    is_verified: true,
    state: 'published',
  }));
  assert.deepEqual(await rows(ofA, query, [job]), [a]);
  assert.deepEqual(await rows(ofB, query, [job]), [b]);
  assert.deepEqual(await rows(ofBoth, query, [job]), [a, b]);
  assert.deepEqual(await rows(operator, query, [job]), [a, b]);
});

test('delivering a hash shows nothing of its document until the bytes were seen to match', async () => {
  const sha256 = randomHash();
  const job = await stage.published({ sha256 });
  await further.deliver({ sha256, locator: 'memory:guessed' }, third);
  await stage.admit();
  const ofC = await analystOf('carrier-c');
  for (const view of ['documents', 'events', 'results', 'pages']) {
    assert.deepEqual(
      await rows(ofC, `select document_id from docket_api.${view} where document_id = $1`, [job]),
      [],
      view,
    );
  }
  assert.deepEqual(
    await rows(ofC, 'select is_verified, state from docket_api.submissions where document_id = $1', [job]),
    [{ is_verified: false, state: null }],
  );
});

test('analysts read the course of a document without other deliveries, without gaps and without who delivered', async () => {
  const sha256 = randomHash();
  const job = await stage.verified({ sha256 });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await stage.record(await stage.begin(job, 'ocr'));
  await stage.publish(await stage.begin(job, 'publish'));
  await further.claim();
  await further.record({ [delivery]: null });

  const query = 'select seq, event, actor from docket_api.events where document_id = $1 order by seq';
  const course = [
    { event: 'accepted', actor: null },
    { event: 'admitted', actor: 'docket_worker' },
    { event: 'verified', actor: 'docket_worker' },
    { event: 'started', actor: 'docket_worker' },
    { event: 'extracted', actor: 'docket_worker' },
    { event: 'published', actor: 'docket_worker' },
  ];
  const numbered = (events: object[]) => events.map((event, index) => ({ seq: index + 1, ...event }));
  assert.deepEqual(await rows(ofA, query, [job]), numbered(course));
  assert.deepEqual(await rows(ofB, query, [job]), numbered(course));
  const whole = [
    { event: 'accepted', actor: stage.sender.name },
    ...course.slice(1, 3),
    { event: 'delivered_again', actor: 'docket_worker' },
    ...course.slice(3),
    { event: 'delivery_verified', actor: 'docket_worker' },
  ];
  for (const staff of [operator, owner, auditor]) {
    assert.deepEqual(await rows(staff, query, [job]), numbered(whole));
  }
});

test('every event of the machine is either shown to analysts or known to be none of theirs', async () => {
  const hidden = [
    'delivered_again',
    'redelivered',
    'delivery_verified',
    'delivery_refused',
    'envelope_checked',
    'unmask_requested',
    'hold_placed',
    'hold_lifted',
    'retention_extended',
    'retention_ended',
    'metadata_amended',
    'disposal_requested',
    'disposal_withdrawn',
    'disposed',
    'object_removed',
    'object_kept',
    'text_read',
    'original_read',
    'reference_refused',
    'replay_passed',
    'replay_failed',
    'reread_ordered',
    'reread_ended',
    'recovery_declared',
    'prioritised',
    'controls_changed',
    'controls_restored',
    'admission_closed',
    'ocr_recalled',
    'ocr_version_added',
    'outage_began',
    'outage_ended',
    'rollback_advanced',
    'rollback_failed',
    'rollback_ordered',
    'rollback_pushed',
    'rollback_triggered',
  ];
  const [policy] = await rows(
    { pool: stage.db },
    `select pg_get_expr(polqual, polrelid) as shown from pg_policy where polname = 'events__of_visible_documents'`,
  );
  const events = await rows(
    { pool: stage.db },
    'select distinct event from docket.job_transitions order by 1',
  );
  const shown = new Set(
    String(policy?.['shown'])
      .match(/'\w+'/g)
      ?.map((name) => name.slice(1, -1)),
  );
  const left = events.map((row) => String(row['event'])).filter((event) => !shown.has(event));
  assert.deepEqual(left, hidden.sort());
});

test('a scan that was never verified is a job to the staff of its source, and no document to anybody', async () => {
  const job = await stage.deliver();
  for (const login of [ofA, ofBoth, owner, auditor]) {
    assert.deepEqual(await rows(login, 'select from docket_api.documents where document_id = $1', [job]), []);
  }
  assert.deepEqual(await rows(ofA, 'select from docket_api.events where document_id = $1', [job]), []);
  const query = 'select state from docket_api.jobs where job_id = $1';
  for (const staff of [operator, owner, auditor]) {
    assert.deepEqual(await rows(staff, query, [job]), [{ state: 'accepted' }]);
  }
  const bound = async (source: string) =>
    (await asToken(database, { role: 'operator', sources: [source] }, query, [job])).rowCount;
  assert.equal(await bound('carrier-a'), 1);
  assert.equal(await bound('carrier-b'), 0);
});

test('who delivered a hash first, but never its bytes, does not see the document that another source made of it', async () => {
  const sha256 = randomHash();
  const job = await stage.deliver({ sha256, locator: 'memory:nothing-there' });
  const delivery = await further.deliver({ sha256, locator: 'memory:b' }, other);
  await stage.admit();
  await stage.verify(await stage.begin(job, 'hash'), Number(delivery));
  await stage.record(await stage.begin(job, 'ocr'));
  assert.equal((await stage.job(job))['source_id'], 'carrier-a');
  assert.deepEqual(await rows(ofA, 'select from docket_api.documents where document_id = $1', [job]), []);
  assert.equal((await rows(ofB, 'select from docket_api.documents where document_id = $1', [job])).length, 1);
  for (const role of ['operator', 'evidence_owner', 'auditor'] as const) {
    for (const [view, key] of [
      ['jobs', 'job_id'],
      ['attempts', 'job_id'],
      ['events', 'document_id'],
    ] as const) {
      const count = async (source: string) =>
        (
          await asToken(
            database,
            { role, sources: [source] },
            `select from docket_api.${view} where ${key} = $1`,
            [job],
          )
        ).rowCount;
      assert.equal(await count('carrier-a'), 0, `${role} ${view}`);
      assert.ok(await count('carrier-b'), `${role} ${view}`);
    }
  }
  assert.deepEqual(
    await rows(ofA, 'select state from docket_api.submissions where document_id = $1', [job]),
    [{ state: null }],
  );
});

test('people see the sources that are theirs, the notes of operators only as staff', async () => {
  await stage.db.query(`update docket.sources set note = 'pays late' where source_id = 'carrier-b'`);
  const names = async (login: Login | undefined) =>
    (await rows(login, 'select source_id from docket_api.sources order by 1')).map((row) => row['source_id']);
  assert.deepEqual(await names(ofA), ['carrier-a']);
  assert.deepEqual(await names(ofBoth), ['carrier-a', 'carrier-b']);
  assert.deepEqual(await names(operator), ['carrier-a', 'carrier-b', 'carrier-c']);
  const note = `select note from docket_api.sources where source_id = 'carrier-b'`;
  await refused('42501', rows(ofB, note));
  assert.deepEqual(await rows(operator, note), [{ note: 'pays late' }]);
  const { rows: none } = await asToken(database, { role: 'operator', sources: ['carrier-a'] }, note);
  assert.deepEqual(none, []);
});

test('whoever audits with a login of his own reads every row of every table', async () => {
  const tables = await rows(
    { pool: stage.db },
    `select oid::regclass::text as name from pg_class where relrowsecurity and relowner = 'docket_owner'::regrole order by 1`,
  );
  assert.deepEqual(
    tables.map((row) => row['name']),
    [
      'docket.amendments',
      'docket.attempts',
      'docket.disposals',
      'docket.disputed_documents',
      'docket.document_sources',
      'docket.evidence',
      'docket.jobs',
      'docket.legal_holds',
      'docket.receipts',
      'docket.redacted_pages',
      'docket.redaction_todo',
      'docket.redactions',
      'docket.results',
      'docket.retention_extensions',
      'docket.signatures',
      'docket.sources',
      'docket.unmask_requests',
      'docket_audit.events',
    ],
  );
  await rows(ofA, `select docket_api.request_unmask($1, 1, 'why')`, [await stage.published()]);
  for (const { name } of tables) {
    const count = `select count(*) from ${String(name)}`;
    assert.deepEqual(await rows(auditor, count), await rows({ pool: stage.db }, count), String(name));
  }
});
