import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

export interface NoteKey {
  name: string;
  key: KeyObject;
  vkey: string;
}

/** A key of Ed25519 with its name as the specification of signed notes has it, by no code of Docket. */
export function makeKey(name: string, type = 1): NoteKey {
  const { privateKey, publicKey: half } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(half.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { name, key: privateKey, vkey: vkeyOf(name, type, bytes) };
}

/** A public key as people hand it around. */
export function vkeyOf(name: string, type: number, bytes: Buffer): string {
  return `${name}+${keyId(name, type, bytes).toString('hex')}+${Buffer.concat([Buffer.of(type), bytes]).toString('base64')}`;
}

function keyId(name: string, type: number, bytes: Buffer): Buffer {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(type))
    .update(bytes)
    .digest()
    .subarray(0, 4);
}

/** A text with a signature, as a signed note. */
export function noteOf({ name, key, vkey }: NoteKey, text: string): string {
  const id = Buffer.from(vkey.split('+')[1] ?? '', 'hex');
  return `${text}\n— ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), key)]).toString('base64')}\n`;
}
