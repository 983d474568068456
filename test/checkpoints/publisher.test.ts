import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { CheckpointFile } from '../../src/checkpoints/checkpoint-file.ts';
import { openCheckpointFile } from '../../src/checkpoints/checkpoint-file.ts';
import { replaceLogKey } from '../../src/checkpoints/log-key.ts';
import { signatureLine } from '../../src/domain/signed-note.ts';
import { verifierKey } from '../../src/domain/verifier-key.ts';
import { isByLog, LogStage } from './log-stage.ts';

const CRASH = new Error('the process is killed here');

/** A file in whose use the process dies, before or after it was written. */
function dyingFile(file: CheckpointFile, when: 'before' | 'after'): CheckpointFile {
  return {
    ...file,
    async append(note) {
      if (when === 'after') await file.append(note);
      throw CRASH;
    },
  };
}

test('a checkpoint states the root over all sealed events, is signed by the key, and is in the file and in the database', async () => {
  const log = await LogStage.open();
  const publisher = log.publisher();
  assert.equal(await publisher.round(), false, 'there is nothing to sign yet');
  const size = await log.grow(3);
  assert.equal(await publisher.round(), true);

  const [kept, ...more] = await log.kept();
  assert.equal(more.length, 0);
  const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
  assert.equal(kept!.origin, rows[0]!.origin);
  assert.match(kept!.origin, /^docket\/[0-9a-f-]{36}$/);
  assert.equal(kept!.size, size);
  assert.equal(kept!.root, await log.rootAt(size));
  const { publicKey } = await log.signer.current();
  assert.ok(isByLog(kept!, publicKey));
  assert.deepEqual(await log.recorded(), [kept]);
  const [place] = await log.places();
  assert.deepEqual([place!.kind, place!.size, place!.failure], ['file', String(size), null]);
  assert.ok(place!.place.endsWith(log.file.path));

  assert.equal(await publisher.round(), false, 'without new events there is no new checkpoint');
  assert.equal((await log.kept()).length, 1);
  const larger = await log.grow(2);
  assert.equal(await publisher.round(), true);
  assert.deepEqual(
    (await log.recorded()).map((one) => [one.size, one.root]),
    [
      [size, kept!.root],
      [larger, await log.rootAt(larger)],
    ],
  );
  assert.deepEqual(log.logged, []);
});

test('checkpoints are not made more often than wanted', async () => {
  const log = await LogStage.open();
  const publisher = log.publisher({ seconds: 3600 });
  await log.grow();
  assert.equal(await publisher.round(), true, 'the first one waits for nothing');
  await log.grow();
  assert.equal(await publisher.round(), false);
  assert.equal(await log.publisher({ seconds: 0 }).round(), true);
});

test('what a worker with a key of its own records keeps nobody from signing', async () => {
  const log = await LogStage.open();
  const publisher = log.publisher({ seconds: 3600 });
  const forger = generateKeyPairSync('ed25519');
  const forgerKey = Buffer.from(forger.publicKey.export({ format: 'jwk' }).x!, 'base64url');
  for (const kept of [1, 2]) {
    const size = await log.grow();
    const { rows } = await log.db.query<{ origin: string }>('select origin from docket_audit.epochs');
    const key = verifierKey(rows[0]!.origin, forgerKey);
    const text = `${key.name}\n${String(size)}\n${await log.rootAt(size)}\n`;
    const signature = sign(null, Buffer.from(text), forger.privateKey);
    await log.stage.worker.query('select docket.add_checkpoint_key($1, $2)', [key.name, forgerKey]);
    await log.stage.worker.query('select docket.record_checkpoint($1)', [
      `${text}\n${signatureLine(key, signature)}`,
    ]);
    assert.equal(await publisher.round(), true);
    assert.deepEqual([(await log.kept()).length, (await log.kept()).at(-1)!.size], [kept, size]);
    assert.equal(await publisher.round(), false);
  }
});

test('a crash before the file was written leaves nothing signed; one after it has that very note published', async () => {
  const log = await LogStage.open();
  const size = await log.grow();
  await assert.rejects(log.publisher({ file: dyingFile(log.file, 'before') }).round(), CRASH);
  assert.deepEqual(await log.kept(), []);
  await assert.rejects(log.publisher({ file: dyingFile(log.file, 'after') }).round(), CRASH);
  const [signed] = await log.kept();
  assert.equal(signed!.size, size);
  assert.deepEqual(await log.recorded(), []);

  // Meanwhile the log grows, and the key changes: what was signed is published as it is, and before anything else.
  const larger = await log.grow(2);
  await replaceLogKey(`${log.home}/log-key.pem`);
  const publisher = log.publisher();
  assert.equal(await publisher.round(), true);
  assert.deepEqual(await log.recorded(), [signed]);
  assert.equal((await log.kept()).length, 1);
  assert.equal(await publisher.round(), true);
  assert.deepEqual(
    (await log.recorded()).map((one) => one.size),
    [size, larger],
  );
});

