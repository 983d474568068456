import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Verified } from '../../src/attempts/attempt-commands.ts';
import type { Attempt, Candidate } from '../../src/attempts/attempt.ts';
import type { TaskContext } from '../../src/attempts/define-task.ts';
import { DocketError } from '../../src/errors.ts';
import { createMemoryStore } from '../../src/store/memory-store.ts';
import type { ScanReader } from '../../src/sealing/scan-reader.ts';
import type { ObjectStore } from '../../src/store/store.ts';
import hash from '../../src/tasks/hash.ts';
import { NO_TRACE } from '../../src/traces.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const scan = Buffer.concat([PNG, Buffer.alloc(200_000, 'scan')]);
const store = createMemoryStore();

async function stored(bytes: Buffer): Promise<Candidate> {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield await Promise.resolve(bytes);
  }
  const { locator, sizeBytes } = await store.put(pieces());
  return {
    deliveryId: '0',
    locator,
    version: null,
    sizeBytes,
    documentKind: 'unknown',
    hasEnvelope: false,
    encryption: 'none',
    sourceId: 'carrier-a',
    sha256: createHash('sha256').update(scan).digest(),
    objectKey: null,
    isForeign: false,
  };
}

const right = await stored(scan);
const otherBytes = { ...(await stored(Buffer.alloc(scan.length, 'x'))), deliveryId: '1' };
const otherSize = { ...(await stored(Buffer.from('short'))), sizeBytes: scan.length, deliveryId: '2' };
const longer = { ...right, sizeBytes: scan.length - 1, deliveryId: '3' };
const missing = { ...right, locator: `memory:${'0'.repeat(64)}`, deliveryId: '4' };
const misnamed = { ...right, locator: 'ftp://host/scan', deliveryId: '5' };
const unavailable = { ...right, locator: 'memory:unavailable', deliveryId: '6' };
const denied = { ...right, locator: 'memory:denied', deliveryId: '7' };

const failing: ObjectStore = {
  ...store,
  get(reference, options) {
    const code = { 'memory:unavailable': 'STORE_UNAVAILABLE', 'memory:denied': 'STORE_DENIED' }[
      reference.locator
    ];
    return code === undefined
      ? store.get(reference, options)
      : Promise.reject(new DocketError(code, 'as told'));
  },
};

/** Runs the task on candidates; returns what it recorded. */
async function run(
  candidates: Candidate[],
  { bytes = scan, signal = new AbortController().signal }: { bytes?: Buffer; signal?: AbortSignal } = {},
): Promise<Verified> {
  const recorded: Verified[] = [];
  const sha256 = createHash('sha256').update(bytes).digest();
  const attempt: Attempt = {
    jobId: 'a job',
    attempt: 1,
    token: 'a token',
    sha256,
    candidates: candidates.map((candidate) => ({ ...candidate, sha256 })),
    remainingMs: () => 1000,
  };
  const commands = {
    recordVerified(_of: Attempt, found: Verified) {
      recorded.push(found);
      return Promise.resolve({ outcome: 'verified' });
    },
  };
  const scans: ScanReader = { open: (place, options) => failing.get(place, options) };
  const outcome = await hash.run(attempt, {
    scans,
    commands,
    signal,
    trace: NO_TRACE,
  } as unknown as TaskContext);
  assert.deepEqual(outcome, { outcome: 'verified' });
  assert.equal(recorded.length, 1);
  return recorded[0]!;
}

test('the first candidate whose bytes match is recorded, with the media type that was seen in them', async () => {
  const found = await run([
    missing,
    misnamed,
    otherBytes,
    otherSize,
    longer,
    unavailable,
    { ...right, deliveryId: '8' },
    right,
  ]);
  assert.deepEqual(found, { deliveryId: '8', mediaType: 'image/png', signatures: null });
});

for (const [name, candidates, code] of [
  ['one that may pass outweighs all others', [otherBytes, missing, unavailable, denied], 'STORE_UNAVAILABLE'],
  ['other bytes outweigh another size', [otherSize, otherBytes, missing], 'HASH_MISMATCH'],
  ['another size outweighs absence', [missing, otherSize], 'SIZE_MISMATCH'],
  ['an object longer than stated has another size', [longer], 'SIZE_MISMATCH'],
  ['absence, which is tried again, outweighs refusal', [denied, missing, misnamed], 'OBJECT_NOT_FOUND'],
  ['refusal outweighs a wrong name', [misnamed, denied], 'STORE_DENIED'],
  ['a wrong name alone', [misnamed], 'LOCATOR_INVALID'],
  ['no candidate at all is a fault of ours', [], 'INTERNAL_ERROR'],
] satisfies [string, Candidate[], string][]) {
  test(`when no candidate matches, ${name}: ${code}`, async () => {
    await assert.rejects(run(candidates), { code });
  });
}

test('the right bytes in a format that is not read fail with the code of the format, whatever follows', async () => {
  const gif = Buffer.from('GIF89a and more');
  const text = Buffer.from('only words');
  await assert.rejects(run([await stored(gif), right], { bytes: gif }), { code: 'UNSUPPORTED_FORMAT' });
  await assert.rejects(run([await stored(text)], { bytes: text }), { code: 'UNKNOWN_FORMAT' });
  await assert.rejects(run([await stored(Buffer.alloc(0))], { bytes: Buffer.alloc(0) }), {
    code: 'EMPTY_OBJECT',
  });
});

test('an abort ends the task with its reason, and no further candidate is tried', async () => {
  const reason = new DocketError('WORKER_STOPPING', 'stop');
  await assert.rejects(run([right], { signal: AbortSignal.abort(reason) }), (error) => error === reason);
});
