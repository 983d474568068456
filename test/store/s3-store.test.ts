import { test } from 'node:test';
import { objectServer, skipWithoutServer } from '../support/object-server.ts';
import { testConformance } from './conformance.ts';
import { createS3Fixture } from './s3-fixture.ts';

const server = objectServer();
if (server === undefined) {
  test('the S3 store does what every store does', { skip: skipWithoutServer });
} else {
  const fixture = await createS3Fixture(server);
  let stores = 0;
  for (const [name, bucket] of [
    ['S3 (plain bucket)', fixture.bucket],
    ['S3 (versions and Object Lock)', fixture.lockBucket],
  ] as const) {
    testConformance(
      name,
      `s3://${bucket}/`,
      () => Promise.resolve(fixture.store(bucket, { prefix: `test-${++stores}` })),
      { hasVersions: true },
    );
  }
}
