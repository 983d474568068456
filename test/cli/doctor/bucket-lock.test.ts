import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PutBucketVersioningCommand } from '@aws-sdk/client-s3';
import { askBucket, bucketFindings } from '../../../src/cli/doctor/bucket-lock.ts';
import { createBucket, objectServer, plainClient, skipWithoutServer } from '../../support/object-server.ts';

const server = objectServer();
if (server === undefined) {
  test('buckets without a lock are told', { skip: skipWithoutServer });
} else {
  process.env['AWS_ACCESS_KEY_ID'] = server.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = server.secretAccessKey;
  const plain = plainClient(server);
  const config = { s3Endpoint: server.endpoint, s3Region: 'us-east-1', s3LockMode: 'governance' } as const;
  const { signal } = new AbortController();
  const told = async (bucket: string) =>
    bucketFindings(
      `s3://${bucket}/scans`,
      'scans',
      await askBucket(`s3://${bucket}/scans`, config, signal),
      'governance',
    );

  test('a bucket that protects nothing, one with versions and one with a lock are told apart', async () => {
    const bucket = await createBucket(plain);
    const [open, ...others] = await told(bucket);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [open!.severity, open!.what],
      ['warning', `s3://${bucket}/scans has neither Object Lock nor versions`],
    );
    await plain.send(
      new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    );
    const [versions] = await told(bucket);
    assert.deepEqual(
      [versions!.severity, versions!.what],
      ['warning', `s3://${bucket}/scans has versions, and no Object Lock`],
    );
    const locked = await createBucket(plain, { hasObjectLock: true });
    assert.deepEqual(
      (await told(locked)).map(({ severity, what }) => [severity, what]),
      [['note', `locks in s3://${locked}/scans are of mode governance`]],
    );
  });

  test('a bucket that is not there fails its check with the reason', async () => {
    await assert.rejects(askBucket('s3://no-such-bucket-here', config, signal), (error: Error) =>
      /NOT_FOUND|STORE_/.test((error as Error & { code: string }).code),
    );
  });
}

test('what nobody can undo needs no word', () => {
  const protection = { hasObjectLock: true, hasVersions: true };
  assert.deepEqual(bucketFindings('s3://b', 'scans', protection, 'compliance'), []);
});
