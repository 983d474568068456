import { randomBytes } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** The S3 server that the runner started for the run, and the user that owns the buckets of the tests. */
export interface ObjectServer {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The environment variable by which the runner tells test files of the server. */
const VARIABLE = 'TEST_OBJECT_SERVER';

export function objectServerEnvironment(server: ObjectServer): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(server) };
}

/** The server of this run, or undefined where its Debian packages are not installed. */
export function objectServer(): ObjectServer | undefined {
  const text = process.env[VARIABLE];
  return text ? (JSON.parse(text) as ObjectServer) : undefined;
}

/** What a test that needs the server says of itself: false to run, otherwise why it is skipped. */
export const skipWithoutServer: string | false =
  objectServer() === undefined
    ? 'no S3 server: run by "npm test -- FILE" with radosgw, ceph-mon and ceph-osd installed'
    : false;

/** A client of that server for the tests themselves: to make buckets, to look, and to do what Docket never does. */
export function plainClient(server: ObjectServer, endpoint = server.endpoint): S3Client {
  return new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: server,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** Makes a bucket of its own for a test; with Object Lock it is versioned too. Returns its name. */
export async function createBucket(client: S3Client, { hasObjectLock = false } = {}): Promise<string> {
  const bucket = `scans-${randomBytes(6).toString('hex')}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: hasObjectLock }));
  return bucket;
}
