import type pg from 'pg';
import * as commands from '../db/commands.ts';
import { checkpointText } from '../domain/checkpoint.ts';
import { isConsistent } from '../domain/merkle.ts';
import { isSignedBy, signatureLine } from '../domain/signed-note.ts';
import { verifierKey } from '../domain/verifier-key.ts';
import { DocketError } from '../errors.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { forked } from './fork.ts';
import type { KeptCheckpoint } from './kept-checkpoint.ts';
import { keptCheckpoint } from './kept-checkpoint.ts';
import type { CheckpointSigner } from './signer.ts';

/** What was sealed last, as the database says. */
export interface Head {
  readonly epoch: number;
  readonly origin: string;
  readonly size: bigint;
  readonly root: Buffer;
  readonly isDue: boolean;
  /** What the database recorded last. */
  readonly recorded: KeptCheckpoint | undefined;
}

/**
 * The newest seal; undefined where there is none, or somebody else asks at this moment. It is due at once where more was recorded
 * than is kept.
 */
export async function readHead(
  db: pg.Pool,
  seconds: number,
  keptSize: bigint | null,
): Promise<Head | undefined> {
  const [row] = await commands.claimCheckpoint(db, {
    seconds,
    keptSize: keptSize === null ? null : String(keptSize),
  });
  if (!row) return undefined;
  return {
    epoch: row.epoch,
    origin: row.origin,
    size: BigInt(row.size),
    root: row.root,
    isDue: row.is_due,
    recorded: row.recorded_note === null ? undefined : keptCheckpoint(row.recorded_note),
  };
}

/**
 * Refuses a head that does not go on from a checkpoint that was signed before: of fewer leaves, of another root, or without a
 * proof that it begins with the same leaves. Throws CHECKPOINT_FORK.
 */
export async function requireGoesOn(db: pg.Pool, head: Head, signed: KeptCheckpoint): Promise<void> {
  const { size, root, origin } = head;
  if (size < signed.size) {
    throw forked(
      `a checkpoint of ${origin} with ${signed.size} leaves was signed, and the database has sealed only ${size}`,
    );
  }
  if (size === signed.size) {
    if (root.equals(signed.root)) return;
    throw forked(
      `a checkpoint of ${origin} with ${size} leaves was signed for another root than the database has`,
    );
  }
  const proof = await readProof(db, signed.size, size);
  if (!isConsistent(signed.size, size, signed.root, root, proof)) {
    throw forked(
      `the ${size} leaves of ${origin} in the database do not begin with the ${signed.size} of which a checkpoint was signed`,
    );
  }
}

/** The hashes of a consistency proof, not yet believed. */
export async function readProof(db: pg.Pool, from: bigint, to: bigint): Promise<Buffer[]> {
  const rows = await commands.checkpointProof(db, { from: String(from), to: String(to) });
  return rows.map((row) => row.hash);
}

/** Signs the head, and has the file remember it before anybody else sees it. The key is recorded before it is used. */
export async function signHead(
  db: pg.Pool,
  head: Head,
  { signer, file }: { signer: CheckpointSigner; file: CheckpointFile },
): Promise<KeptCheckpoint> {
  const key = await signer.current();
  const named = verifierKey(head.origin, key.publicKey);
  await commands.addCheckpointKey(db, { name: head.origin, publicKey: key.publicKey });
  const text = checkpointText(head.origin, head.size, head.root);
  const note = `${text}\n${signatureLine(named, await key.sign(Buffer.from(text)))}`;
  const kept = keptCheckpoint(note);
  if (!isSignedBy(kept, named)) {
    throw new DocketError('CONFIG_LOG_KEY', 'what signs checkpoints made a signature that is not good');
  }
  await file.append(note);
  return kept;
}
