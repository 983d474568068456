import { z } from 'zod';
import { fromBase64url } from '../base64.ts';
import type { Finding } from '../findings.ts';
import { readJsonObject } from '../json-object.ts';
import { SIG_D } from './sig-d.ts';
import type { JwsSignature } from './serialization.ts';

/** What the headers of a signature say together, and which of it cannot be altered. */
export interface JwsHeader extends z.infer<typeof HEADER> {
  /** Names that have to be understood and are not. */
  readonly notUnderstood: readonly string[];
  readonly isProtected: (name: string) => boolean;
}

const HEADER = z.object({
  alg: z.string(),
  b64: z.boolean().default(true),
  crit: z.array(z.string()).min(1).optional(),
  kid: z.string().optional(),
  typ: z.string().optional(),
  cty: z.string().optional(),
  jwk: z.record(z.string(), z.unknown()).optional(),
  x5c: z.array(z.string()).min(1).optional(),
  'x5t#S256': z.string().optional(),
  'x5t#o': z.object({ digAlg: z.enum(['S256', 'S384', 'S512']), digVal: z.string() }).optional(),
  /** When it was signed, by the older and the newer edition of JAdES. */
  sigT: z.iso.datetime().optional(),
  iat: z.number().nonnegative().max(253402300799).optional(),
  sigD: SIG_D.optional(),
  etsiU: z.array(z.unknown()).optional(),
});

/** Only what is protected counts: RFC 7515 for `crit`, RFC 7797 for `b64`, JAdES for what it signs. */
const ONLY_PROTECTED = ['crit', 'b64', 'sigT', 'iat', 'sigD'];
const UNDERSTOOD: ReadonlySet<string> = new Set(['b64', 'sigT', 'sigD', 'iat', 'x5t#o']);

export function readJwsHeader(signature: JwsSignature): JwsHeader | Finding {
  const bytes = fromBase64url(signature.protected);
  if (!bytes) return 'BASE64_INVALID';
  const shielded = signature.protected === '' ? {} : readJsonObject(bytes);
  if (!shielded) return 'JSON_INVALID';
  const isProtected = (name: string): boolean => Object.hasOwn(shielded, name);
  const open = Object.keys(signature.header);
  if (open.some((name) => isProtected(name) || ONLY_PROTECTED.includes(name))) return 'FIELD_INVALID';
  const header = HEADER.safeParse({ ...signature.header, ...shielded });
  if (!header.success) return 'FIELD_INVALID';
  const { crit = [], b64 } = header.data;
  if (new Set(crit).size < crit.length || !crit.every(isProtected)) return 'FIELD_INVALID';
  if (!b64 && !crit.includes('b64')) return 'FIELD_INVALID';
  return { ...header.data, notUnderstood: crit.filter((name) => !UNDERSTOOD.has(name)), isProtected };
}
