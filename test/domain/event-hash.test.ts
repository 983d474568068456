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
    '0000000000000001', // one microsecond after 2000-01-01
    '00000003',
    // lengths
    '00000008',
    '00000007',
    '00000007',
    '00000002',
    '00000003',
    'ffffffff', // no code
    '00000002',
    '00000002',
    // contents
    '6163636570746564', // accepted
    '73746172746564', // started
    '72756e6e696e67', // running
    'c3a9', // é
    '776879', // why
    '7b7d', // {}
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
    '00000002', // declared
    '00000001', // decoded
    '00000001',
    '00000003',
    '637263', // crc
    '00000001', // one page
    '00000001',
    '00000064',
    '000000c8',
    '43960000', // 300.0
    '0000005a', // 90
    'bfc00000', // -1.5
    '42bb0000', // 93.5
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
    pagesDeclared: 2,
    pagesDecoded: 1,
    warnings: ['crc'],
    pages: [
      {
        pageNo: 1,
        widthPx: 100,
        heightPx: 200,
        dpi: 300,
        rotationDegrees: 90,
        angleDegrees: -1.5,
        confidence: 93.5,
        verdict: 'text',
        text: 'hi',
        words: '[]',
      },
    ],
  });

  assert.equal(hash.toString('hex'), createHash('sha256').update(Buffer.from(bytes, 'hex')).digest('hex'));
});

test('a job id is the hash of the hash, but for the version 8 and variant bits', () => {
  // printf '%064d' 0 | xxd -r -p | sha256sum: 66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925
  assert.equal(jobIdOf(Buffer.alloc(32)), '66687aad-f862-8d77-ac8f-c18b8e9f8e20');
});
