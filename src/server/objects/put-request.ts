import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { DocketError } from '../../errors.ts';
import { sha256Of } from './content-digest.ts';
import { tooLarge } from './receive.ts';

/** What a request to put an object states before its first byte. */
export interface PutRequest {
  readonly sourceId: string;
  /** Undefined where the sender leaves it to the server to hash. */
  readonly sha256: Buffer | undefined;
  /** Undefined where the sender does not know it before the end. */
  readonly sizeBytes: number | undefined;
}

const parameters = z.strictObject({
  source: z
    .string('the name of a source is missing')
    .regex(/^[^\p{C}]{1,200}$/u, 'expected the name of a source'),
});

/**
 * Reads what stands above the bytes. Throws METHOD_REFUSED, OBJECT_PARAMETER, CODING_REFUSED, DIGEST_MALFORMED, and
 * OBJECT_TOO_LARGE where the request says itself that it has more than `maxBytes`.
 */
export function readPutRequest(
  { method, url, headers }: IncomingMessage,
  { maxBytes }: { maxBytes: number },
): PutRequest {
  if (method !== 'PUT') {
    throw new DocketError('METHOD_REFUSED', 'an object is stored by PUT', { data: { allow: 'PUT' } });
  }
  const { searchParams } = new URL(url ?? '', 'http://localhost');
  if (searchParams.getAll('source').length > 1) {
    throw new DocketError('OBJECT_PARAMETER', 'source: named more than once');
  }
  const parsed = parameters.safeParse(Object.fromEntries(searchParams));
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => [...issue.path, issue.message].join(': '));
    throw new DocketError('OBJECT_PARAMETER', problems.join('; '));
  }
  const coding = headers['content-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'identity') {
    throw new DocketError('CODING_REFUSED', 'content-encoding: send the bytes of the scan as they are');
  }
  const sha256 = sha256Of(headers['content-digest'] as string | undefined);
  const length = headers['content-length'];
  const sizeBytes = length === undefined ? undefined : Number(length);
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge(maxBytes);
  return { sourceId: parsed.data.source, sha256, sizeBytes };
}
