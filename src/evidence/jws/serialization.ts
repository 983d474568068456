import { z } from 'zod';
import { MOST_SIGNATURES } from '../envelope-limits.ts';
import type { Finding } from '../findings.ts';
import { readJsonObject } from '../json-object.ts';

/** A JWS as it was written: nothing is decoded. */
export interface Jws {
  /** As it stands there, mostly as base64url; empty where it does not: the document is the payload. */
  readonly payload: Uint8Array;
  readonly signatures: readonly JwsSignature[];
}

export interface JwsSignature {
  readonly protected: string;
  readonly header: Readonly<Record<string, unknown>>;
  readonly signature: string;
}

const SIGNATURE = z.object({
  protected: z.string().default(''),
  header: z.record(z.string(), z.unknown()).default({}),
  signature: z.string(),
});
const ABSENT = z.never().optional();
const FLATTENED = SIGNATURE.extend({ payload: z.string().default(''), signatures: ABSENT });
const GENERAL = z.object({
  payload: z.string().default(''),
  signatures: z.array(SIGNATURE),
  signature: ABSENT,
  protected: ABSENT,
  header: ABSENT,
});

const COMPACT = /^([\w-]*)\.([^.]*)\.([\w-]*)$/s;

/** Reads the compact and both JSON serialisations of RFC 7515. */
export function readJws(envelope: Uint8Array): Jws | Finding {
  const text = Buffer.from(envelope).toString('latin1').trim();
  const [, header, payload = '', signature = ''] = COMPACT.exec(text) ?? [];
  if (header !== undefined) {
    const signatures = [{ protected: header, header: {}, signature }];
    return { payload: Buffer.from(payload, 'latin1'), signatures };
  }
  const value = readJsonObject(envelope);
  if (!value) return 'JSON_INVALID';
  const flattened = FLATTENED.safeParse(value);
  if (flattened.success) {
    return { payload: Buffer.from(flattened.data.payload), signatures: [flattened.data] };
  }
  const general = GENERAL.safeParse(value);
  if (!general.success) return 'FIELD_INVALID';
  const { signatures } = general.data;
  if (signatures.length === 0) return 'NO_SIGNATURES';
  if (signatures.length > MOST_SIGNATURES) return 'SIGNATURES_TOO_MANY';
  return { payload: Buffer.from(general.data.payload), signatures };
}
