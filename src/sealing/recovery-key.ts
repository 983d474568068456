import type { KeyObject } from 'node:crypto';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DocketError } from '../errors.ts';

/** The key that is kept offline: its public half wraps every object key a second time. */
export interface RecoveryKey {
  /** SHA-256 of the public key (SPKI), the first 32 hex digits. */
  readonly id: string;
  readonly pem: string;
}

const LEAST_BITS = 2048;

/** Reads the public half of the recovery key. Throws CONFIG_RECOVERY_KEY, also for a private one: that belongs elsewhere. */
export async function readRecoveryKey(file: string): Promise<RecoveryKey> {
  const pem = await readPem(file);
  if (pem.includes('PRIVATE KEY')) {
    throw refused(
      `${file} holds a private key`,
      'name a file with the public half; keep the private one offline',
    );
  }
  return toRecoveryKey(file, pem, () => createPublicKey(pem));
}

/** Reads the private half, which unwraps when the key-encryption key is lost. Throws CONFIG_RECOVERY_KEY. */
export async function readPrivateRecoveryKey(file: string): Promise<RecoveryKey> {
  const pem = await readPem(file);
  return toRecoveryKey(file, pem, () => createPrivateKey(pem));
}

async function readPem(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(`${file} cannot be read: ${String(error)}`, 'name a file with an RSA key in PEM', error);
  });
}

function toRecoveryKey(file: string, pem: string, read: () => KeyObject): RecoveryKey {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    throw refused(
      `${file} is not a key that can be used`,
      'name a file with an RSA key in PEM, without a passphrase',
      error,
    );
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS) {
    throw refused(
      `${file} is not an RSA key of at least ${LEAST_BITS} bits`,
      'openssl genrsa 4096 makes one',
    );
  }
  const publicHalf = key.type === 'private' ? createPublicKey(pem) : key;
  const id = createHash('sha256')
    .update(publicHalf.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 32);
  return { id, pem };
}

function refused(problem: string, hint: string, cause?: unknown): DocketError {
  return new DocketError('CONFIG_RECOVERY_KEY', problem, { hint, cause });
}
