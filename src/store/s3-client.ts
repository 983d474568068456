import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';

const CONNECT_MS = 5_000;
const CONNECTIONS = 256;

/**
 * A client for one or more buckets. Credentials are those of the AWS SDK unless given. It neither tries again nor gives up by
 * itself, but for connecting: that is settled in one place, above it.
 */
export function createS3Client(options: {
  endpoint: string | undefined;
  region: string;
  credentials?: S3ClientConfig['credentials'];
}): S3Client {
  const { endpoint, region, credentials } = options;
  return new S3Client({
    region,
    // Buckets as host names need a wildcard name in the DNS, which few servers other than AWS have.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    maxAttempts: 1,
    // What fails is told by errors; the client would also write to the console.
    logger: { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS,
      socketTimeout: 0,
      httpAgent: { maxSockets: CONNECTIONS },
      httpsAgent: { maxSockets: CONNECTIONS },
    }),
  });
}

function ignore(): void {
  // Nothing to tell.
}
