import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { test } from 'node:test';
import * as commands from '../../src/db/commands.ts';
import { readCheckpoint } from '../../src/domain/checkpoint.ts';
import { readVerifierKey } from '../../src/domain/verifier-key.ts';
import { readReceiptKeys } from '../../src/verify/receipt-keys.ts';
import { verifyBundle } from '../../src/verify/verify-bundle.ts';
import { refused } from '../sql/refused.ts';
import { createTestDatabase } from '../support/database.ts';
import { createLogin } from '../support/logins.ts';
import { BundleStage, ENVELOPE, PAGES, read } from './bundle-stage.ts';

const database = await createTestDatabase();
const stage = await BundleStage.open(database);
const { job, scan } = await stage.published();
const second = await stage.published();
const file = await stage.bundle([job], { scan });

const logKeys = [readVerifierKey(stage.signer.verifierKey)];

test('a bundle holds everything that the log names hashes of, and verifies by the key of the log', async () => {
  const receiptKeys = readReceiptKeys(await stage.receiptKeys());
  const verified = verifyBundle(await read(file), { logKeys, receiptKeys });
  assert.deepEqual(
    verified.steps.filter(({ ok }) => ok !== true),
    [],
  );
  assert.equal(verified.trust, 'key');
  const [document] = verified.documents;
  const { rows } = await stage.stage.db.query<{ seq: number; event: string; hash: string }>(
    `select seq, event, encode(hash, 'hex') as hash from docket_audit.events where job_id = $1 order by seq`,
    [job],
  );
  assert.deepEqual(
    document!.events.map(({ seq, event, hash }) => ({ seq, event, hash })),
    rows,
  );
  assert.deepEqual(
    document!.result!.pages.map(({ text, words }) => [text, JSON.parse(words) as unknown]),
    PAGES.map((text) => [text, [[text, 90, 1, 2, 30, 40]]]),
  );
  assert.deepEqual(
    [...document!.packets.values()].map(({ sourceId, envelope }) => [
      sourceId,
      envelope && Buffer.from(envelope).toString(),
    ]),
    [
      ['carrier-a', ENVELOPE.toString()],
      ['carrier-b', null],
    ],
  );
  assert.deepEqual(
    document!.reports.flatMap(({ signatures }) =>
      signatures.map(({ report }) => (JSON.parse(report) as { signer: string }).signer),
    ),
    ['CN=Déjà', 'CN=Déjà'],
  );
  assert.ok(document!.receipts.length >= 3);
  const names = new Set(verified.steps.map(({ name }) => name));
  for (const name of [
    'note',
    'envelope',
    'receipt signature',
    'original',
    'text',
    'inclusion',
    'signature report',
  ]) {
    assert.ok(names.has(name), name);
  }
});

test('that a bundle is made is recorded with its reason and its reader, and is in the bundle itself', async () => {
  const { documents } = verifyBundle(await read(file));
  assert.deepEqual(
    documents[0]!.events.slice(-2).map(({ event, actor, reason }) => [event, actor, reason]),
    [
      ['text_read', stage.anna.name, 'claim 4711'],
      ['original_read', stage.anna.name, 'claim 4711'],
    ],
  );
});

test('without a key a bundle agrees with itself and no more; by another key it is refused; a kept checkpoint will do', async () => {
  const files = await read(file);
  assert.equal(verifyBundle(files).trust, 'self-consistent');
  assert.equal(verifyBundle(files).ok, true);
  const other = { ...logKeys[0]!, publicKey: Buffer.alloc(32, 9) };
  assert.equal(verifyBundle(files, { logKeys: [other] }).ok, false);
  const kept = readCheckpoint(files.files.get('checkpoint')!);
  assert.equal(verifyBundle(files, { checkpoints: [kept] }).trust, 'checkpoint');
  const fork = { ...kept, root: Buffer.alloc(32) };
  const forked = verifyBundle(files, { logKeys, checkpoints: [kept, fork] });
  assert.deepEqual(
    forked.steps.filter(({ ok }) => ok === false).map(({ name }) => name),
    ['kept checkpoint'],
  );
});

test('the programs of others can unpack it, and its owner alone can read it', async () => {
  const listed = spawnSync('tar', ['-tf', file], { encoding: 'utf8' });
  assert.equal(listed.status, 0, listed.stderr);
  assert.deepEqual(listed.stdout.split('\n').slice(0, 4), [
    'bundle.json',
    'checkpoint',
    `documents/${job}/events/1.leaf`,
    `documents/${job}/events/1.tlog-proof`,
  ]);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const unpacked = spawnSync('tar', ['-xOf', file, `documents/${job}/original.png`]);
  assert.ok(unpacked.stdout.equals(scan));
});

test('several documents share one checkpoint; scans that nobody asked for are said to be missing', async () => {
  const verified = verifyBundle(await read(await stage.bundle([job, second.job])), { logKeys });
  assert.equal(verified.ok, true);
  assert.deepEqual(
    verified.documents.map(({ jobId }) => jobId),
    [job, second.job],
  );
  assert.deepEqual(
    verified.steps.filter(({ name }) => name === 'original').map(({ ok, remark }) => [ok, remark]),
    [
      [null, 'it is not in the bundle'],
      [null, 'it is not in the bundle'],
    ],
  );
});

test('an auditor may make one, and a document that has no text yet has one', async () => {
  const auditor = await createLogin(database, 'docket_auditor');
  const waiting = await stage.stage.deliver();
  const verified = verifyBundle(await read(await stage.bundle([waiting], { by: auditor })), { logKeys });
  assert.deepEqual([verified.ok, verified.trust, verified.documents[0]!.state], [true, 'key', 'accepted']);
});

test('what no checkpoint covers is not bundled', async () => {
  await assert.rejects(stage.bundle([job], { waitMs: 0 }), { code: 'NOT_SEALED' });
});

test('nobody gets the files of a bundle without having recorded that they read them', async () => {
  const [newest] = await commands.coveringCheckpoint(stage.anna.pool, { jobs: [second.job] });
  const berta = await createLogin(database, 'docket_evidence_owner');
  await refused('ZD044', commands.bundleOf(berta.pool, { jobId: second.job, size: newest!.size }));
  await refused('ZD055', commands.bundleOf(stage.anna.pool, { jobId: second.job, size: '7' }));
  const unknown = '00000000-0000-8000-8000-000000000000';
  await refused('ZD020', commands.bundleOf(stage.anna.pool, { jobId: unknown, size: newest!.size }));
  await refused('ZD020', commands.coveringCheckpoint(stage.anna.pool, { jobs: [unknown] }));
});

test('a disputed document is left out of bundles', async () => {
  const { job: disputed } = await stage.published();
  await stage.stage.db.query(
    `insert into docket.disputed_documents (job_id, replay_id, seq, disputed_at) values ($1, 1, 1, now())`,
    [disputed],
  );
  await refused('ZD058', stage.bundle([disputed]));
});

test('a record that was changed makes no bundle, and what is wrong is named', async () => {
  const { job: changed } = await stage.published();
  const before = await readdir(stage.folder);
  const client = await stage.stage.db.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('alter table docket.pages disable trigger all');
    await client.query(`update docket.pages set text = 'Refused' where job_id = $1 and page_no = 1`, [
      changed,
    ]);
    await client.query('alter table docket.pages enable trigger all');
  } finally {
    client.release(true);
  }
  await assert.rejects(stage.bundle([changed]), {
    code: 'BUNDLE_UNSOUND',
    message: /result of event \d+ published is/,
  });
  assert.deepEqual(await readdir(stage.folder), before);
  assert.ok((await readFile(file)).length > 0);
});
