import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A key that signs checkpoints of one log, by node:crypto alone. */
export class NoteKey {
  readonly origin: string;
  readonly publicKey: Buffer;
  readonly #privateKey: KeyObject;

  constructor(origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.origin = origin;
    this.#privateKey = privateKey;
    this.publicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
  }

  /** As people hand it around. */
  get text(): string {
    return `${this.origin}+${this.#id.toString('hex')}+${Buffer.concat([Buffer.of(1), this.publicKey]).toString('base64')}`;
  }

  get #id(): Buffer {
    return createHash('sha256').update(`${this.origin}\n\x01`).update(this.publicKey).digest().subarray(0, 4);
  }

  note(size: string | number, root: Buffer): string {
    const body = `${this.origin}\n${String(size)}\n${root.toString('base64')}\n`;
    const signature = Buffer.concat([this.#id, sign(null, Buffer.from(body), this.#privateKey)]);
    return `${body}\n— ${this.origin} ${signature.toString('base64')}\n`;
  }
}
