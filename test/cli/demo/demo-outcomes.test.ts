import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DemoOutcome } from '../../../src/cli/demo/demo-outcomes.ts';
import { surprises } from '../../../src/cli/demo/demo-outcomes.ts';

function outcome(change: Partial<DemoOutcome>): DemoOutcome {
  return {
    file: 'a.png',
    path: 'a.png',
    sourceId: 'local',
    kind: 'unknown',
    deliveryId: '1',
    jobId: 'job-a',
    stored: {
      locator: 'file:aa/aa',
      version: null,
      sha256: Buffer.alloc(32),
      sizeBytes: 1,
      mediaType: 'image/png',
      modifiedAt: new Date(0),
    },
    state: 'published',
    code: null,
    duplicateOf: null,
    mediaType: 'image/png',
    pageCount: 1,
    confidence: 90,
    isDisputed: false,
    firstWords: '',
    resultSha256: null,
    configSha256: null,
    engine: null,
    message: null,
    standing: 'received',
    statement: 'Bytes received. It has no signature.',
    receipt: null,
    ...change,
  };
}

test('outcomes that are as expected are no surprise, and own files never are', () => {
  const outcomes = [
    outcome({ expected: { state: 'published' } }),
    outcome({ file: 'b', expected: { state: 'duplicate', of: 'a.png' } }),
    outcome({
      file: 'c',
      state: 'quarantined',
      code: 'TRUNCATED',
      expected: { state: 'quarantined', code: 'TRUNCATED' },
    }),
    outcome({ file: 'd', state: 'quarantined', code: 'CORRUPT' }),
  ];
  assert.deepEqual(surprises(outcomes), []);
});

test('each outcome that differs is told with what was expected', () => {
  const outcomes = [
    outcome({ state: 'quarantined', code: 'CORRUPT', expected: { state: 'published' } }),
    outcome({ file: 'b', jobId: 'job-b', expected: { state: 'duplicate', of: 'a.png' } }),
    outcome({
      file: 'c',
      state: 'quarantined',
      code: 'CORRUPT',
      expected: { state: 'quarantined', code: 'TRUNCATED' },
    }),
  ];
  assert.deepEqual(surprises(outcomes), [
    'a.png is quarantined, CORRUPT; expected published',
    'b is not the document of a.png',
    'c is quarantined, CORRUPT; expected quarantined, TRUNCATED',
  ]);
});
