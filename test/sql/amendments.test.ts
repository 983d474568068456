import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { createTestDatabase } from '../support/database.ts';
import { asToken } from './as-token.ts';
import { CustodyStage } from './custody-stage.ts';
import { refused } from './refused.ts';
import { page, result } from './stage.ts';

const database = await createTestDatabase();
const NOBODY = '00000000-0000-8000-8000-000000000000';

let custody: CustodyStage;

before(async () => {
  custody = await CustodyStage.open(database);
});

interface Amendment {
  kind?: string;
  note?: string;
  reason?: string;
}

const amend = (jobs: string[], { kind, note, reason = 'seen on the paper' }: Amendment, by = custody.anna) =>
  commands.amendMetadata(by.pool, { jobs, documentKind: kind ?? null, note: note ?? null, reason });

async function one(query: string, values: unknown[]): Promise<Record<string, unknown>> {
  return (await custody.db.query<Record<string, unknown>>(query, values)).rows[0]!;
}

test('an amendment is an event beside what was stated, which stays as it is', async () => {
  const { job } = await custody.published();
  const stated = () =>
    one(
      `select to_jsonb(d) as delivery, to_jsonb(e) as evidence, to_jsonb(s) as source
       from docket.deliveries d join docket.evidence e using (delivery_id)
       join docket.document_sources s on s.delivery_id = d.delivery_id where d.job_id = $1`,
      [job],
    );
  const before = await stated();
  assert.deepEqual(await amend([job], { kind: 'cmr_note', note: ' found in a drawer ' }), [{ job_id: job }]);
  assert.deepEqual(await stated(), before);

  const { event, actor, reason, detail, seq } = await custody.further.stage.lastEvent(job);
  assert.deepEqual([event, actor, reason], ['metadata_amended', custody.anna.name, 'seen on the paper']);
  const { salt } = await one('select salt from docket.job_salts where job_id = $1', [job]);
  const hash = createHash('sha256')
    .update(salt as Buffer)
    .update('docket.note.1\n')
    .update('found in a drawer');
  assert.deepEqual(detail, { document_kind: 'cmr_note', has_note: true, note_sha256: hash.digest('hex') });
  assert.deepEqual(
    await one(
      'select seq, document_kind, note, reason, amended_by from docket.amendments where job_id = $1',
      [job],
    ),
    {
      seq,
      document_kind: 'cmr_note',
      note: 'found in a drawer',
      reason: 'seen on the paper',
      amended_by: custody.anna.name,
    },
  );
  const custodyRow = await custody.custody(job);
  assert.deepEqual([custodyRow['amended_kind'], custodyRow['note']], ['cmr_note', 'found in a drawer']);
  assert.deepEqual(await custody.wrong(), []);
});

test('the gates apply the kind that a document was amended to, when it is recognised again', async () => {
  const { stage } = custody.further;
  const open = await stage.running({ documentKind: 'terms' });
  const text = result({ pages: [page('Received in good order')] });
  await stage.record(open, text);
  assert.equal((await stage.job(open.job_id))['last_code'], 'VALIDATION_REJECTED');

  await amend([open.job_id], { kind: 'unknown' });
  await commands.releaseQuarantined(custody.anna.pool, { jobs: [open.job_id], reason: 'it is no contract' });
  await stage.admit();
  await stage.verify(await stage.begin(open.job_id, 'hash'));
  await stage.record(
    await stage.begin(open.job_id, 'ocr'),
    result({ pages: [page('Received in good order.')] }),
  );
  assert.equal((await stage.job(open.job_id))['state'], 'validated');
});

