import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eventHash } from '../../src/domain/event-hash.ts';
import { jobIdOf } from '../../src/domain/job-id.ts';
import { resultHash } from '../../src/domain/result-hash.ts';

test('an event hashes to the SHA-256 of the bytes that docs/audit-log.md lists, written out by hand', () => {
  const entry = [
    '00',
    '646f636b65742e6576656e742e310a', // docket.event.1\n
    '0102030405068708890a0b0c0d0e0f10',
    '00000002',
    '00000008',
    '6163636570746564', // accepted
    '00000007',
    '73746172746564', // started
    '00000007',
    '72756e6e696e67', // running
    '0000000000000001', // one microsecond after 2000-01-01
    '00000002',
    'c3a9', // é
    '00000003',
    '776879', // why
    'ffffffff', // no code
    '00000003',
    '00000002',
    '7b7d', // {}
    '00000002',
    'abcd',
  ].join('');

  const hash = eventHash({
    jobId: '01020304-0506-8708-890a-0b0c0d0e0f10',
    seq: 2,
    fromState: 'accepted',
    event: 'started',
    toState: 'running',
    atMicros: 1n,
    actor: 'é',
    reason: 'why',
    code: null,
    attempt: 3,
    detail: '{}',
    prev: Buffer.from('abcd', 'hex'),
  });

  assert.equal(hash.toString('hex'), createHash('sha256').update(Buffer.from(entry, 'hex')).digest('hex'));
});

test('a result hashes to the SHA-256 of the bytes that docs/audit-log.md lists, written out by hand', () => {
  const bytes = [
    '11'.repeat(32),
    '646f636b65742e726573756c742e310a', // docket.result.1\n
    '22'.repeat(32),
    '33'.repeat(32),
    '00000001',
    '00000001',
    '00000064',
    '000000c8',
    '00000004',
    '74657874', // text
    '00000002',
    '6869', // hi
    '00000002',
    '5b5d', // []
  ].join('');

  const hash = resultHash({
    salt: Buffer.alloc(32, 0x11),
    sha256: Buffer.alloc(32, 0x22),
    configSha256: Buffer.alloc(32, 0x33),
    pages: [{ pageNo: 1, widthPx: 100, heightPx: 200, verdict: 'text', text: 'hi', words: '[]' }],
  });

  assert.equal(hash.toString('hex'), createHash('sha256').update(Buffer.from(bytes, 'hex')).digest('hex'));
});

test('a job id keeps the hash but for the version 8 and variant bits', () => {
  assert.equal(jobIdOf(Buffer.alloc(32, 0xff)), 'ffffffff-ffff-8fff-bfff-ffffffffffff');
  assert.equal(jobIdOf(Buffer.alloc(32, 0x00)), '00000000-0000-8000-8000-000000000000');
});
