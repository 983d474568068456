import { DocketError } from '../../errors.ts';

/** One member of the field: an algorithm, and a digest as a byte sequence (RFC 8941) without parameters. */
const MEMBER = /^[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):[ \t]*$/;

/**
 * The SHA-256 that the header field Content-Digest (RFC 9530) states: 32 bytes, or undefined where there is no such header
 * or it states digests of other algorithms only. Throws DIGEST_MALFORMED for anything that cannot be meant.
 */
export function sha256Of(field: string | undefined): Buffer | undefined {
  if (field === undefined) return undefined;
  const digests = new Map<string, string>();
  for (const member of field.split(',')) {
    const [, algorithm, digest] = MEMBER.exec(member) ?? [];
    if (algorithm === undefined || digest === undefined) throw malformed();
    // As in every dictionary of structured fields, the last one of a name holds.
    digests.set(algorithm, digest);
  }
  const stated = digests.get('sha-256');
  if (stated === undefined) return undefined;
  const sha256 = Buffer.from(stated, 'base64');
  if (sha256.length !== 32 || withoutPadding(sha256.toString('base64')) !== withoutPadding(stated)) {
    throw malformed();
  }
  return sha256;
}

const withoutPadding = (text: string): string => text.replace(/=+$/, '');

function malformed(): DocketError {
  return new DocketError('DIGEST_MALFORMED', 'content-digest: expected sha-256=:BASE64 OF 32 BYTES:');
}
