import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { z } from 'zod';
import { DocketError } from '../errors.ts';
import { changeAlone, makePrivateFile, readPrivateFile, replacePrivateFile } from '../private-file.ts';

const half = z.base64url().length(43);
const shape = z
  .strictObject({
    current: z.string(),
    keys: z.array(z.strictObject({ kid: half, x: half, d: half, made_at: z.iso.datetime() })).min(1),
  })
  .refine(({ current, keys }) => keys.some((key) => key.kid === current), {
    error: 'the current key is not among the keys',
  })
  .refine(({ keys }) => keys.every((key) => key.kid === thumbprintOf(key.x)), {
    error: 'an id is not the thumbprint of its key',
  });
type Shape = z.infer<typeof shape>;

/** The public half of a key, as anybody may have it. */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** A key that signs receipts, and what tells of them. */
export interface SigningKey {
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly madeAt: Date;
  /** Ed25519, 64 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/** The keys of the file: the current one signs; the older ones are kept so that nobody wonders where they are. */
export interface ReceiptKeys {
  readonly current: SigningKey;
  readonly keys: readonly SigningKey[];
}

const CODE = 'CONFIG_RECEIPT_KEY';

/** Reads the key file; undefined where there is none. Throws CONFIG_RECEIPT_KEY. */
export async function readReceiptKeys(file: string): Promise<ReceiptKeys | undefined> {
  try {
    return toKeys(await readShape(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, error);
  }
}

/** Makes the key file with one key, unless it is there. Answers whether it made it. Throws CONFIG_RECEIPT_KEY. */
export async function makeReceiptKeys(file: string): Promise<boolean> {
  const key = newKey();
  try {
    return await makePrivateFile(file, toText({ current: key.kid, keys: [key] }));
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Adds a key to the key file, which signs from now on. Throws CONFIG_RECEIPT_KEY. */
export async function addReceiptKey(file: string): Promise<SigningKey> {
  try {
    return await changeAlone(file, CODE, async () => {
      const known = await readShape(file);
      const key = newKey();
      await replacePrivateFile(file, toText({ current: key.kid, keys: [...known.keys, key] }));
      return toKey(key);
    });
  } catch (error) {
    throw unusable(file, error);
  }
}

async function readShape(file: string): Promise<Shape> {
  const text = await readPrivateFile(file, { code: CODE, hint: 'else do so, then docket receipt rotate' });
  return shape.parse(JSON.parse(text));
}

function newKey(): Shape['keys'][number] {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  return shape.shape.keys.element.parse({
    kid: thumbprintOf(String(x)),
    x,
    d,
    made_at: new Date().toISOString(),
  });
}

function toText(keys: Shape): string {
  return `${JSON.stringify(keys, null, 2)}\n`;
}

function toKeys({ current, keys }: Shape): ReceiptKeys {
  const all = keys.map(toKey);
  const [first] = all.filter((key) => key.kid === current);
  if (!first) throw new Error('the current key is not among the keys');
  return { current: first, keys: all };
}

function toKey({ kid, x, d, made_at: madeAt }: Shape['keys'][number]): SigningKey {
  const privateKey = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });
  return {
    kid,
    publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
    madeAt: new Date(madeAt),
    sign: (bytes) => sign(null, bytes, privateKey),
  };
}

/** RFC 7638 and RFC 8037: the required members, in order. */
function thumbprintOf(x: string): string {
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
}

function unusable(file: string, cause: unknown): DocketError {
  if (cause instanceof DocketError) return cause;
  if (cause instanceof Error && 'syscall' in cause) {
    return new DocketError(CODE, `${file} can be neither read nor made: ${cause.message}`, {
      cause,
      hint: 'DOCKET_RECEIPT_KEY must be a file that you may read, in a folder that you may write to',
    });
  }
  return new DocketError(CODE, `${file} is not a file of keys for receipts`, {
    cause,
    hint: 'restore it from a copy; or remove it, the next one is made by itself, and earlier receipts stay verifiable',
  });
}
