import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type pg from 'pg';
import type { CheckpointFile } from '../../src/checkpoints/checkpoint-file.ts';
import { openCheckpointFile } from '../../src/checkpoints/checkpoint-file.ts';
import type { PublisherOptions } from '../../src/checkpoints/publisher.ts';
import { createPublisher } from '../../src/checkpoints/publisher.ts';
import type { CheckpointSigner } from '../../src/checkpoints/signer.ts';
import { openCheckpointSigner } from '../../src/checkpoints/signer.ts';
import { createLog } from '../../src/log.ts';
import { leaves, sealAll } from '../sql/log-stage.ts';
import { rootByDefinition } from '../sql/merkle-tree.ts';
import { Stage } from '../sql/stage.ts';
import { createTestDatabase } from '../support/database.ts';

/** A checkpoint as the tests take it apart, by no code of Docket. */
export interface Stated {
  origin: string;
  size: number;
  root: string;
  text: string;
  /** Lines after the empty one: name and bytes. */
  signatures: { name: string; bytes: Buffer }[];
}

export function takeApart(note: string): Stated {
  const at = note.indexOf('\n\n');
  const text = note.slice(0, at + 1);
  const [origin, size, root] = text.split('\n') as [string, string, string];
  const signatures = note
    .slice(at + 2)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [dash, name, base64] = line.split(' ') as [string, string, string];
      if (dash !== '\u2014') throw new Error(`no signature: ${line}`);
      return { name, bytes: Buffer.from(base64, 'base64') };
    });
  return { origin, size: Number(size), root, text, signatures };
}

/** Whether the first signature is the log's own, by this key of 32 bytes. */
export function isByLog({ text, origin, signatures }: Stated, publicKey: Buffer): boolean {
  const [first] = signatures;
  const id = createHash('sha256').update(`${origin}\n`).update(Buffer.of(1)).update(publicKey).digest();
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
    format: 'jwk',
  });
  return (
    first?.name === origin &&
    first.bytes.subarray(0, 4).equals(id.subarray(0, 4)) &&
    verify(null, Buffer.from(text), key, first.bytes.subarray(4))
  );
}

/** What a file of checkpoints has, line by line; nothing where there is none. */
export async function keptIn(path: string): Promise<Stated[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => takeApart((JSON.parse(line) as { note: string }).note));
}

/** A log that grows as the test says, a key, and a file. */
export class LogStage {
  readonly home: string;
  readonly stage: Stage;
  readonly signer: CheckpointSigner;
  readonly file: CheckpointFile;
  /** What its publishers logged. */
  readonly logged: {
    level: string;
    msg: string;
    failure?: string;
    err?: { code: string; message: string };
  }[] = [];

  private constructor(home: string, stage: Stage, signer: CheckpointSigner) {
    this.home = home;
    this.stage = stage;
    this.signer = signer;
    this.file = openCheckpointFile(join(home, 'checkpoints.jsonl'));
  }

  static async open(): Promise<LogStage> {
    const home = await mkdtemp(join(tmpdir(), 'dkt-checkpoints-'));
    after(() => rm(home, { recursive: true, force: true }));
    const stage = await Stage.open(await createTestDatabase());
    const signer = await openCheckpointSigner({ logKeyFile: join(home, 'log-key.pem') }, { mayMake: true });
    return new LogStage(home, stage, signer!);
  }

  get db(): pg.Pool {
    return this.stage.db;
  }

  publisher(options: Partial<PublisherOptions> = {}) {
    const log = createLog({
      level: process.env['TEST_LOG'] ?? 'warn',
      destination: { write: (line) => void this.logged.push(JSON.parse(line) as LogStage['logged'][number]) },
    });
    const publisher = createPublisher({
      db: this.stage.worker,
      signer: this.signer,
      file: this.file,
      copies: undefined,
      witnesses: undefined,
      areWitnessesRequired: false,
      seconds: 0,
      log,
      ...options,
    });
    return { round: () => publisher.round(new AbortController().signal) };
  }

  /** Records events of so many new documents, and seals them; answers the size of the log. */
  async grow(documents = 1): Promise<number> {
    for (let n = 0; n < documents; n += 1) await this.stage.deliver();
    await this.stage.admit();
    await sealAll(this.stage.worker);
    return (await this.leaves()).length;
  }

  /** Hashes of all events, in the order of the log. */
  async leaves(): Promise<Buffer[]> {
    return (await leaves(this.db)).map((leaf) => leaf.hash);
  }

  async rootAt(size: number): Promise<string> {
    return rootByDefinition((await this.leaves()).slice(0, size)).toString('base64');
  }

  /** What the database has recorded, by size. */
  async recorded(): Promise<Stated[]> {
    const { rows } = await this.db.query<{ note: string }>(
      'select note from docket_audit.checkpoints order by size',
    );
    return rows.map((row) => takeApart(row.note));
  }

  /** What the file has, line by line. */
  kept(): Promise<Stated[]> {
    return keptIn(this.file.path);
  }

  async places(): Promise<{ place: string; kind: string; size: string | null; failure: string | null }[]> {
    const { rows } = await this.db.query<{
      place: string;
      kind: string;
      size: string | null;
      failure: string | null;
    }>('select place, kind, size, failure from docket_audit.checkpoint_places order by kind, place');
    return rows;
  }

  /** Brings the database back to when the log had so many leaves, as restoring an older copy would. */
  async rollBack(size: number): Promise<void> {
    await this.#remove(
      'docket_audit.events',
      `xid >= (select xid_to from docket_audit.seals where size = ${size})`,
    );
    await this.#remove('docket_audit.seals', `size > ${size}`);
    await this.#remove('docket_audit.checkpoints', `size > ${size}`);
  }

  /** Has the database forget that checkpoints were recorded, as if it had crashed before. */
  async rollBackCheckpoints(): Promise<void> {
    await this.#remove('docket_audit.checkpoints', 'true');
  }

  async #remove(table: string, which: string): Promise<void> {
    await this.db.query(`alter table ${table} disable trigger all`);
    await this.db.query(`delete from ${table} where ${which}`);
    await this.db.query(`alter table ${table} enable trigger all`);
  }
}
