import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import * as commands from '../../src/db/commands.ts';
import type { Stage } from '../sql/stage.ts';

/** Seals events and signs checkpoints of them, by its own reading of the specifications. */
export class LogSigner {
  readonly #stage: Stage;
  readonly #keys = generateKeyPairSync('ed25519');
  readonly origin: string;

  private constructor(stage: Stage, origin: string) {
    this.#stage = stage;
    this.origin = origin;
  }

  static async open(stage: Stage): Promise<LogSigner> {
    const { rows } = await stage.db.query<{ origin: string }>('select origin from docket_audit.epochs');
    const signer = new LogSigner(stage, rows[0]!.origin);
    await commands.addCheckpointKey(stage.worker, { name: signer.origin, publicKey: signer.publicKey });
    return signer;
  }

  get publicKey(): Buffer {
    return createPublicKey(this.#keys.privateKey).export({ format: 'der', type: 'spki' }).subarray(-32);
  }

  get #typed(): Buffer {
    return Buffer.concat([Buffer.from([1]), this.publicKey]);
  }

  get keyId(): Buffer {
    return createHash('sha256').update(`${this.origin}\n`).update(this.#typed).digest().subarray(0, 4);
  }

  /** The key as people hand it around. */
  get verifierKey(): string {
    return `${this.origin}+${this.keyId.toString('hex')}+${this.#typed.toString('base64')}`;
  }

  note(size: string, root: Buffer): string {
    const text = `${this.origin}\n${size}\n${root.toString('base64')}\n`;
    const signature = Buffer.concat([this.keyId, sign(null, Buffer.from(text), this.#keys.privateKey)]);
    return `${text}\n— ${this.origin} ${signature.toString('base64')}\n`;
  }

  /** Seals what can be sealed, and records a checkpoint of it. */
  async advance(): Promise<void> {
    await commands.sealEvents(this.#stage.worker, { limit: 10_000 });
    const { rows } = await this.#stage.db.query<{ size: string; root: Buffer }>(
      'select size, root from docket_audit.seals order by size desc limit 1',
    );
    const [newest] = rows;
    if (newest)
      await commands.recordCheckpoint(this.#stage.worker, { note: this.note(newest.size, newest.root) });
  }

  /** What `work` gives; the log goes on until then. */
  async during<T>(work: Promise<T>): Promise<T> {
    const state = { isDone: false };
    const ended = work.finally(() => (state.isDone = true));
    ended.catch(() => undefined);
    while (!state.isDone) await this.advance();
    return ended;
  }
}