test('a published document of another kind is withheld until the rules have redacted it anew', async () => {
  const { job } = await custody.published();
  const ann = { role: 'analyst', sources: ['carrier-a'] } as const;
  const shown = async () => {
    const [document] = (
      await asToken(
        database,
        ann,
        'select document_kind, amended_kind, is_withheld from docket_api.documents where document_id = $1',
        [job],
      )
    ).rows as [Record<string, unknown>];
    const pages = await asToken(
      database,
      ann,
      'select page_no from docket_api.pages where document_id = $1',
      [job],
    );
    return { ...document, is_withheld: document['is_withheld'], pages: pages.rows.length };
  };
  assert.deepEqual(await shown(), {
    document_kind: 'unknown',
    amended_kind: null,
    is_withheld: false,
    pages: 1,
  });
  await amend([job], { note: 'no other kind' });
  assert.equal((await shown()).is_withheld, false);
  await amend([job], { kind: 'cmr_note' });
  assert.deepEqual(await shown(), {
    document_kind: 'unknown',
    amended_kind: 'cmr_note',
    is_withheld: true,
    pages: 0,
  });
  const { worker } = custody.further.stage;
  const due = await commands.claimRedactions(worker, { limit: 10, bytes: 1_000_000 });
  const [claimed] = due.filter((row) => row.job_id === job);
  assert.equal(claimed!.document_kind, 'cmr_note');
  await commands.recordRedactions(worker, {
    ruleSets: [claimed!.rule_set_id],
    jobs: [job],
    attempts: [claimed!.attempt],
    pageNos: [1],
    texts: [claimed!.text],
    words: ['[]'],
    masks: ['[]'],
  });
  assert.deepEqual([(await shown()).is_withheld, (await shown()).pages], [false, 1]);
});

test('an amendment never shortens retention', async () => {
  const { job } = await custody.published();
  const before = String((await custody.custody(job))['retain_until']);
  await amend([job], { kind: 'cmr_note' });
  const longer = String((await custody.custody(job))['retain_until']);
  assert.ok(longer > before, `${longer} > ${before}`);
  await amend([job], { kind: 'unknown' });
  assert.equal(String((await custody.custody(job))['retain_until']), longer);
});

test('all documents are amended or none, each for a reason and by something new', async () => {
  const { job } = await custody.published();
  const { job: second } = await custody.quarantined();
  const disposed = (await custody.published()).job;
  await custody.dispose(disposed);
  const before = await custody.further.stage.events(job);
  await refused('ZD039', amend([job], {}));
  await refused('ZD039', amend([job], { note: '   ' }));
  await refused('ZD039', amend([job], { kind: 'unknown' }));
  await refused('ZD039', amend([job], { note: 'x'.repeat(4001) }));
  await refused('ZD015', amend([job], { kind: 'poem' }));
  await refused('ZD021', amend([job], { note: 'n', reason: ' ' }));
  await refused('ZD020', amend([job, NOBODY], { note: 'n' }));
  await refused('ZD030', amend([job, disposed], { note: 'n' }));
  await refused('42501', amend([job], { note: 'n' }, custody.further.stage.sender));
  assert.deepEqual(await custody.further.stage.events(job), before);

  assert.equal((await amend([job, second, job], { note: 'both of one lorry' })).length, 2);
  const { detail } = await custody.further.stage.lastEvent(second);
  // never verified: there is no salt to hide a note behind
  assert.deepEqual(detail, { document_kind: null, has_note: true, note_sha256: null });
});

test('amendments are kept: they are neither changed nor removed', async () => {
  const { job } = await custody.published();
  await amend([job], { note: 'kept' });
  for (const act of [
    `update docket.amendments set note = 'other' where job_id = $1`,
    `update docket.amendments set note = '' where job_id = $1`,
    'delete from docket.amendments where job_id = $1',
  ]) {
    await refused('ZD001', custody.db.query(act, [job]));
  }
});

test('a changed note, kind or author is found by whoever verifies, and so is an amendment without its event', async () => {
  const { job } = await custody.published();
  await amend([job], { kind: 'cmr_note', note: 'from the archive' });
  const tampers = [
    `update docket.amendments set note = 'from the cellar' where job_id = $1`,
    `update docket.amendments set document_kind = 'terms' where job_id = $1`,
    `update docket.amendments set amended_by = 'nobody' where job_id = $1`,
    'delete from docket.amendments where job_id = $1',
    `insert into docket.amendments (job_id, seq, note, reason, amended_by) values ($1, 1, 'n', 'r', 'nobody')`,
  ];
  for (const tamper of tampers) {
    const client = await custody.db.connect();
    try {
      await client.query('begin');
      await client.query('alter table docket.amendments disable trigger all');
      await client.query(tamper, [job]);
      const { rows } = await client.query<{ first_offender: string }>(
        `select first_offender from docket.verify_results() where checked = 'amendments' and failed_count > 0`,
      );
      assert.deepEqual(rows, [{ first_offender: job }], tamper);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }
});
