import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { test } from 'node:test';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectRetentionCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { createBucketCopies } from '../../src/checkpoints/bucket-copies.ts';
import type { CheckpointBucket } from '../../src/checkpoints/bucket.ts';
import { createCheckpointBucket } from '../../src/checkpoints/bucket.ts';
import { createS3Client } from '../../src/store/s3-client.ts';
import { createBucket, objectServer, plainClient, skipWithoutServer } from '../support/object-server.ts';
import { LogStage } from './log-stage.ts';

const server = objectServer();
if (server === undefined) {
  test('checkpoints are kept in a bucket', { skip: skipWithoutServer });
} else {
  const plain = plainClient(server);
  const open = (bucket: string, endpoint = server.endpoint): CheckpointBucket =>
    createCheckpointBucket({
      client: createS3Client({ endpoint, region: 'us-east-1', credentials: server }),
      bucket,
      prefix: 'log/of',
      lockMode: 'governance',
    });
  const signal = new AbortController().signal;

  /** Names and versions of all that lies in a bucket, by no code of Docket. */
  const objectsOf = async (bucket: string) => {
    const { Versions = [] } = await plain.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    return Versions.map(({ Key, VersionId }) => ({ Key: Key!, VersionId: VersionId! }));
  };

  test('every checkpoint becomes an object of its own, locked for ten years, and never replaced', async () => {
    const Bucket = await createBucket(plain, { hasObjectLock: true });
    const log = await LogStage.open();
    const publisher = log.publisher({ copies: createBucketCopies(open(Bucket), log.file) });
    const sizes: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      sizes.push(await log.grow());
      assert.equal(await publisher.round(), true);
    }
    const [recorded] = await log.recorded();
    const origin = recorded?.origin ?? '';
    const folder = `log/of/${origin.replace('/', '-')}`;
    const objects = await objectsOf(Bucket);
    assert.deepEqual(
      objects.map(({ Key }) => Key),
      sizes.map((size) => `${folder}/${String(size).padStart(19, '0')}`),
    );
    const { rows } = await log.db.query<{ note: string }>(
      'select note from docket_audit.checkpoints order by size',
    );
    for (const [at, object] of objects.entries()) {
      const { Body } = await plain.send(new GetObjectCommand({ Bucket, Key: object.Key }));
      assert.equal(await Body!.transformToString(), rows[at]!.note);
      const { Retention } = await plain.send(new GetObjectRetentionCommand({ Bucket, ...object }));
      assert.equal(Retention!.Mode, 'GOVERNANCE');
      const years = (Retention!.RetainUntilDate!.getTime() - Date.now()) / (365.25 * 86_400_000);
      assert.ok(years > 9.99 && years < 10.01, String(years));
      await assert.rejects(plain.send(new DeleteObjectCommand({ Bucket, ...object })), {
        name: 'AccessDenied',
      });
    }
    const place = (await log.places()).find(({ kind }) => kind === 'bucket')!;
    assert.deepEqual(place, {
      place: `s3://${Bucket}/log/of`,
      kind: 'bucket',
      size: String(sizes[2]),
      failure: null,
    });
    assert.deepEqual(log.logged, []);

    // The same once more, after the database forgot that it was recorded.
    await log.rollBackCheckpoints();
    const again = log.publisher({ copies: createBucketCopies(open(Bucket), log.file) });
    assert.equal(await again.round(), true);
    assert.deepEqual(await objectsOf(Bucket), objects);
  });

  test('a bucket without Object Lock is used, and what it lacks is said', async () => {
    const Bucket = await createBucket(plain);
    const log = await LogStage.open();
    await log.grow();
    assert.equal(await log.publisher({ copies: createBucketCopies(open(Bucket), log.file) }).round(), true);
    assert.equal((await objectsOf(Bucket)).length, 1);
    assert.match(log.logged[0]!.msg, /has no Object Lock/);
  });

  test('a bucket that cannot be reached delays nothing, and gets what it missed, also after a restart', async () => {
    const Bucket = await createBucket(plain);
    const log = await LogStage.open();
    const nowhere = () => createBucketCopies(open(Bucket, 'http://127.0.0.1:9'), log.file);
    const missed: number[] = [];
    const publisher = log.publisher({ copies: nowhere() });
    for (let n = 0; n < 2; n += 1) {
      missed.push(await log.grow());
      assert.equal(await publisher.round(), true);
    }
    const place = (await log.places()).find(({ kind }) => kind === 'bucket')!;
    assert.equal(place.size, null);
    assert.match(place.failure!, /object store/);
    missed.push(await log.grow());
    assert.equal(await log.publisher({ copies: createBucketCopies(open(Bucket), log.file) }).round(), true);
    assert.deepEqual(
      (await objectsOf(Bucket)).map(({ Key }) => Number(Key.split('/').at(-1))),
      missed,
    );
  });

  test('a bucket remembers what was signed when file and database do not, and one with another root is a fork', async () => {
    const Bucket = await createBucket(plain, { hasObjectLock: true });
    const log = await LogStage.open();
    const early = await log.grow();
    const copies = () => createBucketCopies(open(Bucket), log.file);
    await log.publisher({ copies: copies() }).round();
    const late = await log.grow(3);
    await log.publisher({ copies: copies() }).round();
    await log.rollBack(early);
    await truncate(log.file.path);
    await log.grow();
    assert.equal(await log.publisher({ copies: copies() }).round(), false);
    assert.match(
      log.logged.at(-1)!.err!.message,
      new RegExp(`${late} leaves was signed, and the database has`),
    );
    assert.deepEqual(await log.kept(), [], 'nothing was signed');

    const other = await LogStage.open();
    const size = await other.grow();
    await other.publisher().round();
    const kept = (await other.file.recent())[0]!;
    const forged = kept.note.replace(kept.note.split('\n')[2]!, Buffer.alloc(32).toString('base64'));
    const Key = `log/of/${kept.origin.replace('/', '-')}/${String(size).padStart(19, '0')}`;
    await plain.send(new PutObjectCommand({ Bucket, Key, Body: forged }));
    await assert.rejects(open(Bucket).put(kept, signal), {
      code: 'CHECKPOINT_FORK',
      message: /another root/,
    });
  });
}
