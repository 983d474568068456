import type { Agent } from 'node:http';
import { z } from 'zod';
import { DocketError } from '../errors.ts';

const LARGEST_BYTES = 5 * 1024 ** 3;

const octets = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'expected a Uint8Array');

/** As 64 hex digits or 32 bytes; read as lower-case hex digits. */
const sha256 = z.union(
  [
    z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .transform((hex) => hex.toLowerCase()),
    octets.refine((bytes) => bytes.length === 32).transform((bytes) => Buffer.from(bytes).toString('hex')),
  ],
  'expected 64 hex digits or 32 bytes',
);

const sourceId = z.string('required').regex(/^[^\p{C}]{1,200}$/u, 'expected the name of a source');

const bytes = z.custom<Uint8Array | AsyncIterable<Uint8Array>>(
  (value) =>
    value instanceof Uint8Array ||
    (typeof value === 'object' && value !== null && Symbol.asyncIterator in value),
  'expected a Uint8Array or an async iterable of them',
);

/** What `createSender` takes. */
export const senderOptions = z.strictObject({
  /** Where the server is, without `/objects`; a path in front of it is kept. */
  url: z.url({ protocol: /^https?$/, error: 'expected http:// or https:// and a host' }),
  /** A token of the role sender, or what gives one each time: tokens expire. */
  token: z.union(
    [z.string().min(1), z.custom<() => string | Promise<string>>((value) => typeof value === 'function')],
    'expected a token, or a function that gives one',
  ),
  /** How often a put is tried while the server is away or busy. */
  tries: z.int().min(1).max(100).default(4),
  /** How long one try may take, in milliseconds; default 15 minutes. */
  timeoutMs: z
    .int()
    .min(1)
    .max(24 * 3_600_000)
    .default(15 * 60_000),
  /** An agent of `node:http` or `node:https`: for certificates of an authority of your own, or a proxy. */
  agent: z.custom<Agent>((value) => typeof value === 'object').optional(),
});

/** A scan to be stored: its bytes, or the file that holds them. */
export const putOptions = z
  .strictObject({
    sourceId,
    bytes: bytes.optional(),
    file: z.string().min(1).optional(),
    /** Default: computed from the bytes or the file; of a stream it is left to the server. */
    sha256: sha256.optional(),
    signal: z.instanceof(AbortSignal).optional(),
  })
  .refine(
    (given) => (given.bytes === undefined) !== (given.file === undefined),
    'expected either bytes or file',
  );

/** A scan that lies in a store: what `putObject` gave, or one that was put there in another way. */
const storedScan = z.object({
  /** Its locator. */
  object: z.string().min(1).max(1024),
  version: z.string().max(1024).nullable().default(null),
  sha256,
  sizeBytes: z.int().min(0).max(LARGEST_BYTES),
});

/** What a sender states of a stored scan: one row of docket.submissions. */
export const statement = z.strictObject({
  sourceId,
  scan: storedScan,
  mediaType: z
    .string()
    .max(127)
    .regex(/^[!-.0-~]+\/[!-.0-~]+$/, 'expected type/subtype'),
  capturedAt: z.date('expected a Date'),
  documentKind: z.string().min(1).optional(),
  documentDate: z.iso.date('expected YYYY-MM-DD').optional(),
  /** Who signed the paper, as an object of your own shape. */
  signer: z.record(z.string(), z.json()).optional(),
  /** A detached signature over the bytes. */
  envelope: octets.optional(),
  /** Number of the scan, from 1, where the source counts its scans, so that a missing one is noticed. */
  scanNumber: z.int().min(1).optional(),
  /** How the object lies in the store; default: sealed by Docket, as `putObject` does. */
  encryption: z.enum(['docket', 'external', 'none']).optional(),
});

/** What the server says of a scan that it stored. */
export const stored = z.object({
  object: z.string(),
  version: z.string().nullable(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size_bytes: z.int().min(0),
});

/** Checks what was given. Throws CLIENT_INPUT that names every value at fault. */
export function checked<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) =>
    [...(issue.path.length > 0 ? [issue.path.join('.')] : []), issue.message].join(': '),
  );
  throw new DocketError('CLIENT_INPUT', problems.join('; '));
}
