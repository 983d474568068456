import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SealingFacts } from '../../src/cli/sealing-facts.ts';
import { sealingLine } from '../../src/cli/sealing-facts.ts';

const WHOLE: SealingFacts = {
  size: 129,
  sealed_at: '2026-09-29 08:00:00+00',
  unsealed_events: 0,
  unsealed_seconds: null,
  code: null,
  blocker: null,
  remedy: null,
  checkpoint_size: 129,
  checkpoint_at: '2026-09-29 08:00:01+00',
};

test('a sealed log is told in one line, with its last checkpoint', () => {
  assert.equal(
    sealingLine(WHOLE),
    'Sealed: 129 events; nothing waits. The last checkpoint is of 129 leaves, 2026-09-29 08:00:01+00.',
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
