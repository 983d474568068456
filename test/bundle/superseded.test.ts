import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { readVerifierKey } from '../../src/domain/verifier-key.ts';
import type { BundleFiles } from '../../src/verify/bundle-files.ts';
import { verifyBundle } from '../../src/verify/verify-bundle.ts';
import { reading, RereadStage } from '../sql/reread-stage.ts';
import { createTestDatabase } from '../support/database.ts';
import { BundleStage, PAGES, read } from './bundle-stage.ts';

const database = await createTestDatabase();
const stage = await BundleStage.open(database);
const rereads = await RereadStage.around(stage.stage);
const { job, scan } = await stage.published();
assert.equal(await rereads.reread(job, { result: reading('Received in better order') }), 'superseded');
assert.equal(await rereads.reread(job, { result: reading('Received in best order') }), 'superseded');
const files = await read(await stage.bundle([job], { scan }));
const logKeys = [readVerifierKey(stage.signer.verifierKey)];

const { rows: told } = await stage.stage.db.query<{ seq: number; result: string }>(
  `select seq, detail::json ->> 'result_sha256' as result from docket_audit.events
   where job_id = $1 and event in ('published', 'superseded') order by seq`,
  [job],
);
const [first, second, third] = told as [(typeof told)[0], (typeof told)[0], (typeof told)[0]];

const sha256 = (bytes: Uint8Array | undefined) =>
  createHash('sha256')
    .update(bytes ?? '')
    .digest('hex');

function faults(bundle: BundleFiles): string[] {
  const { steps } = verifyBundle(bundle, { logKeys });
  return [...new Set(steps.filter(({ ok }) => ok === false).map(({ name }) => name))];
}

/** The bundle with some files of the document put in place of others; undefined: taken out. */
function altered(changes: Readonly<Record<string, Uint8Array | undefined>>): BundleFiles {
  const document = files.documents.get(job)!;
  const changed = new Map(document.files);
  for (const [name, bytes] of Object.entries(changes)) {
    if (bytes) changed.set(name, bytes);
    else changed.delete(name);
  }
  return { ...files, documents: new Map([[job, { ...document, files: changed }]]) };
}

const fileOf = (name: string) => files.documents.get(job)!.files.get(name);

test('a bundle holds the current result and each that was superseded, by the events that published them', () => {
  assert.equal(sha256(fileOf('result')), third.result);
  assert.equal(sha256(fileOf(`results/${first.seq}`)), first.result);
  assert.equal(sha256(fileOf(`results/${second.seq}`)), second.result);
  assert.equal(fileOf(`results/${third.seq}`), undefined);
  assert.equal(Buffer.from(fileOf('text/page-1.txt')!).toString(), 'Received in best order');
  assert.equal(fileOf('text/page-2.txt'), undefined, 'the superseded result had two pages');

  const verified = verifyBundle(files, { logKeys });
  assert.deepEqual(
    verified.steps.filter(({ ok, name }) => ok !== true && name !== 'receipt signature'),
    [],
  );
  const [document] = verified.documents;
  assert.deepEqual(
    document!.result!.pages.map(({ text }) => text),
    ['Received in best order'],
  );
  assert.deepEqual(
    document!.superseded.map((one) => [
      one.published.seq,
      one.superseded.seq,
      one.result!.pages.map(({ text }) => text),
    ]),
    [
      [first.seq, second.seq, PAGES],
      [second.seq, third.seq, ['Received in better order']],
    ],
  );
  assert.equal(document!.steps.filter(({ name }) => name === 'supersedes').length, 2);
});

test('a superseded result that is shown as the current one, or altered, is named', () => {
  const old = `results/${first.seq}`;
  assert.deepEqual(
    faults(
      altered({
        result: fileOf(old),
        'ocr-config.json': fileOf(`${old}.ocr-config.json`),
        'text/page-1.txt': Buffer.from(PAGES[0]!),
        'text/page-2.txt': Buffer.from(PAGES[1]!),
      }),
    ),
    ['result'],
  );
  const flipped = Buffer.from(fileOf(old)!);
  flipped[flipped.length - 3]! ^= 1;
  assert.deepEqual(faults(altered({ [old]: flipped })), ['result']);
  assert.deepEqual(faults(altered({ [`${old}.ocr-config.json`]: Buffer.from('{}') })), ['configuration']);
  assert.deepEqual(faults(altered({ [`results/${third.seq}`]: fileOf('result') })), ['files']);
});

test('a superseded result that is left out is said to be unchecked', () => {
  const old = `results/${first.seq}`;
  const without = altered({ [old]: undefined, [`${old}.ocr-config.json`]: undefined });
  const { steps, ok } = verifyBundle(without, { logKeys });
  assert.equal(ok, true);
  assert.ok(
    steps.some(
      (step) => step.ok === null && step.name === 'result' && step.item === `event ${first.seq} published`,
    ),
  );
});

test('a bundle that was covered before its document was superseded holds what was the result then', async () => {
  const { job: other } = await stage.published();
  const before = await read(await stage.bundle([other]));
  const size = before.documents.get(other)!.files.size;
  assert.equal(await rereads.reread(other, { result: reading('Received in better order') }), 'superseded');
  const { rows } = await stage.stage.db.query<{ size: string }>(
    'select max(size) as size from docket_audit.checkpoints',
  );
  const { rows: names } = await stage.anna.pool.query<{ name: string; sha256: string }>(
    `select name, encode(sha256(bytes), 'hex') as sha256 from docket.bundle_of($1, $2)`,
    [other, rows[0]!.size],
  );
  assert.equal(names.length, size);
  assert.equal(
    names.find(({ name }) => name === 'result')!.sha256,
    sha256(before.documents.get(other)!.files.get('result')),
  );
});