test('a crash between publishing and recording has the same note recorded', async () => {
  const log = await LogStage.open();
  await log.grow();
  const publisher = log.publisher();
  await publisher.round();
  const before = await log.recorded();
  // The database lost what it had recorded; the file has it.
  await log.rollBackCheckpoints();
  await log.grow();
  assert.equal(await publisher.round(), true);
  assert.deepEqual(await log.recorded(), before);
  assert.equal((await log.kept()).length, 1);
});

test('a database that was brought back to an earlier time gets no signature, at any size', async () => {
  const log = await LogStage.open();
  const early = await log.grow(2);
  const publisher = log.publisher();
  await publisher.round();
  const late = await log.grow(3);
  await publisher.round();
  const good = await log.kept();

  await log.rollBack(early);
  assert.equal(await publisher.round(), false);
  assert.match(
    log.logged[0]!.err!.message,
    new RegExp(`${late} leaves was signed, and the database has sealed only ${early}`),
  );
  assert.deepEqual([log.logged[0]!.level, log.logged[0]!.err!.code], ['error', 'CHECKPOINT_FORK']);
  const [place] = await log.places();
  assert.match(place!.failure!, /^CHECKPOINT_FORK/);
  assert.equal(place!.size, String(late), 'what was kept there stays said');

  for (let size = early; size < late;) size = await log.grow();
  assert.equal((await log.leaves()).length, late, 'as many leaves as were signed, and others');
  assert.equal(await log.publisher().round(), false);
  assert.match(log.logged[1]!.err!.message, /was signed for another root/);

  await log.grow(2);
  assert.equal(await log.publisher().round(), false);
  assert.match(log.logged[2]!.err!.message, /do not begin with/);
  assert.deepEqual(await log.kept(), good, 'nothing was signed');
  assert.equal(new Set(good.map((one) => one.size)).size, good.length, 'no size has two roots');
});

test('without the file, what the database has recorded still holds, and that the file is gone is said', async () => {
  const log = await LogStage.open();
  const early = await log.grow();
  await log.publisher().round();
  await log.grow();
  await rm(log.file.path);
  assert.equal(await log.publisher().round(), true);
  assert.match(log.logged[0]!.msg, /was it lost/);
  assert.deepEqual((await log.recorded()).map((one) => one.size).slice(0, 1), [early]);
});

test('a line that a crash cut off is passed over and spoils no other', async () => {
  const log = await LogStage.open();
  const size = await log.grow();
  const publisher = log.publisher();
  await publisher.round();
  const [good] = await log.kept();
  const larger = await log.grow();
  await appendFile(log.file.path, '{"at":"2026-01-02T03:04:05.678Z","note":"docket/cut');
  const { origin } = good!;
  assert.equal((await log.file.newest(origin))!.size, BigInt(size));
  assert.equal(await publisher.round(), true);
  assert.equal((await log.file.newest(origin))!.size, BigInt(larger));
  assert.deepEqual(
    (await log.file.recent(origin)).map((one) => Number(one.size)),
    [size, larger],
  );
});

test('the newest checkpoint of a log is found behind any number of those of other logs', async () => {
  const log = await LogStage.open();
  await log.grow();
  await log.publisher().round();
  const { origin, note } = (await log.file.recent())[0]!;
  const path = `${log.home}/shared.jsonl`;
  const line = (from: string) => `${JSON.stringify({ at: '', note: note.replaceAll(origin, from) })}\n`;
  await writeFile(path, line(origin) + line('other').repeat(5_000));
  const file = openCheckpointFile(path);
  assert.equal((await file.newest(origin))!.note, note);
  assert.equal(await file.newest('no such log'), undefined);
  assert.deepEqual(await openCheckpointFile(`${log.home}/none`).recent(), []);
});

test('what cannot be appended to is not signed for', async () => {
  const log = await LogStage.open();
  await log.grow();
  const file = openCheckpointFile(log.home);
  await assert.rejects(log.publisher({ file }).round(), { code: 'CHECKPOINT_FILE' });
  assert.deepEqual(await log.recorded(), []);
});
