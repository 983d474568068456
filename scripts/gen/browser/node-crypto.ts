// What the verifier uses of node:crypto, for a browser. Only the page is made with it.
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { Buffer } from 'buffer';

interface Hash {
  update(data: string | Uint8Array, encoding?: 'utf8' | 'ascii'): Hash;
  digest(): Buffer;
  digest(encoding: 'hex'): string;
}

export function createHash(algorithm: 'sha256'): Hash {
  if ((algorithm as string) !== 'sha256') throw new Error(`no ${algorithm} here`);
  const state = sha256.create();
  function digest(): Buffer;
  function digest(encoding: 'hex'): string;
  function digest(encoding?: 'hex'): Buffer | string {
    const bytes = Buffer.from(state.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
  const hash: Hash = {
    update(data, encoding) {
      state.update(typeof data === 'string' ? Buffer.from(data, encoding) : data);
      return hash;
    },
    digest,
  };
  return hash;
}

/** A SubjectPublicKeyInfo of Ed25519: 12 bytes that say so, and the key. */
export function createPublicKey({ key }: { key: Uint8Array }): Uint8Array {
  return key.subarray(12);
}

export function verify(
  _algorithm: null,
  message: Uint8Array,
  publicKey: Uint8Array,
  signature: Uint8Array,
): boolean {
  // by RFC 8032, as OpenSSL does; not by ZIP 215, which accepts more
  return ed25519.verify(signature, message, publicKey, { zip215: false });
}
