import { createHash } from 'node:crypto';
import { base64urlPieces, fromBase64url } from '../base64.ts';
import { contentDigests } from '../cms/content.ts';
import type { SignedContent } from '../envelope-format.ts';
import type { Finding } from '../findings.ts';
import type { JwsHeader } from './header.ts';
import { signedObjects } from './sig-d.ts';
import { bytesAsMessage, type Message } from '../message/verify-message.ts';

/** What lies behind the dot of the signing input, and whether it is the document. */
export interface Payload {
  readonly kind: 'embedded' | 'detached' | 'by_digest' | 'unknown';
  readonly message: Message;
  readonly digestMatches: boolean | null | 'if_intact';
}

const NOTHING: Message = bytesAsMessage(new Uint8Array());

/** Reads what a JWS has as payload, or the document in its place. */
export async function readPayload(
  written: Uint8Array,
  { b64, sigD }: JwsHeader,
  content: SignedContent,
  signal: AbortSignal,
): Promise<Payload | Finding> {
  if (written.length > 0) {
    if (sigD) return 'FIELD_INVALID';
    const bytes = b64 ? fromBase64url(Buffer.from(written).toString('latin1')) : written;
    if (!bytes) return 'BASE64_INVALID';
    const digestMatches = createHash('sha256').update(bytes).digest().equals(content.sha256);
    return { kind: 'embedded', message: bytesAsMessage(written), digestMatches };
  }
  // It is signed, or hashed, as base64url where the payload would be written so.
  const document = b64 ? asBase64url(content) : content;
  const objects = sigD ? signedObjects(sigD) : { kind: 'document' as const };
  switch (objects.kind) {
    case 'document':
      return { kind: 'detached', message: document, digestMatches: 'if_intact' };
    case 'hashes': {
      const digest = await contentDigests(document, signal)({ hash: objects.digest });
      const digestMatches = objects.values.includes(digest.toString('base64url'));
      return { kind: 'by_digest', message: NOTHING, digestMatches };
    }
    case 'unknown':
      return { kind: 'unknown', message: NOTHING, digestMatches: null };
  }
}

function asBase64url({ sizeBytes, open }: Message): Message {
  return { sizeBytes: Math.ceil((sizeBytes * 4) / 3), open: () => base64urlPieces(open()) };
}
