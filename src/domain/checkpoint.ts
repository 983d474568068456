// Checkpoints by C2SP tlog-checkpoint: signed notes whose text states the size and the root of a log.
import { bytesOfBase64 } from './canonical-base64.ts';
import { readNote, type SignedNote } from './signed-note.ts';

export interface Checkpoint extends SignedNote {
  /** First line: which log it is. */
  readonly origin: string;
  /** Leaves that it counts. */
  readonly size: bigint;
  /** Root over these leaves, 32 bytes. */
  readonly root: Uint8Array;
}

const LARGEST = 2n ** 63n - 1n;

/** Takes a checkpoint apart, whoever signed it. Throws SyntaxError saying what is wrong with it. */
export function readCheckpoint(note: string | Uint8Array): Checkpoint {
  const signed = readNote(note);
  const [origin = '', size = '', root = '', ...more] = signed.text.slice(0, -1).split('\n');
  if (origin === '') throw new SyntaxError('the checkpoint has no origin');
  if (!/^(0|[1-9][0-9]{0,18})$/.test(size) || BigInt(size) > LARGEST) {
    throw new SyntaxError('the second line of the checkpoint is no size without leading zeros');
  }
  const bytes = bytesOfBase64(root);
  if (bytes?.length !== 32)
    throw new SyntaxError('the third line of the checkpoint is no base64 of 32 bytes');
  if (more.includes('')) throw new SyntaxError('the checkpoint has an empty line among its extension lines');
  return { ...signed, origin, size: BigInt(size), root: bytes };
}

/** The text of a checkpoint, as it is signed. */
export function checkpointText(origin: string, size: bigint, root: Uint8Array): string {
  return `${origin}\n${String(size)}\n${Buffer.from(root).toString('base64')}\n`;
}
