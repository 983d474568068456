import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptCopy } from '../../../src/cli/doctor/checkpoint-copies.ts';
import { copyFindings } from '../../../src/cli/doctor/checkpoint-copies.ts';
import { sealingFindings, signingFindings, signingStands } from '../../../src/cli/doctor/signing.ts';
import { verificationFindings } from '../../../src/cli/doctor/verification-findings.ts';
import { sealingFacts } from '../../../src/cli/sealing-facts.ts';
import { typedQueries } from '../../../src/cli/typed-queries.ts';
import * as commands from '../../../src/db/commands.ts';
import { createTestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { Stage } from '../../sql/stage.ts';

const db = await createTestDatabase();
const stage = await Stage.open(db);
const owner = db.pool();
const reader = typedQueries(owner);
const signing = async () => signingFindings(await signingStands(reader), { checkpointSeconds: 5 });

test('a log that is sealed and not signed is a problem once a checkpoint is overdue', async () => {
  assert.deepEqual(await signing(), [], 'nothing is sealed');
  await stage.deliver();
  await stage.admit();
  const size = await eventually('all is sealed', async () => {
    await commands.sealEvents(stage.worker, { limit: 1000 });
    const { rows } = await owner.query<{ size: number; events: number }>(
      `select coalesce(max(size), 0)::integer as size, (select count(*) from docket_audit.events)::integer as events
       from docket_audit.seals`,
    );
    return rows[0]!.size === rows[0]!.events && rows[0]!.size;
  });
  assert.deepEqual(sealingFindings(await sealingFacts(reader)), []);
  // Seals are append-only, for their owner too.
  await owner.query('alter table docket_audit.seals disable trigger user');
  await owner.query(`update docket_audit.seals set sealed_at = clock_timestamp() - interval '1 hour'`);
  const [finding, ...others] = await signing();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [finding!.severity, finding!.what],
    ['problem', `${size} events are sealed, and no checkpoint was ever signed`],
  );
  assert.match(finding!.remedy!, /DOCKET_LOG_KEY/);
});

test('what stalls sealing is told with the command that ends it', async () => {
  const facts = await sealingFacts(reader);
  const [stalled] = sealingFindings({ ...facts, code: 'SEAL_STALLED', remedy: 'docket worker' });
  assert.deepEqual([stalled!.what, stalled!.remedy], ['SEAL_STALLED: no worker seals', 'docket worker']);
  const [fork] = sealingFindings({ ...facts, checkpoint_fork: 'CHECKPOINT_FORK: another root' });
  assert.deepEqual([fork!.severity, fork!.what], ['problem', 'CHECKPOINT_FORK: another root']);
});

const copy = (changes: Partial<KeptCopy>): KeptCopy => ({
  place: 'host:/checkpoints',
  kind: 'file',
  size: 100,
  behindSince: null,
  behindSeconds: 0,
  failure: null,
  ...changes,
});
const told = (copies: KeptCopy[], sealed = 100) =>
  copyFindings({ sealed, copies }).map(({ severity, what }) => [severity, what.split(/[:,]/)[0]]);

test('where copies are, how old they are and what holds one alone is told of each', () => {
  const bucket = copy({ kind: 'bucket', place: 's3://far' });
  assert.deepEqual(told([]), [['problem', 'no copy of a checkpoint is kept outside the database']]);
  assert.deepEqual(told([], 0), [], 'there is nothing to keep yet');
  assert.deepEqual(told([copy({}), bucket]), [
    ['note', 'checkpoints outside'],
    ['note', 'checkpoints outside'],
  ]);
  const late = { behindSince: '2026-05-03T10:00:00Z', behindSeconds: 3_601 };
  assert.deepEqual(told([copy({}), { ...bucket, ...late }]), [
    ['note', 'checkpoints outside'],
    ['warning', 'the newest checkpoint in the bucket s3'],
  ]);
  assert.deepEqual(told([copy({}), { ...bucket, size: null, failure: 'no answer' }]), [
    ['warning', 'the bucket s3'],
    ['note', 'checkpoints outside'],
    ['warning', 'the only copy of checkpoints is a file on this host'],
  ]);
});

test('what failed to verify is a problem, and what did not is none', () => {
  const row = { checked: 'seals', checked_count: '9', first_offender: 'seal 3', expected: 'a', found: 'b' };
  const rows = [
    { ...row, failed_count: '0' },
    { ...row, checked: 'tiles', failed_count: '2' },
  ];
  assert.deepEqual(
    verificationFindings({ rows }).map(({ severity, what, consequence }) => [severity, what, consequence]),
    [['problem', 'tiles: 2 of 9 are not what they were, first seal 3', 'expected a, found b']],
  );
});
