import type { S3Client } from '@aws-sdk/client-s3';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { ObjectServer } from '../support/object-server.ts';

/** What makes command lines keep their scans in a bucket. */
export function settingsFor(server: ObjectServer, bucket: string): Record<string, string> {
  return {
    DOCKET_STORE: `s3://${bucket}/scans`,
    DOCKET_S3_ENDPOINT: server.endpoint,
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  };
}

/** Every version of every object of a bucket, as it lies there, by key and version. */
export async function objectsOf(client: S3Client, bucket: string): Promise<Map<string, Buffer>> {
  const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
  const found = new Map<string, Buffer>();
  for (const { Key, VersionId } of Versions) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, VersionId }));
    found.set(`${String(Key)} ${String(VersionId)}`, Buffer.from(await Body!.transformToByteArray()));
  }
  return found;
}
