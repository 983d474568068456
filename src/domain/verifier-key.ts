// Keys of signed notes, as text that people hand around: NAME+KEYID+BASE64 (C2SP signed-note). Also written "vkey".
import { createHash } from 'node:crypto';
import { bytesOfBase64 } from './canonical-base64.ts';

/** What the key signs: the text of a note itself, or a witness's statement that it saw it (C2SP tlog-cosignature). */
export type KeyKind = 'ed25519' | 'cosignature';

export interface VerifierKey {
  readonly name: string;
  /** Four bytes in hex: with the name they say which key signed. */
  readonly keyId: string;
  readonly kind: KeyKind;
  /** 32 bytes of Ed25519. */
  readonly publicKey: Uint8Array;
}

const TYPES: Readonly<Record<KeyKind, number>> = { ed25519: 0x01, cosignature: 0x04 };

/** Whether this is a name that a key may have: not empty, no spaces, no plus, no control characters. */
export function isKeyName(name: string): boolean {
  return name.isWellFormed() && /^[^+\p{White_Space}\u0000-\u001f]+$/u.test(name);
}

/** A key by its name and its 32 bytes. Throws SyntaxError where they are none. */
export function verifierKey(name: string, publicKey: Uint8Array, kind: KeyKind = 'ed25519'): VerifierKey {
  if (!isKeyName(name)) throw new SyntaxError('the name of the key is empty, or has a space or a plus in it');
  if (publicKey.length !== 32) throw new SyntaxError('the key has not 32 bytes');
  const id = createHash('sha256').update(`${name}\n`).update(Uint8Array.of(TYPES[kind])).update(publicKey);
  return { name, keyId: id.digest('hex').slice(0, 8), kind, publicKey };
}

/** Reads NAME+KEYID+BASE64. Throws SyntaxError where it is none, is of a kind that is not known, or names another key id. */
export function readVerifierKey(text: string): VerifierKey {
  const [, name, keyId, material] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text.trim()) ?? [];
  const bytes = bytesOfBase64(material ?? '');
  const kind = Object.entries(TYPES).find(([, type]) => type === bytes?.[0])?.[0] as KeyKind | undefined;
  if (name === undefined || !bytes || !kind) {
    throw new SyntaxError('a verifier key is NAME+KEYID+BASE64, of Ed25519');
  }
  const key = verifierKey(name, bytes.subarray(1), kind);
  if (key.keyId !== keyId) throw new SyntaxError(`the id of the key is ${key.keyId}, not ${String(keyId)}`);
  return key;
}

/** The key as NAME+KEYID+BASE64. */
export function formatVerifierKey(key: VerifierKey): string {
  const material = Buffer.concat([Uint8Array.of(TYPES[key.kind]), key.publicKey]).toString('base64');
  return `${key.name}+${key.keyId}+${material}`;
}
