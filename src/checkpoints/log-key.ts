import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { DocketError } from '../errors.ts';
import { changeAlone, makePrivateFile, readPrivateFile, replacePrivateFile } from '../private-file.ts';

/** A key that signs checkpoints, wherever its private half is kept: here a file, elsewhere a service that has it. */
export interface LogKey {
  /** Ed25519, 32 bytes. */
  readonly publicKey: Buffer;
  /** Ed25519, 64 bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

const CODE = 'CONFIG_LOG_KEY';

/** Reads the key of the file; undefined where there is none. Throws CONFIG_LOG_KEY. */
export async function readLogKey(file: string): Promise<LogKey | undefined> {
  try {
    return toKey(await readPrivateFile(file, { code: CODE, hint: 'else: docket checkpoint rotate' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, error);
  }
}

/** Makes the file with a new key, unless it is there. Answers whether it made it. Throws CONFIG_LOG_KEY. */
export async function makeLogKey(file: string): Promise<boolean> {
  try {
    return await makePrivateFile(file, newKey());
  } catch (error) {
    throw unusable(file, error);
  }
}

/** Puts a new key in the place of the one of the file. Nothing needs the private half of an older key. Throws CONFIG_LOG_KEY. */
export async function replaceLogKey(file: string): Promise<LogKey> {
  try {
    return await changeAlone(file, CODE, async () => {
      toKey(await readPrivateFile(file, { code: CODE, hint: 'else remove it' }));
      const pem = newKey();
      await replacePrivateFile(file, pem);
      return toKey(pem);
    });
  } catch (error) {
    throw unusable(file, error);
  }
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
}

function toKey(pem: string): LogKey {
  const privateKey = createPrivateKey(pem);
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  if (privateKey.asymmetricKeyType !== 'ed25519' || x === undefined) throw new Error('not an Ed25519 key');
  return {
    publicKey: Buffer.from(x, 'base64url'),
    sign: (bytes) => Promise.resolve(sign(null, bytes, privateKey)),
  };
}

function unusable(file: string, cause: unknown): DocketError {
  if (cause instanceof DocketError) return cause;
  if (cause instanceof Error && 'syscall' in cause) {
    return new DocketError(CODE, `${file} can be neither read nor made: ${cause.message}`, {
      cause,
      hint: 'DOCKET_LOG_KEY must be a file that you may read, in a folder that you may write to',
    });
  }
  return new DocketError(CODE, `${file} does not hold an Ed25519 key (PKCS #8, PEM)`, {
    cause,
    hint: 'restore it from a copy; or remove it: the next one is made by itself, and checkpoints by the old one stay verifiable',
  });
}
