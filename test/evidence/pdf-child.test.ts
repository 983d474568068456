import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { DocketError } from '../../src/errors.ts';
import { checkDocument } from '../../src/evidence/pdf/child/check-document.ts';
import { checkPdf } from '../../src/evidence/pdf/check-pdf.ts';
import { eventually } from '../support/eventually.ts';
import { AUTHORITY, OpensslAuthority, SIGNER } from './openssl-authority.ts';
import { CORPUS } from './signed-corpus.ts';
import { appendRevision, samplePdf, signPdf, streamOf } from './signed-pdf.ts';
import { trustOf } from './trust-of.ts';

const authority = new OpensslAuthority();
const root = authority.issue('root', { extensions: AUTHORITY, serial: 1 });
authority.issue('driver', { extensions: SIGNER, issuer: 'root', serial: 0x77 });
const anchor = { kind: 'certificate', pem: root, validUntil: new Date('2100-01-01') } as const;
const judgedAt = new Date();
const signed = signPdf(samplePdf(), { authority, signer: 'driver', field: 7, value: 8, fields: [7] });
authority.write('signed.pdf', signed);
const file = authority.path('signed.pdf');
/** A pipe into which nobody writes: who reads it waits for ever. */
const endless = authority.path('endless.pdf');
execFileSync('mkfifo', [endless]);

const never = (): AbortSignal => new AbortController().signal;
const hasCode = (code: string) => (error: unknown) => error instanceof DocketError && error.code === code;
const roomy = { memoryLimitMb: 1024, signal: never() };

/** Processes that read signed PDFs for this one. */
async function children(): Promise<number[]> {
  const pids = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).split(' ').map(Number);
  const lines = pids.map((pid) => [pid, commandOf(pid)] as const);
  return lines.filter(([, line]) => line.includes('pdf/child/main.ts')).map(([pid]) => pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

test('the child reports what the check itself reports, and writes nothing', async () => {
  const revoked = authority.revoke('root', [['77', '200101000000Z']]);
  for (const trust of [
    trustOf([anchor], { judgedAt }),
    trustOf([anchor], { judgedAt, revocationLists: [revoked] }),
    trustOf([{ ...anchor, validUntil: new Date('2001-01-01') }], { judgedAt }),
  ]) {
    assert.deepEqual(await checkPdf(file, trust, roomy), await checkDocument(file, trust, signed.length));
  }
  const [report] = await checkPdf(file, trustOf([anchor], { judgedAt, revocationLists: [revoked] }), roomy);
  assert.equal(report?.status, 'revoked');
  assert.deepEqual(await readFile(file), signed);
  assert.deepEqual(await children(), []);
});

test('a child that is not done in time is ended', async () => {
  await assert.rejects(
    checkPdf(endless, trustOf([]), { ...roomy, withinMs: 1000 }),
    hasCode('CHECK_TIMEOUT'),
  );
  assert.deepEqual(await children(), []);
});

test('a child that needs more memory than it may use is ended', async () => {
  await assert.rejects(
    checkPdf(file, trustOf([]), { ...roomy, memoryLimitMb: 20 }),
    (error) => hasCode('CHECK_CRASHED')(error) && (error as Error).message.includes('20 MiB'),
  );
});

test('a child that dies fails its document', async () => {
  const outcome = assert.rejects(checkPdf(endless, trustOf([]), roomy), hasCode('CHECK_CRASHED'));
  let pids: number[] = [];
  await eventually('there is a child', async () => (pids = await children()).length === 1);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await outcome;
});

test('an abort ends the child and throws what the signal says', async () => {
  const control = new AbortController();
  const reason = new Error('the worker is stopping');
  const outcome = assert.rejects(
    checkPdf(endless, trustOf([]), { ...roomy, signal: control.signal }),
    reason,
  );
  await eventually('there is a child', async () => (await children()).length === 1);
  control.abort(reason);
  await outcome;
  assert.deepEqual(await children(), []);
  await assert.rejects(checkPdf(file, trustOf([]), { ...roomy, signal: control.signal }), reason);
});

test('a file that is not there fails the check', async () => {
  await assert.rejects(checkPdf(`${file}.missing`, trustOf([]), roomy), hasCode('CHECK_CRASHED'));
});

test('a file that is larger than the memory allows is not read', async () => {
  const [report] = await checkDocument(file, trustOf([]), signed.length - 1);
  assert.deepEqual([report?.status, report?.findings], ['unsupported', ['PDF_TOO_LARGE']]);
});

test('what only makes work for a reader is given up', async () => {
  const check = async (bytes: Buffer): Promise<readonly (readonly [string, readonly string[]])[]> => {
    authority.write('hostile.pdf', bytes);
    const reports = await checkDocument(authority.path('hostile.pdf'), trustOf([]), bytes.length);
    return reports.map(({ status, findings }) => [status, findings]);
  };
  const marks = appendRevision(samplePdf(), { objects: { 9: streamOf('/ByteRange '.repeat(200_000)) } });
  assert.deepEqual(await check(marks), [['malformed', ['SIGNATURES_TOO_MANY']]]);
  const deep = appendRevision(samplePdf(), { objects: { 9: `${'['.repeat(300_000)}/ByteRange` } });
  assert.deepEqual(await check(deep), []);
  const loop = appendRevision(samplePdf(), {
    objects: { 9: '<< /ByteRange 9 0 R /Contents 9 0 R /Length 9 0 R >>' },
  });
  assert.deepEqual(await check(loop), [['malformed', ['BYTE_RANGE_INVALID']]]);
});

/** Signed by somebody, and damaged by a fuzzer since. */
const DAMAGED = ['pdf/poppler-395-0-fuzzed.pdf'];

test('no hostile PDF of the corpus is taken for well signed, or fails the check', async (t) => {
  const folder = join(CORPUS, 'hostile');
  if (!existsSync(folder)) {
    t.skip(`there is no corpus at ${CORPUS}; DOCKET_CORPUS says where it is`);
    return;
  }
  const names = await readdir(folder, { recursive: true });
  const pdfs = names.filter((name) => name.endsWith('.pdf'));
  assert.ok(pdfs.length > 10);
  for (const name of pdfs) {
    const reports = await checkDocument(join(folder, name), trustOf([]), 2 ** 30);
    const expected = DAMAGED.includes(name) ? ['invalid'] : [];
    assert.deepEqual(
      reports.map(({ status }) => status),
      expected,
      name,
    );
  }
});
