import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SealingFacts } from '../../src/cli/sealing-facts.ts';
import { sealingLine } from '../../src/cli/sealing-facts.ts';

const WHOLE: SealingFacts = {
  size: 129,
  sealed_at: '2026-09-29T08:00:00Z',
  unsealed_events: 0,
  unsealed_seconds: null,
  code: null,
  blocker: null,
  remedy: null,
  checkpoint_size: 129,
  checkpoint_at: '2026-09-29T08:00:01Z',
  checkpoint_fork: null,
};

test('a sealed log is told in one line, with its last checkpoint', () => {
  assert.equal(
    sealingLine(WHOLE),
    'Sealed: 129 events; nothing waits. The last checkpoint is of 129 leaves, 2026-09-29T08:00:01Z.',
  );
  assert.match(sealingLine({ ...WHOLE, checkpoint_size: null }), /No checkpoint was signed yet\.$/);
});

test('what stalls sealing is named with the command that ends it', () => {
  const stalled = { ...WHOLE, unsealed_events: 7, unsealed_seconds: 61.4, code: 'SEAL_STALLED' };
  const blocker = 'process 4711 in database "other"';
  const remedy = 'select pg_terminate_backend(4711)';
  assert.match(
    sealingLine({ ...stalled, blocker, remedy }),
    /7 more wait, the oldest for 61 s\..*\nSEAL_STALLED: process 4711 in database "other"\n {2}end it by: select pg_terminate_backend\(4711\)$/,
  );
  assert.match(sealingLine({ ...stalled, remedy: 'docket worker' }), /\nSEAL_STALLED: no worker seals\n/);
});

test('a checkpoint outside that counts other leaves is told, and where it says what to do', () => {
  const checkpoint_fork =
    'CHECKPOINT_FORK: one with 183 leaves was signed, and the database has sealed only 177';
  assert.match(
    sealingLine({ ...WHOLE, checkpoint_fork }),
    /\nCHECKPOINT_FORK: .* only 177\n {2}no checkpoint is signed .*: docs\/checkpoints\.md/,
  );
});
