import { ListObjectsV2Command, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import type { ObjectVersion } from '@aws-sdk/client-s3';
import { DocketError } from '../errors.ts';
import { call } from './s3-call.ts';
import { statusOf } from './s3-errors.ts';
import type { S3Place } from './s3-place.ts';
import type { ListedObject } from './store.ts';

/** An entry as S3 lists it; `VersionId` is "null" for what was stored without versions. */
export interface ListedVersion extends ListedObject {
  key: string;
  versionId: string | undefined;
}

interface Page {
  entries: Pick<ObjectVersion, 'Key' | 'VersionId' | 'Size' | 'LastModified'>[];
  isEncoded: boolean;
  next: { KeyMarker?: string; VersionIdMarker?: string; ContinuationToken?: string } | undefined;
}

/** Every version of every object whose key begins so, a page of a thousand at a time. Markers of deletions are left out. */
export async function* listVersions(
  place: S3Place,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<ListedVersion> {
  const doing = { act: 'listing', locator: place.beginning + prefix } as const;
  const from = { Bucket: place.bucket, Prefix: prefix, EncodingType: 'url' } as const;
  let hasVersions = true;
  let next: Page['next'] = {};
  while (next !== undefined) {
    const at: NonNullable<Page['next']> = next;
    const ask = (): Promise<Page> =>
      call(doing, place.patience, signal, (abortSignal) =>
        hasVersions
          ? versions(place, { ...from, ...at }, abortSignal)
          : names(place, { ...from, ...at }, abortSignal),
      );
    const page: Page = await ask().catch((error: unknown) => {
      // Servers without versions need not know of the question.
      if (!hasVersions || !isUnknownRequest(error)) throw error;
      hasVersions = false;
      return ask();
    });
    for (const entry of page.entries) {
      const key = page.isEncoded ? decodeURIComponent((entry.Key ?? '').replaceAll('+', ' ')) : entry.Key;
      if (key === undefined || key === '') continue;
      yield {
        key,
        versionId: entry.VersionId,
        locator: place.beginning + key,
        version: entry.VersionId === 'null' ? null : (entry.VersionId ?? null),
        sizeBytes: entry.Size ?? 0,
        storedAt: entry.LastModified ?? new Date(0),
      };
    }
    next = page.next;
  }
}

/** Whether the server does not know what it was asked, rather than failed at it. */
export function isUnknownRequest(error: unknown): boolean {
  const status = error instanceof DocketError ? statusOf(error.cause) : undefined;
  return status === 501 || status === 405;
}

async function versions(
  { client }: S3Place,
  input: ConstructorParameters<typeof ListObjectVersionsCommand>[0],
  abortSignal: AbortSignal,
): Promise<Page> {
  const answer = await client.send(new ListObjectVersionsCommand(input), { abortSignal });
  refuseNothing(answer);
  return {
    entries: answer.Versions ?? [],
    isEncoded: answer.EncodingType === 'url',
    next: answer.IsTruncated
      ? {
          ...(answer.NextKeyMarker === undefined ? {} : { KeyMarker: answer.NextKeyMarker }),
          ...(answer.NextVersionIdMarker === undefined
            ? {}
            : { VersionIdMarker: answer.NextVersionIdMarker }),
        }
      : undefined,
  };
}

async function names(
  { client }: S3Place,
  input: ConstructorParameters<typeof ListObjectsV2Command>[0],
  abortSignal: AbortSignal,
): Promise<Page> {
  const answer = await client.send(new ListObjectsV2Command(input), { abortSignal });
  refuseNothing(answer);
  return {
    entries: answer.Contents ?? [],
    isEncoded: answer.EncodingType === 'url',
    next:
      answer.NextContinuationToken === undefined
        ? undefined
        : { ContinuationToken: answer.NextContinuationToken },
  };
}

/** A list of nothing names its bucket all the same; an answer without content must not pass for one. */
function refuseNothing(answer: { Name?: string | undefined }): void {
  if (answer.Name === undefined)
    throw new DocketError('STORE_UNAVAILABLE', 'the object store answered no list');
}
